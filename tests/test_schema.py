"""JSON Schema and TypeScript: up to date, and true of what is really written."""

from __future__ import annotations

import json
import subprocess
import sys

import jsonschema
import pytest

from citemark import Answer, Citation, CitationSegment, Marker, Source, render
from citemark.model import Location
from citemark.schema import __main__ as command
from citemark.schema import build_files, build_json_schema, json_schema
from citemark.schema._build import FOLDER
from citemark.testing import SAMPLE_ANSWERS


def test_shipped_files_are_up_to_date():
    """The files are what ``python -m citemark.schema`` would write, and there is no other."""
    shipped = {
        path.name: path.read_text("utf-8") for path in FOLDER.iterdir() if path.is_file()
    }

    assert shipped == build_files()


@pytest.mark.parametrize("which", ["answer", "segments"])
def test_schemas_are_schemas(which):
    """A shipped schema is one of the dialect it names, and the one that is built."""
    schema = json_schema(which)

    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == build_json_schema(which)


@pytest.mark.parametrize("answer", SAMPLE_ANSWERS, ids=lambda answer: answer.text[:20])
def test_real_values_are_valid(answer):
    """What is stored and what is sent to a browser is as the schemas say."""
    stored = json.loads(json.dumps(answer.to_dict()))
    sent = json.loads(render(answer, "json"))

    jsonschema.validate(stored, json_schema("answer"))
    jsonschema.validate(sent, json_schema("segments"))


def test_places_words_and_listed_sources_are_valid():
    """So is what only some markers have, and what only some answers list."""
    source, places = Source("a"), (Location("line", 8, 14), Location("sentence", 0, 1))
    marker = Marker(0, 18, "<co>x</co: 0:[1]>", "co", ("0:1",), "x", (4, 5), (places,))
    cited = CitationSegment(marker, (Citation("0:1", source, 1, 1, places),))
    answer = Answer((cited,), (source,), listed=(source, Source("b", title="B")))

    jsonschema.validate(json.loads(json.dumps(answer.to_dict())), json_schema("answer"))
    sent = json.loads(render(answer, "json"))
    jsonschema.validate(sent, json_schema("segments"))
    sent["segments"][1]["span"].append(6)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(sent, json_schema("segments"))


def test_what_is_not_described_is_refused():
    """A field too many, such as metadata, is an error."""
    sent = json.loads(render(SAMPLE_ANSWERS[2], "json"))
    sent["sources"][0]["metadata"] = {}

    with pytest.raises(jsonschema.ValidationError, match="metadata"):
        jsonschema.validate(sent, json_schema("segments"))


def test_every_field_is_described():
    """Each field of each type says what it means."""
    for which in ("answer", "segments"):
        schema = json_schema(which)
        for type_ in (schema, *schema["$defs"].values()):
            silent = [
                n for n, field in type_["properties"].items() if "description" not in field
            ]
            assert silent == []


def test_typescript():
    """The declarations hold the union that a front end switches on."""
    declarations = FOLDER.joinpath("segments.d.ts").read_text("utf-8")

    assert "export interface SegmentsDocument {\n" in declarations
    assert "  segments: Array<TextPart | CitationPart>;\n" in declarations
    assert "  displayNumber: number | null;\n" in declarations
    assert "  locations?: Array<LocationData>;\n" in declarations
    assert '  unit: "page" | "line" | "sentence" | "char" | "block" | "time";\n' in declarations
    assert "  span?: [number, number];\n" in declarations


def test_command_writes_the_files(tmp_path, monkeypatch):
    """The command writes every file."""
    monkeypatch.setattr(command, "FOLDER", tmp_path)

    command.main()

    written = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert written == build_files()


def test_schema_is_read_without_pydantic():
    """To read a shipped schema, pydantic is not imported."""
    code = (
        "import sys; from citemark.schema import json_schema; json_schema('answer');"
        "sys.exit('pydantic' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
