"""Show stored answers in Flask.

It needs Flask: `pip install flask`, then `flask --app examples/flask_page.py run`.
"""

from __future__ import annotations

from flask import Flask, Response, abort, render_template_string, send_from_directory

from citemark import assets, cite

SOURCES = [
    {"id": "fares", "title": "Fares & tickets", "url": "https://ferry.example.org/fares"},
    {"id": "times", "title": "Timetable", "text": "Last departure: 21:40, all days."},
]
STORED = {  # as a database holds them
    1: cite("The last ferry leaves at **21:40** [2]. A return is 18 [1].", SOURCES).to_dict(),
    2: cite("Bicycles travel free [1][7].", SOURCES).to_dict(),
}
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ferry answers</title>
{{ cite_assets("/assets/") }}</head>
<body class="cite-page">
<main>
<h1>Ferry answers</h1>
{% for id, answer in answers.items() %}
<article>
<h2 id="heading-{{ id }}">Answer {{ id }}</h2>
{{ answer | cite(id_prefix="answer-%d" % id, labelled_by="heading-%d" % id) }}</article>
{% endfor %}
</main>
</body>
</html>
"""

app = Flask(__name__)
app.jinja_env.add_extension("citemark.integrations.jinja.CitemarkExtension")
app.jinja_env.policies["citemark.options"] = {"previews": "hint", "heading_level": 3}


@app.get("/")
def every_answer() -> str:
    """Show all answers on one page."""
    return render_template_string(PAGE, answers=STORED)


@app.get("/<int:number>")
def one_answer(number: int) -> str:
    """Show one answer."""
    return render_template_string(PAGE, answers={number: STORED.get(number) or abort(404)})


@app.get("/assets/<name>")
def asset(name: str) -> Response:
    """Serve stylesheet and scripts."""
    return send_from_directory(assets.path(), name)
