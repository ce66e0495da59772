"""Grade rounds that were handed in: ``python -m dmlib.practice check FILES``.

It prints the table that the page *Marks* shows, as CSV. The pages are needed for it: run it where
the app is.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dmlib.spreadsheet import to_csv


def main(arguments: list[str] | None = None) -> int:
    """Grade the files and print a line each; return 1 if some could not be graded."""
    parser = argparse.ArgumentParser(prog="python -m dmlib.practice", description=__doc__)
    commands = parser.add_subparsers(required=True)
    check = commands.add_parser("check", help="grade rounds anew from their data and answers")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    files: list[Path] = parser.parse_args(arguments).files
    try:
        from dashboard.handins import MAX_BYTES, mark_all
    except ModuleNotFoundError:
        parser.error("run it in the folder of the app: it opens the pages of the rounds.")
    contents = []
    for file in files:
        try:
            with file.open("rb") as opened:
                contents.append((str(file), opened.read(MAX_BYTES + 1)))
        except OSError as error:
            parser.error(f"{file} cannot be read: {error.strerror}.")
    results = mark_all(contents)
    sys.stdout.write(to_csv(results.table()))
    for name, reason in results.refused:
        sys.stderr.write(f"{name}: {reason}\n")
    return 1 if results.refused else 0


if __name__ == "__main__":
    sys.exit(main())
