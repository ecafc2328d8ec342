"""Keep the number of a source over the turns of a conversation."""

from __future__ import annotations

from citemark import Numbering, Sources, cite, render

# Each turn has a search of its own, so the same label names another source.
TURNS = (
    (
        "Turn the boiler down to 50 °C first [2]. Old boilers waste 10 to 15% of the gas [1].",
        Sources(
            [
                {"id": "boilers", "title": "Losses of old gas boilers"},
                {"id": "basics", "title": "Heat pumps: where to start"},
            ]
        ),
    ),
    (
        "At night the limit is 40 dB(A) [1]. Check the flow temperature again [2].",
        Sources(
            [
                {"id": "noise", "title": "Noise from heat pumps"},
                {"id": "basics", "title": "Heat pumps: where to start"},
            ]
        ),
    ),
)


def main() -> None:
    """Print both turns: the source that comes back has the number of the first turn."""
    numbering = Numbering()
    for turn, (text, sources) in enumerate(TURNS, 1):
        answer = cite(text, sources, numbering=numbering)
        print(f"--- turn {turn}")
        print(render(answer, "text").rstrip())


if __name__ == "__main__":
    main()
