"""How long files and techniques may be (docs/decisions/0027)."""

import ast
from pathlib import Path
from statistics import median

from dashboard.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for folder in (
        *("dmlib", "dashboard", "ui", "rooms", "edition", "pages"),
        *("tests", "benchmarks", "examples"),
    )
    for path in (ROOT / folder).rglob("*.py")
]
PICTURE, QUESTIONS = ("scene", "ledger"), "questions"
MAX_PICTURE = 705
"""Lines of the usual picture, as they are: it may become shorter, the aim is 420."""
FOLDERS = {"kernels": "kernel_matrices", "similarity": "measures"}
"""Folders that are not called like their page."""


def lines_of_code(path):
    """How many lines of a file are neither blank, comment nor docstring."""
    source = path.read_text("utf-8")
    texts = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, node.end_lineno + 1)
    }
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in texts
        for number, line in enumerate(source.splitlines(), 1)
    )


def files_of(slug):
    """The files of a technique: its folder and its page."""
    folder = FOLDERS.get(slug, slug)
    folders = [*(ROOT / "dmlib").glob(f"*/{folder}/"), *(ROOT / "dmlib").glob(f"{folder}/")]
    assert len(folders) == 1, f"{slug} has the folders {folders}"
    return [*folders[0].rglob("*.py"), ROOT / "pages" / f"{slug}.py"]


def lines(path):
    """How many lines a file has."""
    return len(path.read_text("utf-8").splitlines())


def test_a_file_is_read_at_one_sitting():
    assert not [str(path.relative_to(ROOT)) for path in FILES if lines(path) > 400]


def test_the_usual_technique_is_short():
    parts = (
        [path for path in files_of(slug) if not path.stem.endswith(QUESTIONS)] for slug in CATALOGUE
    )
    assert median(sum(map(lines_of_code, paths)) for paths in parts) <= 1300


def test_the_usual_questions_are_short():
    questions = (
        [path for path in files_of(slug) if path.stem.endswith(QUESTIONS)] for slug in CATALOGUE
    )
    assert median(sum(map(lines_of_code, paths)) for paths in questions) <= 200


def test_the_usual_picture_is_short():
    pictures = (
        [path for path in files_of(slug) if path.stem.endswith(PICTURE)] for slug in CATALOGUE
    )
    assert median(sum(map(lines, paths)) for paths in pictures) <= MAX_PICTURE


def test_what_counts_as_code(tmp_path):
    path = tmp_path / "sums.py"
    path.write_text(
        '"""Sums."""\n\n# once\nX = 1  # one\n"""The first."""\n\n\ndef f():\n    """\n    X."""\n '
        "   return X\n"
    )
    assert lines_of_code(path) == 3
