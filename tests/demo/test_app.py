"""The pages of the demo, asked as a browser asks, and as an attacker's page would."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from urllib.parse import urlencode

import html5lib
import httpx
import pytest

from citemark import cite, render
from citemark.demo import create_app
from citemark.demo._examples import examples
from citemark.demo._form import MAX_BODY
from citemark.demo._guard import CSP
from citemark.demo._pasted import MAX_ANSWER, MAX_CITATIONS, Pasted
from citemark.demo._playback import playback, renderer

BASE = "http://127.0.0.1:8765"
APP = create_app()
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def ask(method, path, app=APP, **options):
    """Return the response of an app to one request."""

    async def send():
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            return await client.request(method, path, **options)

    return asyncio.run(send())


def paste(app=APP, **fields):
    return ask("POST", "/answers", app, data=fields)


def tree(response):
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(response.text)


def text_of(element):
    return " ".join("".join(element.itertext()).split())


def test_start_page_has_the_form_and_an_example():
    """It is filled, so that one press shows something."""
    page = ask("GET", "/")
    document = tree(page)
    assert page.status_code == 200
    [answer] = document.findall(".//textarea[@name='answer']")
    assert answer.text.startswith("Hi Dana,\n")
    options = document.findall(".//select[@name='example']/option")
    assert [option.get("value") for option in options] == list(examples())


def test_page_of_an_answer():
    """The whole answer is there without scripts, and in every format."""
    text = "Five **days** [1], see <b> [doc:x]."
    response = paste(answer=text, sources="Refund policy | https://example.org/r", speed="fast")
    assert response.status_code == 303
    assert re.fullmatch(r"/answers/[\w-]{22}\?speed=fast", response.headers["location"])
    page = ask("GET", response.headers["location"])
    document = tree(page)
    answer = cite(text, [{"id": "1", "title": "Refund policy", "url": "https://example.org/r"}])
    assert str(renderer().render(answer)) in page.text
    shown = {
        element.get("aria-labelledby"): element.findtext("pre/code")
        for element in document.iter("section")
        if element.get("tabindex")
    }
    assert shown == {
        "as-html": str(renderer().render(answer)),
        "as-markdown": render(answer, "markdown"),
        "as-text": render(answer, "text"),
        "as-json": render(answer, "json", indent=2),
    }
    assert [text_of(key) for key in document.findall(".//*[@class='demo-keys']/li")] == ["x"]
    [field] = document.findall(".//textarea[@name='answer']")
    assert field.text == text


def test_regions_have_names_and_can_be_scrolled():
    """Each output has its heading as name, and is reached by keyboard."""
    document = tree(ask("GET", "/answers/01-support-answer"))
    ids = [element.get("id") for element in document.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for element in document.iter("section"):
        assert element.get("aria-labelledby") in ids
    for label in document.iter("label"):
        assert label.get("for") in ids


@pytest.mark.parametrize("name", examples())
def test_every_example_has_its_page(name):
    """Chosen in the list, it is shown."""
    response = ask("GET", "/play", params={"example": name, "speed": "slow"})
    assert (response.status_code, response.headers["location"]) == (
        303,
        f"/answers/{name}?speed=slow",
    )
    page = ask("GET", response.headers["location"])
    assert page.status_code == 200
    [chosen] = tree(page).findall(".//select[@name='example']/option[@selected]")
    assert chosen.get("value") == name


def test_bad_paste_comes_back_with_what_is_wrong():
    """Nothing that was typed is lost, and the message belongs to its field."""
    page = paste(answer="A [1].", sources='[{"title": "</textarea>"}]', unresolved="drop")
    document = tree(page)
    assert page.status_code == 422
    [error] = document.findall(".//*[@role='alert']")
    assert text_of(error).startswith("Sources: record 1: it has no id")
    [field] = document.findall(".//textarea[@name='sources']")
    assert field.get("aria-invalid") == "true"
    assert field.get("aria-describedby").split()[0] == error.get("id")
    assert field.text == '[{"title": "</textarea>"}]'
    [policy] = document.findall(".//select[@name='unresolved']/option[@selected]")
    assert policy.get("value") == "drop"


@pytest.mark.parametrize(
    ("answer", "most"),
    [
        ("a" * (MAX_ANSWER + 1), "100,000 characters"),
        ("[1] a " * (MAX_CITATIONS + 1), "5,000 citations"),
        ("[1-50] x " * 10_000, "5,000 citations"),
    ],
    ids=["long", "cited often", "ranges"],
)
def test_too_much_is_not_shown(answer, most):
    """One page does not keep the machine busy."""
    page = paste(answer=answer, sources="A source\n" * 50)
    assert page.status_code == 422
    [error] = tree(page).findall(".//*[@role='alert']")
    assert text_of(error) == f"This answer has more than {most}. Paste a part of it."


def test_what_takes_time_is_done_in_a_thread(monkeypatch):
    """Other pages do not wait for it."""
    threads = []
    cited = Pasted.cited

    def noted(pasted):
        threads.append(threading.current_thread())
        return cited(pasted)

    monkeypatch.setattr(Pasted, "cited", noted)
    response = paste(answer="A [1].", sources="One")
    ask("GET", response.headers["location"])
    assert len(threads) == 2
    assert threading.main_thread() not in threads


def test_nothing_of_an_answer_is_markup_of_the_page():
    """Neither tags, nor the end of a field, nor what a template would run."""
    evil = "</textarea></code><script>alert(1)</script>{{ 7 * 7 }}{% include 'x' %}"
    response = paste(answer=f"{evil} [doc:{evil[:20]}]", sources=f"{evil} | {evil}")
    page = ask("GET", response.headers["location"])
    assert "<script>" not in page.text
    assert "</textarea></code>" not in page.text
    assert "{{ 7 * 7 }}" in page.text
    sources = [element.get("src") for element in tree(page).iter("script")]
    assert sources == [
        f"/static/{name}.js" for name in ("citemark", "citemark-answer", "citemark-demo")
    ]


def test_lone_surrogates_are_shown():
    """A form cannot send them, yet JSON can name them."""
    response = paste(answer="A [1].", sources='[{"id": "a", "title": "\\ud800"}]')
    page = ask("GET", response.headers["location"])
    assert page.status_code == 200


def test_lines_keep_their_ends():
    """A browser sends CR LF where a person typed a line end."""
    response = paste(answer="A\r\nB [1].", sources="One")
    [field] = tree(ask("GET", response.headers["location"])).findall(
        ".//textarea[@name='answer']"
    )
    assert field.text == "A\nB [1]."


def stream(path, **headers):
    response = ask("GET", path, headers=headers)
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    for frame in response.text.split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in frame.split("\n"))
        yield int(fields["id"]), fields["event"], json.loads(fields["data"])


def test_answer_is_streamed():
    """Text and citations in order are the answer; the end has the HTML of the page."""
    path = "/answers/15-invented-ids/events?speed=at+once"
    got = list(stream(path))
    [done] = [data for _, name, data in got if name == "done"]
    assert done["status"] == "complete"
    assert done["html"] in ask("GET", "/answers/15-invented-ids").text
    numbers = [data["number"] for _, name, data in got if name == "source"]
    assert numbers == [1, 2, 3, 4, 5]
    middle = len(got) // 2
    assert list(stream(path, **{"Last-Event-ID": str(got[middle][0])})) == got[middle + 1 :]


def test_reader_of_another_answer_is_told_so():
    """One who comes back with an event that this answer does not have gets an end."""
    path = "/answers/15-invented-ids/events?speed=at+once"
    last = [number for number, _, _ in stream(path)][-1]
    got = list(stream(path, **{"Last-Event-ID": "999999999"}))
    assert [(number, name) for number, name, _ in got] == [
        (1_000_000_000, "error"),
        (1_000_000_001, "done"),
    ]
    assert got[1][2]["status"] == "failed"
    assert list(stream(path, **{"Last-Event-ID": str(last)})) == []


def test_closing_server_ends_the_stream():
    """Where it is: a reader must not take a part for the whole."""

    async def play():
        closing = asyncio.Event()
        events = playback(Pasted("One two three four five."), "at once", closing=closing)
        first = await anext(events)
        closing.set()
        return [first.name, *[event.name async for event in events]]

    assert asyncio.run(play()) == ["text"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/answers/unknown", "This answer is no longer kept. Paste it again."),
        ("/answers/unknown/events", "This answer is no longer kept. Paste it again."),
        ("/play?example=unknown", "This answer is no longer kept. Paste it again."),
        ("/answers/..%2f01-support-answer", "Not Found"),
        ("/static/_app.py", "Not Found"),
        ("/static/..%2f_app.py", "Not Found"),
        ("/nothing", "Not Found"),
    ],
)
def test_what_is_not_there(path, reason):
    """A page says so, with a way back."""
    page = ask("GET", path)
    assert page.status_code == 404
    document = tree(page)
    assert text_of(document.find(".//*[@class='demo-lead']")) == reason
    assert document.find(".//main//a").get("href") == "/"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1:", "",
     "127.0.0.1:80@evil.example", "[::1", "0.0.0.0:8765", "127.0.0.1:8765, evil.example"],
)  # fmt: skip
def test_other_hosts_get_nothing(host):
    """A name that an attacker points here is not answered: DNS rebinding."""
    for path in ("/", "/answers/01-support-answer/events", "/static/citemark.css", "/nothing"):
        response = ask("GET", path, headers={"Host": host})
        assert (response.status_code, response.text.count("citemark")) == (403, 0)


def test_two_hosts_are_none():
    """A proxy and this server could take each another one."""
    headers = [("Host", "127.0.0.1"), ("Host", "evil.example")]
    assert ask("GET", "/", headers=headers).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST", "[::1]:1"])
def test_own_names_are_answered(host):
    """By address or name."""
    assert ask("GET", "/", headers={"Host": host}).status_code == 200


def test_forms_of_other_sites_are_refused():
    """Those of the page itself are taken."""
    data = {"answer": "A"}
    for origin, status in ((BASE, 303), ("https://evil.example", 403), ("null", 403)):
        response = ask("POST", "/answers", data=data, headers={"Origin": origin})
        assert response.status_code == status


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"answer=" + b"a" * MAX_BODY, FORM, 413),
        (b"{}", {"Content-Type": "application/json"}, 415),
        (b"answer=A", {}, 415),
        (b"answer=\xff", FORM, 400),
        (b"&".join(b"a=b" for _ in range(100)), FORM, 400),
        (b"answer=%ff%00", FORM, 303),
    ],
    ids=["large", "json", "no type", "bytes", "fields", "odd"],
)
def test_bodies_that_no_page_sends(content, headers, status):
    """They are refused with a page, and never break anything."""
    assert ask("POST", "/answers", content=content, headers=headers).status_code == status


def test_body_is_not_read_past_its_limit():
    """However long it goes on."""
    sent = 0

    async def endless():
        nonlocal sent
        while True:
            sent += 1
            yield b"a" * 65_536

    assert ask("POST", "/answers", content=endless(), headers=FORM).status_code == 413
    assert sent < 20


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/nothing"), ("GET", "/static/citemark-demo.css"),
     ("DELETE", "/answers/01-support-answer"), ("GET", "/answers/01-support-answer")],
)  # fmt: skip
def test_every_response_is_guarded(method, path):
    """By the same policy, which nothing on the pages needs to break."""
    response = ask(method, path)
    assert response.headers["content-security-policy"] == CSP
    assert response.headers["x-content-type-options"] == "nosniff"
    assert " style=" not in response.text
    assert "<style" not in response.text
    assert not re.search(r"<script(?! src=\"/static/)", response.text)


def test_failure_is_shown_and_guarded(monkeypatch):
    """A fault of ours is a page too, and tells nothing of itself."""

    def broken(_answer):
        raise RuntimeError("secret")  # noqa: EM101  what must not be seen

    monkeypatch.setattr("citemark.demo._app.view", broken)
    response = ask("GET", "/answers/01-support-answer")
    assert response.status_code == 500
    assert "secret" not in response.text
    assert response.headers["content-security-policy"] == CSP


def test_files_are_served_with_their_types():
    """All that the pages name is there."""
    page = tree(ask("GET", "/answers/01-support-answer"))
    named = {element.get("href") for element in page.iter("link")}
    named |= {element.get("src") for element in page.iter("script")}
    types = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
    types["svg"] = "image/svg+xml"
    for path in named:
        response = ask("GET", path)
        assert response.status_code == 200
        assert response.headers["content-type"] == types[path.rpartition(".")[2]]


def test_speed_that_is_not_offered():
    """It is the normal one."""
    query = urlencode({"speed": "\x00"})
    page = ask("GET", f"/answers/01-support-answer?{query}")
    [chosen] = tree(page).findall(".//select[@id='play-speed']/option[@selected]")
    assert text_of(chosen) == "normal"
