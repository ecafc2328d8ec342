"""``citemark render``: options that only HTML and whole pages have."""

from __future__ import annotations

import pytest
from cli_kit import ANSWER, RECORDS

from citemark import cite, render

RENDER = ("render", "answer.md", "-s", "sources.json")


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (("--previews", "hint"), {"previews": "hint"}),
        (
            ("--previews", "button", "--group", "joined"),
            {"previews": "button", "group": "joined"},
        ),
        (("--notes", "none"), {"notes": "none"}),
        (("--links", "safe"), {"links": "safe"}),
        (("--links", "a.example,b.example"), {"links": ["a.example", "b.example"]}),
        (("--language", "de", "--id-prefix", "x"), {"language": "de", "id_prefix": "x"}),
    ],
)
def test_options_are_those_of_the_renderer(citemark, files, arguments, options):
    """Each option of the command reaches the renderer."""
    text = f"{ANSWER} [a](https://a.example/) [c](https://c.example/)"
    files(answer__md=text)
    expected = render(cite(text, RECORDS), "html", **options)
    result = citemark(*RENDER, *arguments)
    assert (result.code, result.out.rstrip(), result.err) == (0, expected.rstrip(), "")


def test_notes_of_all_sources(citemark, files):
    """With --notes all the sources that are not cited are listed too."""
    text = "Refunds take five days [1]."
    files(answer__md=text)
    expected = render(cite(text, RECORDS, consulted=True), "html", notes="all")
    result = citemark(*RENDER, "--notes", "all")
    assert result.out.rstrip() == expected.rstrip()
    assert "Questions" in result.out


@pytest.mark.parametrize(
    ("arguments", "head"),
    [
        ((), ('lang="en" dir="ltr"', "answer")),
        (("--language", "ar"), ('lang="ar" dir="rtl"', "answer")),
        (("--language", "de_DE"), ('lang="de-DE" dir="ltr"', "answer")),
        (("--language", "fr", "--lang", "fr-CA"), ('lang="fr-CA" dir="ltr"', "answer")),
        (("--lang", "he", "--title", "<b>"), ('lang="he" dir="rtl"', "&lt;b&gt;")),
    ],
)
def test_page(citemark, files, arguments, head):
    """A page has the language of its words, or its own, and the title that is given."""
    files()
    page = citemark(*RENDER, "--page", *arguments).out
    language, title = head
    assert f"<html {language}>" in page
    assert f"<title>{title}</title>" in page
    assert f"<h1>{title}</h1>" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--previews", "hint", "-t", "text"), "--previews needs --to html"),
        (("--links", "safe", "-t", "json"), "--links needs --to html"),
        (("--page", "-t", "markdown"), "--page needs --to html"),
        (("--title", "x"), "--title needs --page"),
        (("--lang", "de"), "--lang needs --page"),
        (("--page", "--lang", '"><b>'), "expected a language tag"),
        (("--page", "--language", "de_D E"), "--language 'de-D E': expected a language tag"),
        (("--language", "tlh"), "expected one of ar, de, en, es, fr, ja, zh"),
        (("--id-prefix", "1"), "--id-prefix"),
    ],
)
def test_what_does_not_fit_is_told(citemark, files, arguments, message):
    """An option for another output, or with an impossible value, is a mistake of the caller."""
    files()
    result = citemark(*RENDER, *arguments)
    assert result.code == 2
    assert result.out == ""
    assert message in result.err
