"""Ranges of the parameters of rule learners that fit the data."""

from __future__ import annotations

from itertools import islice
from typing import Any

from sklearn.base import clone

from dmlib.classification.columns import Columns
from dmlib.params import Range

CONFIDENCES = (0.01, 0.05, 0.1, 0.25, 0.4, 0.5)
LEAVES = (1, 2, 3, 5, 10, 20, 30)
BUCKETS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30)  # whose rules are compared
MAX_STEPS = 300  # of the run that says how long rules become


def condition_ranges(model: Any, X: Any, y: Any) -> dict[str, Range]:
    """Return the range of the number of conditions, up to the longest rule, and what is idle.

    Of a long run the first rules say so.

    Examples
    --------
    >>> from dmlib.classification import PRISM
    >>> condition_ranges(PRISM(), [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 0, 1])
    {'max_conditions': (1, 2)}
    """
    ranges: dict[str, Range] = {}
    if model.get_params().get("pruning") is False:
        ranges["prune_fraction"] = "Rules are not pruned."
    steps = clone(model).set_params(max_conditions=None).steps(X, y)
    longest = 0
    for _, step in zip(range(MAX_STEPS), steps, strict=False):
        longest = max(longest, 0 if step.rule is None else len(step.rule.conditions))
    if longest < 2:
        return ranges | {"max_conditions": "No rule has more than one condition on these data."}
    return ranges | {"max_conditions": (1, longest)}


def bucket_ranges(model: Any, X: Any, y: Any) -> dict[str, Range]:
    """Return the numbers of rows in a bucket at which the rules change.

    Examples
    --------
    >>> from dmlib.classification import OneRule
    >>> bucket_ranges(OneRule(), [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 0])
    {'min_bucket': (1, 2)}
    """
    if Columns.read(X)[0].nominal.all():
        return {"min_bucket": "All columns are nominal, so there are no intervals."}
    sizes, before = [], None
    for size in BUCKETS:
        rules = clone(model).set_params(min_bucket=size).fit(X, y).rules_
        if rules != before:
            sizes.append(size)
        before = rules
    if len(sizes) < 2:
        return {"min_bucket": "Every bucket size gives the same rules on these data."}
    return {"min_bucket": tuple(sizes)}


def tree_rule_ranges(model: Any, X: Any, y: Any) -> dict[str, Range]:
    """Return the values of the parameters of C4.5rules at which the steps change.

    The default and the largest value are positions, too. Of a long run the first steps count.

    Examples
    --------
    >>> from dmlib.classification import C45Rules
    >>> tree_rule_ranges(C45Rules(), [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])["confidence"]
    'Every value gives the same steps on these data.'
    """
    grids: dict[str, tuple[float, ...]] = {"confidence": CONFIDENCES, "min_samples_leaf": LEAVES}
    ranges: dict[str, Range] = {}
    for name, grid in grids.items():
        values, before, is_long = [], None, False
        for value in grid:
            steps = clone(model).set_params(**{name: value}).steps(X, y)
            run = [(step.phase, step.rules) for step in islice(steps, MAX_STEPS)]
            is_long |= len(run) == MAX_STEPS
            if run != before:
                values.append(value)
            before = run
        positions = tuple(sorted({*values, model.get_params()[name], grid[-1]}))
        is_idle = len(values) < 2 and not is_long
        ranges[name] = "Every value gives the same steps on these data." if is_idle else positions
    return ranges
