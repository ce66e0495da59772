"""Write the static edition: `python3 dev.py site [--out DIR] [--only SLUG ...] [--app URL]`."""

from __future__ import annotations

import argparse
import errno
import sys
from collections.abc import Sequence
from pathlib import Path

from dashboard.catalogue import CATALOGUE
from edition.api.docstrings import DocstringError
from edition.build import build
from edition.manifest import FolderError


def main(argv: Sequence[str] | None = None) -> int:
    """Build the edition that the command line asks for, and return the status."""
    options = _parser().parse_args(argv)
    unknown = [slug for slug in options.only or () if slug not in CATALOGUE]
    if unknown:
        _say(f"There is no page {', '.join(unknown)}: a page is named as in its address.")
        return 2
    folder = Path(options.base) / options.out
    try:
        build(folder.resolve(), options.only or tuple(CATALOGUE), options.app, _say)
    except FolderError as error:
        _say(str(error))
        return 2
    except DocstringError as error:
        _say(str(error))
        return 1
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        reason = "the disk is full" if is_full else error.strerror
        _say(f"{folder} could not be written: {reason}. The pages that were complete stay.")
        return 1
    except KeyboardInterrupt:
        _say("Stopped. The pages that were complete stay; the next build goes on from there.")
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dev.py site", description="Write the static edition.")
    parser.add_argument(
        "--out",
        default="site",
        metavar="DIR",
        help="an empty or new folder, or an edition to renew; by default site",
    )
    parser.add_argument("--only", nargs="+", metavar="SLUG", help="build these pages alone")
    parser.add_argument("--app", default="", metavar="URL", help="the address of the full app")
    parser.add_argument("--base", default=".", help=argparse.SUPPRESS)
    return parser


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
