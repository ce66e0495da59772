"""One idea a line, and few branches a function, those inside expressions included."""

from pathlib import Path

from radon.complexity import cc_visit
from radon.visitors import Function

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for folder in (
        "dmlib",
        "dashboard",
        "ui",
        "rooms",
        "edition",
        "pages",
        "benchmarks",
        "examples",
    )
    for path in sorted((ROOT / folder).rglob("*.py"))
]
MAX_COMPLEXITY = 15
"""Branches, loops, conditional expressions, comprehensions and Boolean operators of a function."""


def test_functions_are_simple():
    faults = [
        f"{path.relative_to(ROOT)}:{block.lineno} {block.fullname} {block.complexity}"
        for path in FILES
        for block in cc_visit(path.read_text("utf-8"))
        if isinstance(block, Function) and block.complexity > MAX_COMPLEXITY
    ]
    assert not faults, "\n".join(faults)


def test_the_formatter_is_not_switched_off():
    marks = ("# fmt: skip", "# fmt: off")
    assert not [path for path in FILES if any(mark in path.read_text("utf-8") for mark in marks)]


def test_what_is_counted():
    source = "def f(x):\n    return [a if a and b else c for a, b, c in x]\n"
    (function,) = cc_visit(source)
    assert function.complexity == 4
