"""Measure: `python -m benchmarks [NAME ...]`; tables are printed and written to results.json."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from streamlit.logger import set_log_level

from benchmarks.tables import Row, table

RESULTS = Path(__file__).with_name("results.json")
Tables = Mapping[str, Sequence[Row]]


def measure(name: str, options: argparse.Namespace) -> Tables:
    """Run one of the measurements; return its tables by title."""
    # Imported when it is wanted: the algorithms need no browser, and the pages' need no reference
    # libraries.
    module = import_module(f"benchmarks.{name}")
    arguments: dict[str, dict[str, Any]] = {
        "interaction": {"blocks": options.blocks},
        "load": {"seconds": options.seconds},
    }
    tables = module.main(**arguments.get(name, {}))
    return tables if isinstance(tables, Mapping) else {name: tables}


def machine() -> dict[str, Any]:
    """Return what the numbers depend on."""
    names = ("streamlit", "numpy", "scipy", "scikit-learn", "pandas")
    return {
        "date": time.strftime("%Y-%m-%d"),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{name: version(name) for name in names},
    }


def parser() -> argparse.ArgumentParser:
    """Describe the options."""
    options = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    options.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"what to measure: {', '.join(NAMES)}; all by default",
    )
    options.add_argument("--json", type=Path, default=RESULTS, help="where the results go")
    options.add_argument(
        "--seconds", type=float, default=30, help="how long each crowd of visitors works"
    )
    options.add_argument(
        "--blocks", type=int, default=6, help="blocks of 5 key presses a page and reference"
    )
    return options


NAMES = (
    "interaction",
    "playback",
    "movies",
    "load",
    "rooms",
    "phone",
    "findings",
    "algorithms",
    "estimators",
    "reading",
    "large",
    "edition",
    "closed",
    "costly",
    "itemsets",
    "engine",
    "mechanisms",
    "pairs",
)


def main(
    argv: Sequence[str] | None = None, run: Callable[[str, argparse.Namespace], Tables] = measure
) -> int:
    """Measure, print the tables, and write the results beside the older ones of other names."""
    options = parser().parse_args(argv)
    if unknown := [name for name in options.names if name not in NAMES]:
        parser().error(f"{unknown[0]} is not measured here; choose from {', '.join(NAMES)}")
    # Importing the pages outside of a server makes Streamlit say that there is none.
    set_log_level("error")
    results = json.loads(options.json.read_text("utf-8")) if options.json.is_file() else {}
    for name in options.names or NAMES:
        start = time.perf_counter()
        tables = run(name, options)
        for title, rows in tables.items():
            print(f"\n## {title}\n\n{table(rows)}")
        print(f"\n({name}: {time.perf_counter() - start:.0f} s)", flush=True)
        results[name] = {"machine": machine(), "tables": tables}
        # Written after each, so that a later failure does not cost what was measured before it.
        options.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
