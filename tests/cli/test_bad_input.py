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
        ("null", f": holds no list of records; {EXPECTED}"),
        ("5", f": holds no list of records; {EXPECTED}"),
        (" true\n", f": holds no list of records; {EXPECTED}"),
        ('"id"', f": holds no list of records; {EXPECTED}"),
        ("\ufeff\ufeff\n", f": is empty; {EXPECTED}"),
        ("[1]\n[2]", f": line 2: more follows where the list ends; {EXPECTED}"),
        (",,\n", f': line 1: no column is called "id"; {EXPECTED}'),
        ("\n\ntitle\nA\n", f': line 3: no column is called "id"; {EXPECTED}'),
        (
            "id,title, ID \na,A,b\n",
            ': line 1: 2 columns are called "id"; rename all but one',
        ),
        (
            "\nid,text,Text\na,A,b\n",
            ': line 2: 2 columns are called "text"; rename all but one',
        ),
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
        (
            ["render", "answer.md", "-s", "s", "--page", "-o", "citemark.css"],
            "-o citemark.css is where --page puts its stylesheet; name another file",
        ),
        (
            ["render", "answer.md", "-s", "s", "--page", "-o", "./CiteMark.CSS"],
            "-o ./CiteMark.CSS is where --page puts its stylesheet; name another file",
        ),
        (
            ["render", "citemark.css", "-s", "s", "--page", "-o", "page.html"],
            "-o page.html would write over citemark.css; name another file",
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
    assert result.err.startswith(
        "Error: --to htm: no renderer 'htm'; did you mean html? Known: "
    )
    assert result.err.count("\n") == 1


def test_a_wrong_option_of_a_renderer_is_blamed(citemark, files):
    """The line names the option that is wrong, not the one that chose the renderer."""
    files()
    result = citemark("render", "answer.md", "-s", "sources.json", "--id-prefix", "1 x")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith("Error: --id-prefix: expected a letter, ")


def test_long_ids_are_cut(citemark, files):
    """An id of thousands of letters leaves the line readable."""
    id_ = "x" * 5_000
    files(sources__json=f'[{{"id": "{id_}"}}, {{"id": "{id_}"}}]')
    result = citemark("render", "answer.md", "-s", "sources.json")
    reason = f"has the id '{'x' * 79}…' of record 1; give each record an id of its own"
    assert result == (2, "", f"Error: sources.json: record 2: {reason}\n")

    files(sources__json=f'[{{"id": "{"7" * 4_000}"}}]')
    result = citemark("render", "answer.md", "-s", "sources.json")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert len(result.err) < 500


def test_many_unresolved_keys_are_counted(citemark, files):
    """Twenty keys are named, the others counted; long ones are cut."""
    keys = ["k" * 150, *map(str, range(20_000))]
    files(answer__md=" ".join(f"[doc:{key}]" for key in keys))
    result = citemark("render", "answer.md", "-s", "sources.json", "-t", "text", "--strict")
    named = ", ".join(["k" * 79 + "…", "0", *map(str, range(3, 21))])
    assert (result.code, result.err) == (
        1,
        f"19999 keys name no source: {named}, and 19979 more\n",
    )
