"""Splits as in QUEST: the column by tests of significance, its cut by a discriminant analysis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log10
from typing import Literal, NamedTuple, cast

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.trees.frontier import Frontier, Table, sums
from dmlib.trees.groupings import Grouping, by_value
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.rules import Rules
from dmlib.trees.significance import chi2_score, chi2_table, f_score
from dmlib.trees.splits import Split
from dmlib.trees.thresholds import better_side

NO_VARIANCE = 1e-12
"""Variances of values between -1 and 1 up to which they count as 0."""

NEAR = 10
"""Within so many standard deviations of it values are a single one, which sums of columns only
are up to rounding."""


@dataclass(frozen=True)
class Cut:
    """The place where the densities of two normal distributions are equal."""

    # the classes on the side of the smaller mean, and on the opposite one
    first: tuple[int, ...]
    second: tuple[int, ...]
    # of these two groups
    weights: tuple[float, float]
    means: tuple[float, float]
    variances: tuple[float, float]
    place: float  # the upper end of the first branch


@dataclass(frozen=True)
class QuestTest:
    """The significance of a column, and how it is divided."""

    # the differences that are tested: of means, of frequencies; where none is significant, of
    # variances
    kind: Literal["F", "chi2", "Levene"]
    statistic: float
    dof: tuple[float, ...]  # its degrees of freedom
    plain: float  # -log10 of the p-value
    factor: int  # the number of tests, by which the p-value is multiplied (Bonferroni)
    cut: Cut | None = None  # where the column is divided; None where it cannot be
    # of a nominal column, the first discriminant coordinate of each value; NaN if it does not occur
    coordinates: tuple[float, ...] = ()

    @property
    def score(self) -> float:
        """-log10 of the adjusted p-value."""
        return max(0.0, self.plain - log10(self.factor))


def analysis_of_variance(x: Floats, labels: Ints, weights: Floats) -> tuple[float, int, float]:
    """Return F and its degrees of freedom, between and within groups of weighted values.

    Examples
    --------
    >>> x, labels = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1])
    >>> f, *dof = analysis_of_variance(x, labels, np.ones(4))
    >>> round(f, 6), dof
    (8.0, [1, 2.0])
    """
    x, sizes = _between(x)[0], np.bincount(labels, weights)
    occurs = sizes > 0
    means = np.bincount(labels, weights * x) / np.where(occurs, sizes, 1.0)
    mean = float(np.average(x, weights=weights))
    between = float((sizes * (means - mean) ** 2).sum())
    within = float((weights * (x - means[labels]) ** 2).sum())
    k, n = int(occurs.sum()), float(sizes.sum())
    no_variance = NO_VARIANCE * n
    if k < 2 or n <= k or between <= no_variance:
        return 0.0, k - 1, n - k
    if within <= no_variance:
        return float("inf"), k - 1, n - k
    return between / (k - 1) / (within / (n - k)), k - 1, n - k


def _between(x: Floats) -> tuple[Floats, float, float]:
    """Return values scaled to [-1, 1], so that no square overflows, their middle and half range."""
    low, high = float(x.min()), float(x.max())
    middle, half = low / 2 + high / 2, high / 2 - low / 2
    return (x - middle) / half if half > 0 else np.zeros(len(x)), middle, half


def discriminant_coordinates(counts: Floats) -> Floats:
    """Return the first discriminant coordinate (CRIMCOORD) of each value.

    ``counts`` has the weight of each class (columns) for each value (rows). Values that do not
    occur are NaN; the first that does is not positive.

    Notes
    -----
    The discriminant analysis of the indicators of the values is the singular value decomposition of
    the standardised table, as in correspondence analysis.
    """
    row_occurs, class_occurs = counts.sum(axis=1) > 0, counts.sum(axis=0) > 0
    table = counts[row_occurs][:, class_occurs] / counts.sum()
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    standard = (table - np.outer(rows, columns)) / np.sqrt(np.outer(rows, columns))
    places = np.linalg.svd(standard, full_matrices=False)[0][:, 0] / np.sqrt(rows)
    out = np.full(len(counts), np.nan)
    out[row_occurs] = places if places[0] <= 0 else -places
    return out


def divide_normals(x: Floats, labels: Ints, weights: Floats) -> Cut | None:
    """Return the cut between two groups of classes by a quadratic discriminant analysis.

    The values of the groups are taken as normally distributed.

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
    lower, upper = (_moments(x[part], weights[part]) for part in (side, ~side))
    if lower.mean > upper.mean:
        side, lower, upper = ~side, upper, lower
    place = middle + half * _place(lower, upper, x)
    if not raw.min() <= place < raw.max():
        place = float(np.nextafter(raw.max(), -np.inf))
    groups = tuple(tuple(np.unique(labels[part]).tolist()) for part in (side, ~side))
    return Cut(
        groups[0],
        groups[1],
        (lower.n, upper.n),
        (middle + half * lower.mean, middle + half * upper.mean),
        (half * lower.variance * half, half * upper.variance * half),
        place,
    )


