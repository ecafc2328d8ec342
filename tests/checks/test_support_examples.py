"""The examples of judges, against a real server and a stand-in for the library."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

VERDICTS = {
    "The quay cost £412,000.": ("supported", 0.98, "The passage says so."),
    "The board met in May.": ("unsupported", 0.03, "It met in March."),
    "It was a success.": ("unsure", 0.4, "It does not say."),
}

STAND_IN = """
class Config:
    id2label = {labels}

class CrossEncoder:
    def __init__(self, name):
        self.config = Config()

    def predict(self, sentences, apply_softmax=False):
        assert apply_softmax == (len(Config.id2label) > 1)
        scores = [0.9 if claim.rstrip(".") in premise else 0.1 for premise, claim in sentences]
        return [[1 - s, s] if apply_softmax else s for s in scores]
"""


class Server(ThreadingHTTPServer):
    """Behaves as one of OpenAI's kind: what it is told to first, then it judges."""

    def __init__(self, script):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.bodies, self.asleep = [*script], [], threading.Event()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append((self.path, self.headers["authorization"], body))
        step = self.server.script.pop(0) if self.server.script else "judge"
        if step == "sleep":
            self.server.asleep.wait(10)
            return
        if isinstance(step, int):
            self.answer(step, {"error": {"message": f"status {step}"}}, {"Retry-After": "0"})
            return
        prompt = body["messages"][0]["content"]
        claim = re.search(
            r"^===== \w+ claim 1\n(.*?)\n===== \w+ end$", prompt, re.MULTILINE | re.DOTALL
        )[1]
        verdict, score, reason = VERDICTS[claim]
        told = {"pair": 1, "verdict": verdict, "score": score, "quote": "", "reason": reason}
        content = json.dumps({"judgements": [told]}) if step == "judge" else step
        message = {"role": "assistant", "content": content}
        self.answer(200, {"choices": [{"index": 0, "message": message}]}, {})

    def answer(self, status, data, headers):
        body = json.dumps(data).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(*script):
    server = Server(script)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.asleep.set()
        server.shutdown()
        thread.join(10)
        server.server_close()


def run(script, *arguments, **env):
    command = [sys.executable, "-X", "utf8", EXAMPLES / script, *arguments]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", env={**os.environ, **env}, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def judged(server, timeout="5"):
    url = f"http://127.0.0.1:{server.server_port}/v1/"
    names = {"OPENAI_BASE_URL": url, "OPENAI_MODEL": "small-1", "OPENAI_API_KEY": "k"}
    return run("judge_openai.py", **names, OPENAI_TIMEOUT=timeout)


GOOD = [
    line
    for claim, (verdict, score, reason) in VERDICTS.items()
    for line in (f"{verdict} {score} {claim}", f"    {reason}")
]


def test_server_that_is_busy_or_fails():
    """It is asked again: after 429, 500, a refusal and nonsense."""
    with serving(429, 500, "judge", "I can't say.", "judge", '{"verdict": "Yes"}') as server:
        assert judged(server) == GOOD
    path, key, body = server.bodies[0]
    assert (path, key, len(server.bodies)) == ("/v1/chat/completions", "Bearer k", 7)
    assert (body["model"], body["temperature"]) == ("small-1", 0)
    assert body["response_format"] == {"type": "json_object"}


def test_server_that_refuses_the_key():
    """It is not asked again, and the reason is told."""
    with serving(401, 401, 401) as server:
        lines = judged(server)
    assert len(server.bodies) == 3
    assert lines[0] == "unsure None The quay cost £412,000."
    assert lines[1].startswith("    the judge failed: HTTPStatusError: Client error '401")


@pytest.mark.slow
def test_server_that_is_slow():
    """A call that takes too long is one that failed."""
    with serving("sleep") as server:
        assert judged(server, timeout="0.5") == GOOD
    assert len(server.bodies) == 4


@pytest.mark.parametrize("labels", [{0: "LABEL_0"}, {0: "contradiction", 1: "entailment"}])
def test_cross_encoder(tmp_path, labels):
    """With one score or with classes."""
    stand_in = STAND_IN.replace("{labels}", repr(labels))
    (tmp_path / "sentence_transformers.py").write_text(stand_in, "utf-8")
    lines = run("judge_cross_encoder.py", "some/model", PYTHONPATH=str(tmp_path))
    assert lines == [
        "supported 0.9 The quay cost £412,000.",
        "unsupported 0.1 The board met in May.",
    ]


def test_long_passages_are_cut_at_sentences(monkeypatch):
    """Each part is scored, and the best one counts."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import judge_cross_encoder as example

    passage = "The quay is wet. " * 200 + "It cost £412."
    parts = example.parts_of(passage)
    assert [len(part.split()) for part in parts] == [200, 200, 200, 200, 3]

    class Model:
        class config:  # noqa: N801  as the library has it
            id2label = {0: "LABEL_0"}  # noqa: RUF012  likewise

        def predict(self, rows, apply_softmax):
            assert apply_softmax is False
            return [float("412" in part) for part, _ in rows]

    score = example.scorer(Model())
    assert score([(passage, "x"), ("Dry.", "x"), ("", "x")]) == [1.0, 0.0, 0.0]
