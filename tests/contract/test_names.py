"""Names are nouns and verbs of the field, not pronouns, adverbs or participles that stand alone."""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (
    *("dmlib", "dashboard", "ui", "rooms", "edition", "pages"),
    *("tests", "benchmarks", "examples"),
)
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
WORDS = """
    told tell mine again kept shown some said asked found there whole made few ways near every here
    now then rest beside held one other others both more most less least known given taken opened
    closed meant wanted spoken written drawn heard seen left gone due ahead late soon alone together
    apart elsewhere nowhere nothing none nobody
"""
NO_NAMES = frozenset(WORDS.split())
"""Words that say nothing of what they stand for."""
MAX_SHARE = 0.01
"""Of all names that are assigned, those that are such words."""


def is_no_name(name):
    """Whether a name is one of these words, private or not, or in capitals."""
    word = name.strip("_").lower()
    return word in NO_NAMES or name.strip("_").startswith("MOST_")


def assigned_names(tree):
    """Return the names that a module assigns, each as often as it does."""
    return [
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]


def defined_names(tree):
    """Return the names of functions, classes and parameters."""
    definitions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    for node in ast.walk(tree):
        if isinstance(node, definitions):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


def test_functions_classes_and_parameters_have_names():
    faults = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in FILES
        for line, name in defined_names(ast.parse(path.read_text("utf-8")))
        if is_no_name(name)
    ]
    assert not faults, f"{len(faults)} names of tests/contract/test_names.py:\n" + "\n".join(faults)


@pytest.mark.parametrize("folder", FOLDERS)
def test_variables_have_names(folder):
    names = Counter()
    for path in FILES:
        if path.is_relative_to(ROOT / folder):
            names.update(assigned_names(ast.parse(path.read_text("utf-8"))))
    words = Counter({name: n for name, n in names.items() if is_no_name(name)})
    share = words.total() / max(names.total(), 1)
    assert share <= MAX_SHARE, f"{share:.1%} of {folder}: {words.most_common(20)}"


def test_docstrings_say_what_a_thing_is():
    documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module
    faults = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, documented) and (ast.get_docstring(node) or "").startswith("What ")
    ]
    assert not faults, "begin with the thing, not with What:\n" + "\n".join(faults)


def test_what_is_no_name():
    tree = ast.parse("told = [x for x in self.kept]\nself.rest, n_found = 1, 2\n")
    assert [*map(is_no_name, assigned_names(tree))].count(True) == 2
    assert is_no_name("MOST_ROWS")
    assert is_no_name("_mine")
    assert not is_no_name("n_found")
