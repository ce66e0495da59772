"""Run the tests that a change can touch: ``dev.py test --changed`` with arguments of pytest.

What has changed is what differs from the branch main as it was when this branch left it, new files
included.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EVERYTHING = ("tests", "dmlib")
DASHBOARD = ("tests/contract", "tests/ui", "tests/browser")
# By the beginning of a file's path; what is neither here nor of a technique or family touches
# everything.
TOUCHES: dict[str, tuple[str, ...]] = {
    "dashboard/": DASHBOARD,
    "rooms/": ("tests/rooms", "tests/browser/test_rooms.py", "tests/contract"),
    "ui/": DASHBOARD,
    "assets/courses.toml": (
        "tests/contract/test_courses.py",
        "tests/ui/test_home.py",
        "tests/ui/test_search.py",
    ),
    "assets/relations.toml": ("tests/contract/test_relations.py", "tests/ui/test_related.py"),
    "assets/": DASHBOARD,
    "pages/": DASHBOARD,
    "app.py": DASHBOARD,
    "server.py": (*DASHBOARD, "tests/rooms", "tests/test_server.py"),
    "dmlib/datasets/": ("tests/datasets", "tests/contract"),
    "dmlib/trees/": ("tests/trees", "tests/classification", "tests/contract"),
    "benchmarks/": ("tests/test_benchmarks.py",),
    "dev.py": ("tests/test_dev.py",),
    "docs/": (),
    "deploy/": (),
    "README.md": (),
    "CHANGELOG.md": (),
    "dmlib/__init__.py": ("tests/test_sweeps.py",),  # the version alone
    "CONTRIBUTING.md": (),
}


def touched(files: Iterable[str]) -> list[str]:
    """Return pytest's arguments for what a change of these files can touch; empty for nothing."""
    places: set[str] = set()
    words: set[str] = set()
    for file in files:
        folders, slug = touched_by(file)
        if folders == EVERYTHING:
            return list(folders)
        places.update(folders)
        words.update((slug,) if slug else (Path(place).stem for place in folders))
    existing = sorted(place for place in places if (ROOT / place).exists())
    # The words choose from the contracts those of the techniques, unless all of them are to be run.
    return [*existing, "-k", " or ".join(sorted(words))] if existing else []


def touched_by(file: str) -> tuple[tuple[str, ...], str]:
    """Return the tests that a file can touch, and its technique if it belongs to one."""
    first, *parts = Path(file).parts
    if parts[1:] == ["__init__.pyi"]:  # it says where names are, and each technique tries its own
        return ("tests/contract/test_imports.py",), ""
    slug = Path(file).stem if first == "pages" else "".join(parts[1:2])
    is_technique = slug.isidentifier() and (ROOT / f"pages/{slug}.py").is_file()
    home = next(ROOT.glob(f"tests/*/{slug}"), None) if is_technique else None
    if home is not None:
        family = home.parent.name
        return (f"dmlib/{family}/{slug}", f"tests/{family}/{slug}", "tests/contract"), slug
    if first == "tests" and Path(file).name.startswith("test_"):
        return (file,), ""
    listed = next((places for start, places in TOUCHES.items() if file.startswith(start)), None)
    if (
        listed is None
        and first in ("dmlib", "tests")
        and (ROOT / "dmlib" / parts[0] / "__init__.pyi").is_file()
    ):
        listed = (f"tests/{parts[0]}",)
    return EVERYTHING if listed is None else listed, ""


def changed() -> list[str]:
    """Return the files that have changed, by their paths from the root."""

    def lines(*command: str) -> list[str]:
        return subprocess.run(
            command, check=True, cwd=ROOT, capture_output=True, text=True
        ).stdout.splitlines()

    (base,) = lines("git", "merge-base", "main", "HEAD")
    return [
        *lines("git", "diff", "--name-only", base),
        *lines("git", "ls-files", "--others", "--exclude-standard"),
    ]


def main(argv: list[str]) -> int:
    """Run these tests."""
    try:
        arguments = touched(changed())
    except (OSError, subprocess.CalledProcessError):
        print(
            "What has changed is not known: this is no clone of the repository with a branch main.",
            file=sys.stderr,
        )
        return 1
    if not arguments:
        print("Nothing that is tested has changed.", file=sys.stderr)
        return 0
    print(f"pytest {' '.join(arguments)}", file=sys.stderr)
    return pytest.main([*arguments, *argv])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
