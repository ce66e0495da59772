"""The same question put to mlxtend, and the code that puts it."""

from __future__ import annotations

from dmlib.association.mlxtend_reference import mlxtend_answers
from dmlib.comparison import Answers
from dmlib.pictures.run import Run


def fp_growth_reference(run: Run) -> Answers:
    """Return what mlxtend's fpgrowth finds, with the attributes of :class:`dmlib.association.FPGrowth`."""
    return mlxtend_answers(run, "fpgrowth")


def fp_growth_code(run: Run) -> str:
    """Return code that asks mlxtend's fpgrowth as ``reference`` about ``X``, after ``model``."""
    model = run.model
    return f"""
# The same item sets with mlxtend
from types import SimpleNamespace

from mlxtend.frequent_patterns import fpgrowth

found = fpgrowth(X, min_support={model.min_support!r}, max_len={model.max_length!r}, use_colnames=True)
reference = SimpleNamespace(n_itemsets_=len(found))
"""
