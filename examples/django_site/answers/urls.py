"""Where the page is, and what is on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import path

from citemark import cite

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

SOURCES = [
    {"id": "fares", "title": "Fares & tickets", "url": "https://ferry.example.org/fares"},
    {"id": "times", "title": "Timetable", "text": "Last departure: 21:40, all days."},
]


def page(request: HttpRequest) -> HttpResponse:
    """Show an answer, and a text that becomes one in the template."""
    answer = cite("The last ferry leaves at **21:40** [2]. A return is 18 [1].", SOURCES)
    names = {"answer": answer, "text": "Bicycles travel free [1][7].", "sources": SOURCES}
    return render(request, "answers/page.html", names)


urlpatterns = [path("", page)]
