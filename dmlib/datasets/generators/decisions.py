"""Decisions of a classifier, by the counts of its confusion matrix."""

from __future__ import annotations

import numpy as np
import pandas as pd

from dmlib.datasets.generators.points import LICENCE
from dmlib.datasets.table import Table

CELLS = {
    "tp": ("positive", 1.0),
    "fn": ("positive", -1.0),
    "fp": ("negative", 1.0),
    "tn": ("negative", -1.0),
}
"""The class and the decision of the rows of each cell."""


def confusion_counts(
    *, tp: int = 5, fn: int = 3, fp: int = 2, tn: int = 3, random_state: int = 0
) -> Table:
    """Return rows with these counts of true and predicted classes.

    Parameters
    ----------
    tp : int
        True positives: positive rows that are predicted positive.
    fn : int
        False negatives: positive rows that are predicted negative.
    fp : int
        False positives: negative rows that are predicted positive.
    tn : int
        True negatives: negative rows that are predicted negative.
    random_state : int
        Seed of the order of the rows.

    Returns
    -------
    Table
        Columns decision (1 for positive, -1 for negative: no probabilities) and class.

    Raises
    ------
    ValueError
        If all counts are 0.

    Examples
    --------
    >>> confusion_counts(tp=1, fn=0, fp=2, tn=4).frame.value_counts().tolist()
    [4, 2, 1]
    """
    counts = {"tp": tp, "fn": fn, "fp": fp, "tn": tn}
    rows = [CELLS[name] for name, count in counts.items() for _ in range(count)]
    if not rows:
        raise ValueError("All four counts are 0. Enter a count above 0.")
    order = np.random.default_rng(random_state).permutation(len(rows))
    frame = pd.DataFrame([rows[i] for i in order], columns=["class", "decision"])
    return Table(
        frame[["decision", "class"]],
        {"decision": "numeric", "class": "nominal"},
        name="confusion_counts",
        target="class",
        source="The generator confusion_counts.",
        licence=LICENCE,
    )
