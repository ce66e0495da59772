"""Open pages at the most expensive settings of a link, in a process with bounded memory.

``echo spectral | python -m tests.contract.costly`` says what came of it: a line of JSON for each
page.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import dashboard.runs
from dmlib.datasets import generators
from dmlib.params import Choice, Integer, Number, Param
from dmlib.trace import Clock
from tests.visit import sentences_of, sound, takes_tables, technique, visit

ROWS = 10_000  # a generator's most
ROOM = 1_500_000_000  # bytes of address space above the idle process
CHOICES = ("solver", "svd_solver")  # each may have a loop of its own
# Seconds between two looks at the clock, at least and at most: so a run spends its budget on the
# fastest machine too, and no more on a slow one.
TICK = 0.002
LEAP = 0.05


def settings(slug: str, choices: Collection[str] = CHOICES) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield methods of a page with the largest integers, and with each option of ``choices``."""
    page = technique(slug)
    rows = getattr(page.data, "max_rows", ROWS)  # other kinds of data have bounds of their own
    for method in page.methods:
        specs = page.specs(method)
        largest = {
            name: value
            for name, spec in specs.items()
            if (value := largest_value(spec, name, rows)) is not None
        }
        yield method, largest
        for name, spec in specs.items():
            if isinstance(spec, Choice) and name in choices:
                yield from ((method, largest | {name: option}) for option in spec.options)


def largest_value(spec: Param, name: str, rows: int) -> float | None:
    if isinstance(spec, Number) and name in ("tol", "min_support"):
        return spec.low  # nothing ends before its last iteration, and every set is frequent
    if not isinstance(spec, Integer):
        return None
    # What may be as large as the data are: half of the rows, because more is refused at once.
    return spec.high if name == "max_iter" or spec.high <= 1000 else min(spec.high, rows // 2)


def link(slug: str, method: str, values: dict[str, Any]) -> dict[str, str]:
    """Return a link to such a run on the largest data of a generator."""
    name, sizes = "blobs", {"n_samples": ROWS}
    page = technique(slug).data
    if not takes_tables(slug) or page.target == "number":
        kind = "table" if takes_tables(slug) else page.kind
        offered = generators(kind, numeric_target=takes_tables(slug))
        if not offered:
            chosen = {f"{slug}.{parameter}": str(value) for parameter, value in values.items()}
            return {"source": "library", "data": page.names()[0], f"{slug}.method": method} | chosen
        name, generator = next(iter(offered.items()))
        sizes = {
            name: spec.high for name, spec in generator.params.items() if isinstance(spec, Integer)
        }
    data = {"source": "generator", "generator": name} | {
        f"{name}.{size_name}": str(size_high) for size_name, size_high in sizes.items()
    }
    return (
        data
        | {f"{slug}.method": method}
        | {f"{slug}.{name}": str(value) for name, value in values.items()}
    )


@contextmanager
def limited_memory(room: int = ROOM) -> Iterator[None]:
    """Let this process have no more than this much above what it has now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + room, hard_limit))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft_limit, hard_limit))


def outcome(slug: str, method: str, values: dict[str, Any]) -> dict[str, Any]:
    """Open a page; return its sentences, or the error, and the seconds that its runs took."""
    real, passed = dashboard.runs.CLOCK, 0.0

    def ticking() -> Clock:
        working = real()
        last = working()

        def clock() -> float:
            nonlocal last, passed
            time = working()
            passed += min(max(time - last, TICK), LEAP)
            last = time
            return passed

        return clock

    with mock.patch.object(dashboard.runs, "CLOCK", ticking):
        try:
            answer = {
                "sentences": sentences_of(sound(visit(slug, **link(slug, method, values)))),
                "wrong": "",
            }
        except (Exception, AssertionError) as error:
            answer = {"sentences": [], "wrong": repr(error)}
    return {"slug": slug, "method": method, "values": values, "seconds": passed, **answer}


if __name__ == "__main__":
    for slug in map(str.strip, sys.stdin):
        visit(slug)  # what a page imports is no part of what a run costs
        with limited_memory():
            outcomes = [outcome(slug, method, values) for method, values in settings(slug)]
        sys.stdout.write(json.dumps(outcomes) + "\n")
        sys.stdout.flush()
