"""A Django site that shows an answer: python examples/django_site/manage.py runserver."""

from __future__ import annotations

import sys

from django.conf import settings
from django.core.management import execute_from_command_line

from citemark import assets

settings.configure(
    DEBUG=True,
    SECRET_KEY="for this example only",  # noqa: S106  nothing is signed
    ROOT_URLCONF="answers.urls",
    INSTALLED_APPS=["django.contrib.staticfiles", "answers"],
    STATIC_URL="static/",
    STATICFILES_DIRS=[assets.path()],
    TEMPLATES=[
        {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}
    ],
)

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
