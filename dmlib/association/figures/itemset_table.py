"""The frequent item sets as a table: support, maximal, closed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import CLEAR, MUTED, finish, plain
from dmlib.pictures.run import AnyRun

MAX_SETS = 200


def names_of(items: Sequence[str], membership: NDArray[np.bool_]) -> list[str]:
    """Return item sets as labels.

    Examples
    --------
    >>> names_of(("tea", "milk"), np.array([[True, False], [True, True]]))
    ['tea', 'tea, milk']
    """
    return [", ".join(plain(items[j]) for j in np.flatnonzero(row).tolist()) for row in membership]


def itemset_table(run: AnyRun) -> go.Figure:
    """Draw the table of frequent item sets, those with the highest support first."""
    model = run.fitted
    if not model.n_itemsets_:
        raise ValueError("No item set is frequent. Lower min_support.")
    order = np.argsort(-model.support_, kind="stable")[:MAX_SETS]
    columns = {
        "item set": names_of(run.problem.items, model.membership_[order]),
        "items": model.membership_[order].sum(axis=1),
        "support": [f"{support:.4g}" for support in model.support_[order]],
        "maximal": np.where(model.maximal_[order], "yes", ""),
        "closed": np.where(model.closed_[order], "yes", ""),
    }
    style = {"align": "left", "fill_color": CLEAR, "line_color": MUTED}
    table = go.Table(
        columnwidth=[4, 1, 1.5, 1.5, 1.5],
        header={"values": list(columns), **style},
        cells={"values": list(columns.values()), **style},
    )
    n_maximal, n_closed = model.maximal_.sum(), model.closed_.sum()
    title = f"{n_maximal} maximal and {n_closed} closed of {model.n_itemsets_} frequent item sets"
    note = "Maximal: no superset is frequent. Closed: every superset has a smaller support."
    if model.n_itemsets_ > MAX_SETS:
        note += f" The {MAX_SETS} with the highest support."
    return finish(go.Figure(table), title, note, 420)
