"""``python -m citemark.schema`` writes the schema files of the package anew."""

from __future__ import annotations

from citemark.schema._build import FOLDER, build_files


def main() -> None:
    """Write every file, next to the code that is running."""
    for name, content in build_files().items():
        FOLDER.joinpath(name).write_text(content, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
