"""Item sets that mlxtend mines, in our order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd


def itemset_values(table: pd.DataFrame, n_items: int) -> dict[str, Any]:
    """Return mined item sets, smaller ones first, with the attributes of our miners.

    Parameters
    ----------
    table : DataFrame
        What a miner of mlxtend returns: ``support`` and ``itemsets``, sets of column numbers.
    n_items : int
        The number of items.

    Examples
    --------
    >>> sets = [frozenset({0, 1}), frozenset({1})]
    >>> table = pd.DataFrame({"support": [0.5, 1.0], "itemsets": sets})
    >>> values = itemset_values(table, 2)
    >>> values["support_"].tolist(), values["membership_"].tolist()
    ([1.0, 0.5], [[False, True], [True, True]])
    """
    sets = [sorted(items) for items in table["itemsets"]]
    order = sorted(range(len(sets)), key=lambda i: (len(sets[i]), sets[i]))
    membership = np.zeros((len(sets), n_items), bool)
    for row, i in enumerate(order):
        membership[row, sets[i]] = True
    supports = table["support"].to_numpy(float)[order]
    return {"n_itemsets_": len(sets), "support_": supports, "membership_": membership}