def _first_group(x: Floats, labels: Ints, weights: Floats) -> Ints:
    """Return the classes of the group with smaller means; if all are equal, the largest class."""
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


class Moments(NamedTuple):
    """The weight, mean and variance of a group of values."""

    n: float
    mean: float
    variance: float


def _moments(x: Floats, weights: Floats) -> Moments:
    n, mean = float(weights.sum()), float(np.average(x, weights=weights))
    if np.ptp(x) == 0:
        return Moments(n, mean, 0.0)
    return Moments(n, mean, float((weights * (x - mean) ** 2).sum() / max(n - 1, 1e-9)))


def _place(lower: Moments, upper: Moments, x: Floats) -> float:
    """Return the cut between two groups; halfway between the means where none divides the rows."""
    middle = (lower.mean + upper.mean) / 2
    if min(lower.variance, upper.variance) <= NO_VARIANCE:
        roots = [_beside_single_value(lower, upper, x)]
    else:
        roots = equal_densities(lower, upper)
    nearest = min(roots, key=lambda root: abs(root - lower.mean), default=middle)
    return float(nearest) if x.min() <= nearest < x.max() else middle


def _beside_single_value(lower: Moments, upper: Moments, x: Floats) -> float:
    """Return the cut beside a group that has a single value."""
    is_lower = lower.variance <= upper.variance
    value = lower.mean if is_lower else upper.mean
    value = x[np.abs(x - value).argmin()]
    near = NEAR * np.sqrt(min(lower.variance, upper.variance))
    beyond = x[x > value + near] if is_lower else x[x < value - near]
    if not len(beyond):
        return (lower.mean + upper.mean) / 2
    return float((value + (beyond.min() if is_lower else beyond.max())) / 2)


def equal_densities(lower: Moments, upper: Moments) -> list[float]:
    """Return where the densities of two normal distributions, times their weights, are equal.

    Examples
    --------
    >>> equal_densities(Moments(2, 0.0, 1.0), Moments(2, 4.0, 1.0))
    [2.0]
    """
    (n, mean, variance), (m, upper_mean, upper_variance) = lower, upper
    if abs(variance - upper_variance) <= 1e-9 * variance:
        if upper_mean <= mean:
            return [mean]
        place = (mean + upper_mean) / 2 + variance * np.log(n / m) / (upper_mean - mean)
        return [float(place)]
    a, b = variance - upper_variance, 2 * (mean * upper_variance - upper_mean * variance)
    log_ratio = np.log(n / m * np.sqrt(upper_variance / variance))
    c = (
        upper_mean**2 * variance
        - mean**2 * upper_variance
        + 2 * variance * upper_variance * log_ratio
    )
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return []
    return [float((-b + sign * np.sqrt(discriminant)) / (2 * a)) for sign in (1, -1)]


