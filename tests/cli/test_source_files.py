"""Files of sources: all shapes give the same records."""

from __future__ import annotations

import json

import pytest
from cli_kit import ANSWER, RECORDS

from citemark import cite, render


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("list.json", json.dumps(RECORDS)),
        ("object.json", json.dumps({"query": "x", "sources": RECORDS})),
        ("lines.jsonl", "\n".join(map(json.dumps, RECORDS)) + "\n\n"),
        ("lines.json", "\r\n".join(map(json.dumps, RECORDS))),
        ("mark.json", "\ufeff" + json.dumps(RECORDS)),
        ("marks.json", "\ufeff\ufeff" + json.dumps(RECORDS)),
        (
            "blank.csv",
            (
                "\ufeff\ufeff\r\n,,\r\nid,title,url,page,text\r\n"
                "pol,Refund policy,https://example.org/refunds,3,\r\n"
                "faq,Questions,,,All of them.\r\n"
            ),
        ),
        (
            "table.csv",
            (
                "id,title,url,page,text\r\n"
                "pol,Refund policy,https://example.org/refunds,3,\r\n\r\n"
                "faq,Questions,,,All of them.\r\n"
            ),
        ),
        (
            "semicolons.csv",
            (
                "ID; Title ;url;page;text\n"
                'pol;"Refund policy";https://example.org/refunds;3\n'
                "faq;Questions;;;All of them.\n"
            ),
        ),
        (
            "tabs.tsv",
            (
                "id\ttitle\turl\tpage\ttext\n"
                "pol\tRefund policy\thttps://example.org/refunds\t3\t\n"
                "faq\tQuestions\t\t\tAll of them.\n"
            ),
        ),
    ],
)
def test_all_shapes_of_a_file_give_the_same_sources(citemark, files, name, content):
    """JSON, JSON Lines and CSV are told apart by what is in them."""
    files(**{name.replace(".", "__"): content})
    result = citemark("render", "answer.md", "-s", name, "-t", "json")
    assert result == (0, render(cite(ANSWER, RECORDS), "json").rstrip() + "\n", "")


def test_documents_with_page_content_are_sources(citemark, files):
    """A list of documents with metadata is read as it is."""
    documents = [
        {"page_content": "Text.", "metadata": {"source": "/srv/a.pdf", "page": 2}},
        {"page_content": "More.", "metadata": {"source": "https://example.org/b"}},
    ]
    files(answer__md="It is [2].", sources__json=json.dumps(documents))
    result = citemark("render", "answer.md", "-s", "sources.json", "-t", "json")
    assert result.out.rstrip() == render(cite("It is [2].", documents), "json").rstrip()


def test_long_passages_fit_in_a_table(citemark, files):
    """Cells longer than the csv module's default limit of 128 kB are read."""
    files(answer__md="It is [1].", sources__csv=f"id,title,text\na,A,{'x' * 200_000}\n")
    assert citemark("render", "answer.md", "-s", "sources.csv", "-t", "text").code == 0


def test_the_limit_of_a_cell_fits_where_longs_are_short(citemark, files, monkeypatch):
    """On Windows the csv module takes no limit of more than 31 bits."""

    def limit(value):
        if value >= 2**31:
            raise OverflowError

    monkeypatch.setattr("csv.field_size_limit", limit)
    files(answer__md="It is [1].", sources__csv="id,title\na,A\n")
    assert citemark("render", "answer.md", "-s", "sources.csv", "-t", "text").code == 0


@pytest.mark.parametrize("levels", [600, 20_000])
def test_metadata_without_end_gives_no_traceback(citemark, files, levels):
    """Metadata that is nested too deeply is left out, or the file is refused in one line."""
    nested = '{"x":' * levels + "1" + "}" * levels
    files(answer__md="It is [1].", sources__json=f'[{{"id": "a", "metadata": {nested}}}]')
    result = citemark("render", "answer.md", "-s", "sources.json", "-t", "json")
    assert result.err in {"", "Error: sources.json: is nested too deeply; give flat records\n"}
    assert result.code == (2 if result.err else 0)
