"""The tests of nodes in words, with the names of a problem."""

from __future__ import annotations

import numpy as np

from dmlib.problem import Problem
from dmlib.trees.splits import Split
from dmlib.trees.threshold_text import threshold_texts

MAX_VALUES = 4  # names of nominal values in the text of a test
OR_MISSING = " or missing"


def question(split: Split, problem: Problem) -> str:
    """Return the test of a split as text.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"size": [1.0, 2.0], "sky": ["rain", "sun"]})
    >>> problem = prepare(table, ["size", "sky"])
    >>> question(Split(0, (1.5,)), problem), question(Split(1, branches=(0, 1)), problem)
    ('size ≤ 1.5', 'sky')
    """
    name = problem.features[split.column]
    if split.thresholds == (np.inf,):
        return f"{name} is known"
    if split.thresholds and split.n_branches == 2:
        return f"{name} ≤ {_cuts(split, problem)[0]}{OR_MISSING if split.missing == 0 else ''}"
    if split.thresholds:
        parts = "branches" if split.missing >= len(split.thresholds) else "intervals"
        return f"{name}, {split.n_branches} {parts}"
    if _multiway(split):
        return name
    if split.n_branches == 2:
        return f"{name} {_among(split, problem, 0)}"
    return f"{name}, {split.n_branches} groups"


def branch_texts(split: Split, problem: Problem) -> list[str]:
    """Return the condition of each branch, without the name of the column.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"size": [1.0, 2.0], "sky": ["rain", "sun"]})
    >>> problem = prepare(table, ["size", "sky"])
    >>> branch_texts(Split(0, (1.5, 3.0)), problem)
    ['≤ 1.5', '≤ 3', '> 3']
    >>> branch_texts(Split(1, branches=(0, 1)), problem)
    ['= rain', '= sun']
    """
    if not split.thresholds:
        return [_among(split, problem, branch) for branch in range(split.n_branches)]
    if split.thresholds == (np.inf,):
        texts = ["known"]
    else:
        cuts = _cuts(split, problem)
        texts = [*(f"≤ {cut}" for cut in cuts), f"> {cuts[-1]}"]
    if 0 <= split.missing < len(texts):
        texts[split.missing] += OR_MISSING
    return [*texts, "missing"] if split.missing >= len(texts) else texts


def _cuts(split: Split, problem: Problem) -> list[str]:
    """Return the thresholds of a split, with digits that distinguish the values of its column."""
    texts = threshold_texts(split.thresholds, problem.X[:, split.column])
    return [text.replace("-", "−") for text in texts]


def _multiway(split: Split) -> bool:
    if split.missing not in (-1, len(split.branches)):
        return False
    return all(value == branch for value, branch in enumerate(split.branches) if branch >= 0)


def _among(split: Split, problem: Problem, branch: int) -> str:
    categories = problem.categories[split.column]
    names = [categories[code] for code, b in enumerate(split.branches) if b == branch]
    names += ["missing"] if split.missing == branch else []
    if len(names) == 1:
        return f"= {names[0]}"
    ending = ["…"] if len(names) > MAX_VALUES else []
    return f"in {{{', '.join([*names[:MAX_VALUES], *ending])}}}"