def quest(table: Table, frontier: Frontier, rules: Rules) -> dict[int, Grouping]:
    """Return the split of every column in every node of a level, with its significance.

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
            factor = len(columns) + len(table.numeric) + len(table.orders)
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
        self.order = table.orders.get(number)
        is_category = rules.category and self.order is None
        self.x, self.n_values = table.values(number, frontier.rows, is_category)
        if self.order is not None:  # by their ranks, values are compared as numbers are
            self.x, self.n_values = self._ranks(self.x), 0
        self.splits: list[Split | None] = []
        self.tests: list[QuestTest] = []
        self.branches = np.zeros((2, frontier.n_labels, frontier.n_nodes))
        if self.n_values:
            self.counts = by_value(frontier, self.x, self.n_values)[0]
        is_nominal = self.n_values > 0
        self.has_category = rules.category and is_nominal and self.n_values > table.n_values[number]

    def _ranks(self, codes: Floats) -> Floats:
        """Return the places of codes in the order of an ordinal column, from 1."""
        ranks = np.append(np.argsort(cast(Ints, self.order)) + 1.0, np.nan)
        return ranks[np.where(codes >= 0, codes, -1).astype(np.intp)]

    def _entries(self, node: int) -> Ints:
        """Return the entries in a node whose value is not missing."""
        has_value = self.x >= 0 if self.n_values else ~np.isnan(self.x)
        return np.flatnonzero((self.frontier.nodes == node) & has_value)

    def test(self, node: int, factor: int) -> QuestTest:
        """Test whether the means of the classes differ, or the frequencies of the values."""
        if self.n_values:
            statistic, dof = chi2_table(self.counts[node])
            return QuestTest("chi2", statistic, (dof,), chi2_score(statistic, dof), factor)
        return self._variance("F", self.x, node, factor)

    def spread(self, node: int, factor: int) -> QuestTest | None:
        """Test whether the variances of the classes of a numeric column differ."""
        if self.n_values:
            return None
        entries = self._entries(node)
        labels, weights = self.frontier.labels[entries], self.frontier.weights[entries]
        if not len(entries):
            return None
        x, deviations = _between(self.x[entries])[0], self.x.copy()
        means = np.bincount(labels, weights * x) / np.maximum(
            np.bincount(labels, weights), NO_VARIANCE
        )
        deviations[entries] = np.abs(x - means[labels])
        return self._variance("Levene", deviations, node, factor)

    def _variance(
        self, kind: Literal["F", "Levene"], x: Floats, node: int, factor: int
    ) -> QuestTest:
        entries = self._entries(node)
        if not len(entries):
            return QuestTest(kind, 0.0, (0, 0), 0.0, factor)
        statistic, between, within = analysis_of_variance(
            x[entries], self.frontier.labels[entries], self.frontier.weights[entries]
        )
        return QuestTest(
            kind, statistic, (between, within), f_score(statistic, between, within), factor
        )

    def add(self, node: int, test: QuestTest) -> None:
        """Divide the column in a node."""
        entries = self._entries(node)
        labels, weights = self.frontier.labels[entries], self.frontier.weights[entries]
        x, places = self.x[entries], np.empty(0)
        if self.n_values and len(entries):
            places = discriminant_coordinates(self.counts[node])
            x = places[x.astype(np.intp)]
        cut = divide_normals(x, labels, weights)
        self.tests.append(replace(test, cut=cut, coordinates=tuple(places.tolist())))
        self.splits.append(None)
        if cut is None:
            return
        cells = (x > cut.place) * self.frontier.n_labels + labels
        branches = sums(cells, weights, 2 * self.frontier.n_labels).reshape(2, -1)
        sizes = sums((x > cut.place).astype(np.intp), self.frontier.shares[entries], 2)
        if not self.rules.enough(sizes, branches.sum(axis=1)).all():
            return
        self.branches[:, :, node] = branches
        if self.n_values:
            sides = np.where(np.isnan(places), -1, places > cut.place).tolist()
            last = sides.pop() if self.has_category else -1
            self.splits[-1] = Split(self.number, branches=tuple(sides), missing=last)
            return
        side = -1
        if self.rules.category:
            missing = np.maximum(self.frontier.counts[node] - branches.sum(axis=0), 0.0)
            with_missing, sides_of_missing = better_side(
                branches[:, :, None], missing[:, None], CRITERIA["gini"].score
            )
            self.branches[:, :, node], side = with_missing[:, :, 0], int(sides_of_missing[0])
        self.splits[-1] = Split(self.number, (cut.place,), missing=side)
        if self.order is not None:
            ranks = np.arange(len(self.order)) + 1
            sides = np.where(np.isin(ranks, x), ranks > cut.place, -1)
            by_code = tuple(sides[np.argsort(self.order)].tolist())
            self.splits[-1] = Split(self.number, branches=by_code, missing=side)

    def grouping(self) -> Grouping:
        """Return the splits in all nodes."""
        allowed = np.array([split is not None for split in self.splits], bool)
        scores = np.array([test.score for test in self.tests], float)
        return Grouping(self.number, self.splits, self.branches, allowed, scores, list(self.tests))
