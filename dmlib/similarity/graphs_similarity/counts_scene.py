"""The counts of a graph kernel as bars, those of the first graph above those of the second."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Bytes
from dmlib.pictures.marks import NO_CLASS, Mark, Rects, Texts
from dmlib.pictures.places import visible_if
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot
from dmlib.problem.texts import shortened
from dmlib.similarity.graphs_similarity.nodes_scene import bars
from dmlib.similarity.graphs_similarity.rounds_ledger import KernelCounts

NAME = 20  # characters of a feature
MIN_ROWS = 3


def counts_plot(counts: KernelCounts) -> Plot:
    """Return the counts of the features of each round."""
    rounds = [names[counts.bars] for names in counts.names]
    n_rows = max(MIN_ROWS, *map(len, rounds))
    counters = [counter for round_ in counts.rounds for counter in round_.counts]
    top = max([1, *(times for counter in counters for times in counter.values())])
    texts = [_texts(names, n_rows, top) for names in rounds]

    def marks(moment: Moment) -> list[Mark]:
        k = counts.at(moment.step)
        names = [visible_if(i == k, text) for i, text in enumerate(texts)]
        return [_bars(counts, k, 0, n_rows), _bars(counts, k, 1, n_rows), *names]

    return Plot(_panel(counts, rounds, n_rows, top), marks)


def _panel(counts: KernelCounts, rounds: list[list[str]], n_rows: int, top: int) -> Panel:
    longest = max([1, *(min(len(name), NAME) for names in rounds for name in names)])
    room = 0.08 + 0.03 * longest  # for names, as a share of the longest bar
    name = "Walks of each with itself" if counts.counts_walks else "Counts"
    title = f"{name}: first above second"
    across = Axis("count", -room * top, 1.1 * top, integer=True)
    return Panel("counts", across, Axis("", -0.7, n_rows - 0.3), title=title)


def _texts(names: list[str], n_rows: int, top: int) -> Texts:
    return Texts(
        panel="counts",
        x=np.full(len(names), -0.02 * top),
        y=n_rows - 1.0 - np.arange(len(names)),
        text=[shortened(name, NAME) for name in names],
        anchor="end",
    )


def _bars(counts: KernelCounts, k: int, side: int, n_rows: int) -> Rects:
    """Return the counts of a graph in a round."""
    names = counts.names[k][counts.bars]
    up = n_rows - 1 - np.arange(len(names), dtype=float) + (0.2, -0.2)[side]
    return bars(
        "counts",
        np.array([float(counts.counts[k][side][name]) for name in names]),
        up,
        half=0.18,
        color=_colors(counts, k, names),
        opacity=[(0.95, 0.5)[side]],
        numbers=np.arange(1, len(counts.names[k]) + 1)[counts.bars],
        of="round" if counts.counts_walks else "count",
    )


def _colors(counts: KernelCounts, k: int, names: list[str]) -> Bytes:
    if not counts.relabels:
        return np.full(len(names), 2, np.uint8)
    colors = counts.label_colors[k]
    return np.array([colors.get(int(name), NO_CLASS) for name in names], np.uint8)
