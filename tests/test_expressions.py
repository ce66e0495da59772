"""Regular expressions outside of the readers take linear time on links, names and searches."""

import importlib
import re
from pathlib import Path
from unittest import mock

import pytest

import tests.datasets.test_expressions as readers

ROOT = Path(__file__).parents[1]
OUR_OWN = {
    "ui.streamlit_private.first_page": "Streamlit's page",
    "dashboard.lessons": "the lessons",
}
"""Modules whose expressions see nothing that a visitor brings, and what they see."""


def modules():
    """Yield the modules outside of the readers that have regular expressions."""
    for path in sorted(
        [
            *(ROOT / "dmlib").rglob("*.py"),
            *(ROOT / "dashboard").rglob("*.py"),
            *(ROOT / "ui").rglob("*.py"),
        ]
    ):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        is_reader = name.startswith(readers.package.__name__)
        if not is_reader and re.search(r"^import re$", path.read_text("utf-8"), re.MULTILINE):
            yield name


NAMES = [name for name in modules() if name not in OUR_OWN]
with mock.patch.object(readers, "MODULES", [importlib.import_module(name) for name in NAMES]):
    USES = list(dict.fromkeys([*readers.uses(), *readers.constants()]))


def test_expressions_are_found():
    assert {"dmlib.mapreduce.jobs", "dmlib.trees.choices", "dashboard.text"} <= {
        module for module, *_ in USES
    }
    assert OUR_OWN.keys() <= set(modules())


@pytest.mark.parametrize("module", NAMES)
def test_time_grows_at_most_linearly(module):
    slow = {
        (method, pattern): text
        for name, method, pattern, flags in USES
        if name == module and (text := readers.slow_text(method, pattern, flags)) is not None
    }
    assert slow == {}
