"""Splits as in QUEST: the column by tests of significance, then where to divide it by a discriminant analysis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log10

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.trees.frontier import Frontier, Table, sums
from dmlib.trees.groupings import Grouping, by_value
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.rules import Rules
from dmlib.trees.significance import chi2_score, chi2_table, f_score
from dmlib.trees.splits import Split
from dmlib.trees.thresholds import better_side

NOTHING = 1e-12
"""Variances of values between -1 and 1 up to which nothing varies."""


@dataclass(frozen=True)
class Cut:
    """Where two normal distributions with the same density divide a line."""

    # the classes on the side of the smaller mean, and the others
    first: tuple[int, ...]
    second: tuple[int, ...]
    # of these two
    weights: tuple[float, float]
    means: tuple[float, float]
    variances: tuple[float, float]
    place: float  # up to here goes the first branch


@dataclass(frozen=True)
class QuestTest:
    """How significant a column is, and how it is divided."""

    # "F", "chi2", "Levene": whether means differ, or frequencies; where nothing else is
    # significant, whether spreads do
    kind: str
    statistic: float
    dof: tuple[float, ...]  # its degrees of freedom
    plain: float  # -log10 of the p-value
    factor: int  # how many tests there are; the p-value is multiplied by this (Bonferroni)
    cut: Cut | None = None  # where the column is divided; None where it cannot be
    # of a nominal column, the place of each value on the first discriminant coordinate; NaN if it
    # does not occur
    coordinates: tuple[float, ...] = ()

    @property
    def score(self) -> float:
        """-log10 of the adjusted p-value."""
        return max(0.0, self.plain - log10(self.factor))


def analysis_of_variance(x: Floats, labels: Ints, weights: Floats) -> tuple[float, int, float]:
    """Return F and the degrees of freedom between and within groups of values that count by their weights.

    Examples
    --------
    >>> f, *dof = analysis_of_variance(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1]), np.ones(4))
    >>> round(f, 6), dof
    (8.0, [1, 2.0])
    """
    x, sizes = _between(x)[0], np.bincount(labels, weights)
    there = sizes > 0
    means = np.bincount(labels, weights * x) / np.where(there, sizes, 1.0)
    mean = float(np.average(x, weights=weights))
    between = float((sizes * (means - mean) ** 2).sum())
    within = float((weights * (x - means[labels]) ** 2).sum())
    k, n = int(there.sum()), float(sizes.sum())
    nothing = NOTHING * n
    if k < 2 or n <= k or between <= nothing:
        return 0.0, k - 1, n - k
    return (
        (float("inf") if within <= nothing else between / (k - 1) / (within / (n - k))),
        k - 1,
        n - k,
    )


def _between(x: Floats) -> tuple[Floats, float, float]:
    """Return values moved and scaled to lie between -1 and 1, and their middle and half range: no square overflows."""
    low, high = float(x.min()), float(x.max())
    middle, half = low / 2 + high / 2, high / 2 - low / 2
    return (x - middle) / half if half > 0 else np.zeros(len(x)), middle, half


def discriminant_coordinates(counts: Floats) -> Floats:
    """Return the place of each value on the coordinate that separates the classes most: the first CRIMCOORD.

    ``counts`` has the weight of each class (columns) for each value (rows). Values that do not
    occur are at NaN; the first that does is not positive.

    Notes
    -----
    The discriminant analysis of the indicators of the values is the singular value decomposition of
    the standardised table, as in correspondence analysis.
    """
    there, some = counts.sum(axis=1) > 0, counts.sum(axis=0) > 0
    table = counts[there][:, some] / counts.sum()
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    standard = (table - np.outer(rows, columns)) / np.sqrt(np.outer(rows, columns))
    places = np.linalg.svd(standard, full_matrices=False)[0][:, 0] / np.sqrt(rows)
    out = np.full(len(counts), np.nan)
    out[there] = places if places[0] <= 0 else -places
    return out


def divide_normals(x: Floats, labels: Ints, weights: Floats) -> Cut | None:
    """Return where to cut weighted values so that two groups of classes, taken as normal, are told apart best.

    Notes
    -----
    More than two classes make two groups by the 2-means clustering of their means. Of two places
    with equal density the one nearer to the smaller mean is taken, or halfway between the means
    where neither divides the rows.

    References
    ----------
    W.-Y. Loh and Y.-S. Shih (1997), Split selection methods for classification trees, algorithm 3.

    Examples
    --------
    >>> divide_normals(np.array([0.0, 2.0, 4.0, 6.0]), np.array([0, 0, 1, 1]), np.ones(4)).place
    3.0
    """
    if not len(x) or x.min() == x.max():
        return None
    raw, (x, middle, half) = x, _between(x)
    if half == 0:
        return None
    first = _first_group(x, labels, weights)
    side = np.isin(labels, first)
    if side.all():
        return None
    (n, mean, variance), other = (
        _moments(x[side], weights[side]),
        _moments(x[~side], weights[~side]),
    )
    if mean > other[1]:
        side = ~side
        (n, mean, variance), other = other, (n, mean, variance)
    place = middle + half * _place((n, mean, variance), other, x)
    if not raw.min() <= place < raw.max():
        place = float(np.nextafter(raw.max(), -np.inf))
    groups = tuple(tuple(np.unique(labels[part]).tolist()) for part in (side, ~side))
    means = middle + half * mean, middle + half * other[1]
    return Cut(
        groups[0],
        groups[1],
        (n, other[0]),
        means,
        (half * variance * half, half * other[2] * half),
        place,
    )


def _first_group(x: Floats, labels: Ints, weights: Floats) -> Ints:
    """Return the classes of the first of two groups: those with smaller means, or the largest if all are alike."""
    classes = np.unique(labels)
    sizes = np.bincount(labels, weights)[classes]
    means = np.bincount(labels, weights * x)[classes] / sizes
    if np.ptp(means) <= 1e-9:
        return classes[[sizes.argmax()]]
    order = means.argsort(kind="stable")
    if len(classes) == 2:
        return classes[order[:1]]
    spreads = [
        sum(part.var() * len(part) for part in np.split(means[order], [cut]))
        for cut in range(1, len(classes))
    ]
    return classes[order[: 1 + int(np.argmin(spreads))]]


def _moments(x: Floats, weights: Floats) -> tuple[float, float, float]:
    n, mean = float(weights.sum()), float(np.average(x, weights=weights))
    return (
        n,
        mean,
        float((weights * (x - mean) ** 2).sum() / max(n - 1, 1e-9)) if np.ptp(x) > 0 else 0.0,
    )


def _place(
    first: tuple[float, float, float], second: tuple[float, float, float], x: Floats
) -> float:
    """Return where the densities of two normal distributions, times their weights, are equal."""
    (n, mean, variance), (m, other, spread) = first, second
    middle = (mean + other) / 2
    if min(variance, spread) <= NOTHING:  # one group has a single value: it is cut off
        value = mean if variance <= spread else other
        near = x[np.abs(x - value).argmin()]
        beyond = x[x > near] if variance <= spread else x[x < near]
        ends = (
            (near, beyond.min() if variance <= spread else beyond.max())
            if len(beyond)
            else (middle, middle)
        )
        roots = [(ends[0] + ends[1]) / 2]
    elif abs(variance - spread) <= 1e-9 * variance:
        roots = [middle + variance * np.log(n / m) / (other - mean)] if other > mean else [mean]
    else:
        a, b = variance - spread, 2 * (mean * spread - other * variance)
        c = (
            other**2 * variance
            - mean**2 * spread
            + 2 * variance * spread * np.log(n / m * np.sqrt(spread / variance))
        )
        inside = b * b - 4 * a * c
        roots = [(-b + sign * np.sqrt(inside)) / (2 * a) for sign in (1, -1)] if inside >= 0 else []
    for root in sorted(roots, key=lambda root: abs(root - mean))[:1]:
        if x.min() <= root < x.max():
            return float(root)
    return middle


def quest(table: Table, frontier: Frontier, rules: Rules) -> dict[int, Grouping]:
    """Return the split of every column in every node of a level, and how significant the column is there.

    Notes
    -----
    O(n) per column and level. Where neither a mean nor a frequency differs significantly, the
    spreads of the numeric columns are compared (Levene).
    """
    columns = [_Column(table, frontier, rules, column) for column in range(len(table.n_values))]
    enough = -log10(rules.alpha_split)
    for node in range(frontier.n_nodes):
        tests = [column.test(node, len(columns)) for column in columns]
        if max(test.score for test in tests) < enough:
            factor = len(columns) + len(table.numeric)
            tests = [
                column.spread(node, factor) or test
                for column, test in zip(columns, tests, strict=True)
            ]
        for column, test in zip(columns, tests, strict=True):
            column.add(node, test)
    return {column.number: column.grouping() for column in columns}


class _Column:
    """One column in all nodes of a level."""

    def __init__(self, table: Table, frontier: Frontier, rules: Rules, number: int) -> None:
        self.frontier, self.rules, self.number = frontier, rules, number
        self.x, self.n_values = table.values(number, frontier.rows, rules.category)
        self.splits: list[Split | None] = []
        self.tests: list[QuestTest] = []
        self.branches = np.zeros((2, frontier.n_labels, frontier.n_nodes))
        if self.n_values:
            self.counts = by_value(frontier, self.x, self.n_values)[0]
        self.apart = (
            rules.category and bool(self.n_values) and self.n_values > table.n_values[number]
        )

    def _known(self, node: int) -> Ints:
        return np.flatnonzero(
            (self.frontier.nodes == node) & (self.x >= 0 if self.n_values else ~np.isnan(self.x))
        )

    def test(self, node: int, factor: int) -> QuestTest:
        """Test whether the means of the classes differ, or the frequencies of the values."""
        if self.n_values:
            statistic, dof = chi2_table(self.counts[node])
            return QuestTest("chi2", statistic, (dof,), chi2_score(statistic, dof), factor)
        return self._variance("F", self.x, node, factor)

    def spread(self, node: int, factor: int) -> QuestTest | None:
        """Test whether the spreads of the classes of a numeric column differ."""
        if self.n_values:
            return None
        mine = self._known(node)
        labels, weights = self.frontier.labels[mine], self.frontier.weights[mine]
        if not len(mine):
            return None
        x, apart = _between(self.x[mine])[0], self.x.copy()
        means = np.bincount(labels, weights * x) / np.maximum(np.bincount(labels, weights), NOTHING)
        apart[mine] = np.abs(x - means[labels])
        return self._variance("Levene", apart, node, factor)

    def _variance(self, kind: str, x: Floats, node: int, factor: int) -> QuestTest:
        mine = self._known(node)
        if not len(mine):
            return QuestTest(kind, 0.0, (0, 0), 0.0, factor)
        statistic, between, within = analysis_of_variance(
            x[mine], self.frontier.labels[mine], self.frontier.weights[mine]
        )
        return QuestTest(
            kind, statistic, (between, within), f_score(statistic, between, within), factor
        )

    def add(self, node: int, test: QuestTest) -> None:
        """Divide the column in a node."""
        mine = self._known(node)
        labels, weights = self.frontier.labels[mine], self.frontier.weights[mine]
        x, places = self.x[mine], np.empty(0)
        if self.n_values and len(mine):
            places = discriminant_coordinates(self.counts[node])
            x = places[x.astype(np.intp)]
        cut = divide_normals(x, labels, weights)
        self.tests.append(replace(test, cut=cut, coordinates=tuple(places.tolist())))
        self.splits.append(None)
        if cut is None:
            return
        cells = (x > cut.place) * self.frontier.n_labels + labels
        branches = sums(cells, weights, 2 * self.frontier.n_labels).reshape(2, -1)
        sizes = sums((x > cut.place).astype(np.intp), self.frontier.shares[mine], 2)
        if not self.rules.enough(sizes, branches.sum(axis=1)).all():
            return
        self.branches[:, :, node] = branches
        if self.n_values:
            sides = np.where(np.isnan(places), -1, places > cut.place).tolist()
            last = sides.pop() if self.apart else -1
            self.splits[-1] = Split(self.number, branches=tuple(sides), missing=last)
            return
        side = -1
        if self.rules.category:
            lost = np.maximum(self.frontier.counts[node] - branches.sum(axis=0), 0.0)
            both, found = better_side(branches[:, :, None], lost[:, None], CRITERIA["gini"].score)
            self.branches[:, :, node], side = both[:, :, 0], int(found[0])
        self.splits[-1] = Split(self.number, (cut.place,), missing=side)

    def grouping(self) -> Grouping:
        """Return the splits in all nodes."""
        allowed = np.array([split is not None for split in self.splits], bool)
        scores = np.array([test.score for test in self.tests], float)
        return Grouping(self.number, self.splits, self.branches, allowed, scores, list(self.tests))
