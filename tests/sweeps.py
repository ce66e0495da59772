"""Which sweeps the quick depth of the tests runs too (docs/decisions/0028).

A sweep asks one technique at very many settings. Those of a technique that differs from the last
release are run, or of all techniques if what all of them share differs; those whose last run is
longest ago come first, and a budget ends it.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from dashboard.catalogue import CATALOGUE
from tests.changed import EVERYTHING, ROOT, touched_by

SHARED = "shared"  # the sweeps of what belongs to no single technique
ALL = frozenset({*CATALOGUE, SHARED})
BUDGET = 100.0  # seconds of sweeps, of all processes together
USUAL = 8.0  # seconds that the sweeps of a technique take, until they have been measured here
LAST_RELEASE = re.compile(r"^## \[(\d[^\]]*)\].*\n+(?:Commit `?([0-9a-f]{7,40}))?", re.MULTILINE)

Record = Mapping[str, Sequence[float]]
"""When the sweeps of each technique were last run, and how many seconds they took."""


def last_release(changelog: str, tags: Iterable[str]) -> str:
    """Return the last release's tag, or else the commit in the changelog; empty for neither."""
    release = LAST_RELEASE.search(changelog)
    if release is None:
        return ""
    version, commit = release.groups()
    tagged = {version, f"v{version}"} & {*tags}
    return min(tagged, default=commit or "")


def techniques(files: Iterable[str]) -> frozenset[str]:
    """Return the techniques whose sweeps these files can touch."""
    return frozenset().union(*map(_techniques_of, files))


def _techniques_of(file: str) -> frozenset[str]:
    first, *parts = Path(file).parts
    slug = Path(file).stem if first == "pages" else "".join(parts[1:2])
    if slug in CATALOGUE and (first == "pages" or file.startswith("assets/pages/")):
        return frozenset({slug})
    places, slug = touched_by(file)
    if slug:
        return frozenset({slug})
    if tuple(places) == EVERYTHING or any(place.startswith("tests/contract") for place in places):
        return ALL
    return frozenset().union(
        *(_family(Path(place).parts[1]) for place in places if place.count("/") == 1)
    )


def _family(name: str) -> frozenset[str]:
    """Return the techniques that have their tests in a folder."""
    folders = {path.name for path in (ROOT / "tests" / name).glob("*/")}
    return frozenset((folders | {name}) & {*CATALOGUE})


def choose(
    candidates: Iterable[str], record: Record, seed: str, budget: float = BUDGET
) -> tuple[list[str], list[str]]:
    """Return whose sweeps are run and whose are left out, the oldest run first.

    What has no record, as all in a fresh clone, comes before that, in an order that hangs on
    ``seed``: a commit gets the same sweeps wherever it is tested, and the next commit others.
    """

    def age(slug: str) -> tuple[float, str]:
        when, _ = record.get(slug, (0.0, 0.0))
        return when, hashlib.sha256(f"{seed} {slug}".encode()).hexdigest()

    chosen: list[str] = []
    left_out: list[str] = []
    spent = 0.0
    for slug in sorted(candidates, key=age):
        if spent >= budget:
            left_out.append(slug)
            continue
        chosen.append(slug)
        spent += record.get(slug, (0.0, USUAL))[1]
    return chosen, left_out


def differing() -> frozenset[str]:
    """Return the techniques that differ from the last release; all of them if it is unknown."""

    def lines(*command: str) -> list[str]:
        done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True)
        return done.stdout.splitlines()

    try:
        release = last_release((ROOT / "CHANGELOG.md").read_text("utf-8"), lines("git", "tag"))
        files = lines("git", "diff", "--name-only", release) if release else []
        files += lines("git", "ls-files", "--others", "--exclude-standard")
    except (OSError, subprocess.CalledProcessError):
        return ALL
    return techniques(files) if release else ALL


def commit() -> str:
    """Return the commit that is tested; empty where there is no repository."""
    command = ("git", "rev-parse", "HEAD")
    try:
        done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()
