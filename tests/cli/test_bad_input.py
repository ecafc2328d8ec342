"""Bad input gives one line on stderr that says what to do, and exit code 2."""

from __future__ import annotations

import pytest

EXPECTED = (
    'expected a JSON list of objects with an "id", an object with such a list under "sources", '
    "JSON Lines, or CSV with a header row (id,title,url,text,page)"
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", f": is empty; {EXPECTED}"),
        (
            "[{]",
            (
                ": line 1: is not JSON: Expecting property name enclosed in double quotes at "
                "column 3"
            ),
        ),
        ('{"hits": []}', f": holds no list of records; {EXPECTED}"),
        ('{"sources": {}}', f": holds no list of records; {EXPECTED}"),
        ("null", f': line 1: no column is called "id"; {EXPECTED}'),
        ("title,url\nA,b\n", f': line 1: no column is called "id"; {EXPECTED}'),
        ('["a"]', ': record 1: expected an object like {"id": "a", "title": "A"}, not str'),
        (
            '[{"id": "a"}, {"title": "B"}]',
            (': record 2: it has no id; give each record an "id" of its own'),
        ),
        (
            '{"id": "a"}\n\n{"title": "B"}',
            (': record 2 (line 3): it has no id; give each record an "id" of its own'),
        ),
        (
            '{"id": "a"}\n{"id"}',
            (
                ": record 2 (line 2): is not JSON: Expecting ':' delimiter at "
                "column 6; in JSON Lines each line is one object"
            ),
        ),
        (
            '[{"id": "a"}, {"id": "b"}, {"id": "a"}]',
            (": record 3: has the id 'a' of record 1; give each record an id of its own"),
        ),
        (
            "id,title\na,A\na,B\n",
            (
                ": record 2 (line 3): has the id 'a' of record 1 (line 2); give "
                "each record an id of its own"
            ),
        ),
        (
            "id,title\na,A,B\n",
            (
                ": record 1 (line 2): has 3 cells below a header of 2; put cells "
                'that hold the delimiter in "quotes"'
            ),
        ),
        ('id,title\na,"A\n', ": line 2: is not CSV: unexpected end of data"),
        (
            b'[{"id": "a",\n "title": "\xe9"}]',
            (": is not UTF-8 (byte 0xe9 in line 2); save it as UTF-8"),
        ),
        ("[]".encode("utf-16"), ": is UTF-16; save it as UTF-8"),
        ("[" * 200_000, ": is nested too deeply; give flat records"),
    ],
)
def test_bad_sources_give_one_line(citemark, files, content, message):
    """The line names the file, the record and the mend."""
    files(sources__json=content)
    for command in ("render", "markers"):
        result = citemark(command, "answer.md", "--sources", "sources.json")
        assert result == (2, "", f"Error: sources.json{message}\n")


def test_numbers_that_python_does_not_read_give_one_line(citemark, files):
    """A number of 5,000 digits is valid JSON, but Python refuses to read it."""
    files(sources__json='[{"id": ' + "9" * 5000 + "}]")
    result = citemark("render", "answer.md", "-s", "sources.json")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith("Error: sources.json: is not JSON that can be read: ")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["render", "none.md", "-s", "sources.json"],
            "Error: none.md: no such file; check the path, or give - for stdin",
        ),
        (
            ["render", "answer.md", "-s", "none.json"],
            "Error: none.json: no such file; check the path, or give - for stdin",
        ),
        (["markers", "."], "Error: .: cannot be read: Is a directory"),
        (
            ["markers", "latin.md"],
            "Error: latin.md: is not UTF-8 (byte 0xe9 in line 1); save it as UTF-8",
        ),
        (
            ["markers", "odd\n\x1bname"],
            "Error: odd\\n\\x1bname: no such file; check the path, or give - for stdin",
        ),
        (
            ["render", "answer.md", "-s", "sources.json", "-o", "no/folder.html"],
            "Error: no/folder.html: cannot be written: No such file or directory",
        ),
    ],
)
def test_bad_files_give_one_line(citemark, files, arguments, line):
    """Nothing is on stdout, and no traceback is shown."""
    files(latin__md=b"caf\xe9 [1]")
    assert citemark(*arguments) == (2, "", line + "\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ["render", "-", "-s", "-"],
            "ANSWER and --sources cannot both be stdin; name a file for one of them",
        ),
        (
            ["markers", "-", "-s", "-"],
            "FILE and --sources cannot both be stdin; name a file for one of them",
        ),
        (["render", "answer.md", "-s", "s", "-t", "text", "--page"], "--page needs --to html"),
        (
            ["render", "answer.md", "-s", "s", "-t", "text", "--id-prefix", "x"],
            "--id-prefix needs --to html",
        ),
        (["render", "answer.md"], "Missing option '--sources' / '-s'."),
        (["unknown"], "No such command 'unknown'."),
    ],
)
def test_wrong_usage_is_exit_code_2(citemark, arguments, reason):
    """The last line says what is wrong."""
    result = citemark(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines()[-1] == f"Error: {reason}"


def test_unknown_renderer_lists_the_known_ones(citemark, files):
    """A wrong name for --to is wrong usage."""
    files()
    result = citemark("render", "answer.md", "-s", "sources.json", "-t", "htm")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Error: --to htm: no renderer 'htm'; known: ")
    assert result.err.count("\n") == 1
