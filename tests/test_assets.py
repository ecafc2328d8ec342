"""The files that a page loads: what is said of them is so, and copies are whole."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import html5lib
import pytest

from citemark import CitemarkError, assets


def test_files_are_as_described():
    """Names, integrity and sizes are those of the files, in their order."""
    described = assets.files()
    assert tuple(asset.name for asset in described) == assets.NAMES
    for asset in described:
        data = (assets.path() / asset.name).read_bytes()
        digest = base64.b64encode(hashlib.sha384(data).digest()).decode()
        assert asset.integrity == f"sha384-{digest}"
        assert asset.size == len(data)
        stem, digits, extension = asset.hashed_name.split(".")
        assert f"{stem}.{extension}" == asset.name
        assert hashlib.sha256(data).hexdigest().startswith(digits)
        assert len(digits) == 8


def test_folder_may_be_served():
    """A web server that is pointed at it shows what a page loads, the types, and no code."""
    served = {path.name for path in assets.path().iterdir()}
    assert served == {*assets.NAMES, "citemark-answer.d.ts"}


def test_files_load_nothing():
    """No address, no import, no code made from strings."""
    for name in assets.NAMES:
        text = (assets.path() / name).read_text("utf-8")
        assert re.findall(r"https?://|@import|url\(|\beval\b|new Function|import\(", text) == []
        assert "citemark" in text[:100]


@pytest.mark.parametrize("hashed", [False, True])
def test_copies(tmp_path, hashed):
    """All are there, readable by others as any file, and nothing else is."""
    folder = tmp_path / "new" / "static"
    for _ in range(2):
        copied = assets.copy_to(folder, hashed=hashed)
    names = [a.hashed_name if hashed else a.name for a in assets.files()]
    assert list(copied) == [folder / name for name in names]
    assert sorted(folder.iterdir()) == sorted(copied)
    (tmp_path / "other").write_bytes(b"")
    for name, target in zip(assets.NAMES, copied, strict=True):
        assert target.read_bytes() == (assets.path() / name).read_bytes()
        assert target.stat().st_mode == (tmp_path / "other").stat().st_mode


def test_file_of_another_stays(tmp_path):
    """Then nothing is copied at all, not even what comes before it."""
    for make in (Path.mkdir, Path.touch):
        make(tmp_path / "citemark.js")
        with pytest.raises(FileExistsError):
            assets.copy_to(tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["citemark.js"]
        if (tmp_path / "citemark.js").is_dir():
            (tmp_path / "citemark.js").rmdir()


def test_copy_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    """No file that is half there, and the old one as it was."""

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    assets.copy_to(tmp_path)
    (tmp_path / "citemark.css").write_text("/* citemark.css of last year */")
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        assets.copy_to(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(assets.NAMES)
    assert "last year" in (tmp_path / "citemark.css").read_text()


def elements(markup):
    """Return name and attributes of each element of a fragment."""
    found = html5lib.parseFragment(str(markup), namespaceHTMLElements=False)
    return [(element.tag, dict(element.attrib)) for element in found]


def test_tags():
    """A stylesheet and a script that waits, with their integrity."""
    style, script, _ = assets.files()
    assert elements(assets.tags()) == [
        (
            "link",
            {
                "rel": "stylesheet",
                "href": "/static/citemark.css",
                "integrity": style.integrity,
            },
        ),
        (
            "script",
            {"defer": "", "src": "/static/citemark.js", "integrity": script.integrity},
        ),
    ]


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("", "citemark.css"),
        ("/", "/citemark.css"),
        ("assets", "assets/citemark.css"),
        ('/"><script>', '/"><script>/citemark.css'),
    ],
)
def test_base_of_tags(base, expected):
    """A slash is added where one is missing, and nothing breaks out."""
    [(_, attributes)] = elements(assets.tags(base, names="citemark.css"))
    assert attributes["href"] == expected
    assert "crossorigin" not in attributes


@pytest.mark.parametrize("base", ["https://cdn.example.org/x/", "//cdn.example.org/x/"])
def test_tags_of_another_site(base):
    """Integrity of its files needs CORS; names with a hash are those of ``files``."""
    found = elements(assets.tags(base, names=assets.NAMES, hashed=True))
    sources = [attributes.get("href") or attributes["src"] for _, attributes in found]
    assert sources == [base + asset.hashed_name for asset in assets.files()]
    assert {attributes["crossorigin"] for _, attributes in found} == {"anonymous"}


def test_unknown_name():
    """A name that is none is told, with those there are."""
    with pytest.raises(
        LookupError, match=r"no asset 'cite\.js'; known: citemark\.css"
    ) as caught:
        assets.tags(names=["cite.js"])
    assert isinstance(caught.value, CitemarkError)
    assert (caught.value.name, caught.value.known) == ("cite.js", assets.NAMES)
