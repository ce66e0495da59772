"""What mlxtend finds on the same baskets."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pandas as pd

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run

NOT_INSTALLED = "mlxtend is not installed here. Install it with pip install mlxtend."


def mlxtend_answers(run: Run, name: str) -> Answers:
    """Return what a function of ``mlxtend.frequent_patterns`` finds, with the attributes of our miners.

    Parameters
    ----------
    run : Run
        Steps of a miner with ``min_support`` and ``max_length``.
    name : str
        ``apriori`` or ``fpgrowth``.

    Raises
    ------
    Incomparable
        If mlxtend is not installed: the dashboard does not need it.
    """
    model, X = run.model, run.problem.data
    try:
        frequent_patterns = import_module("mlxtend.frequent_patterns")
    except ImportError:
        raise Incomparable(NOT_INSTALLED) from None
    mine = getattr(frequent_patterns, name)
    found = mine(
        pd.DataFrame(X.to_numpy()), min_support=model.min_support, max_len=model.max_length
    )
    sets = [tuple(sorted(items)) for items in found["itemsets"]]
    order = sorted(range(len(sets)), key=lambda i: (len(sets[i]), sets[i]))
    membership = np.zeros((len(sets), X.shape[1]), bool)
    for row, i in zip(membership, order, strict=True):
        row[list(sets[i])] = True
    supports = found["support"].to_numpy(float)[order]
    values = {"n_itemsets_": len(sets), "support_": supports, "membership_": membership}
    return Answers(f"mlxtend.frequent_patterns.{name}", values)
