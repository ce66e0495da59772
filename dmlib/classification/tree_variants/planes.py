"""Planes between two groups of classes: by a linear programme, or by QUEST's discriminants."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import eigh
from scipy.optimize import linprog

from dmlib.arrays import Floats
from dmlib.trees.quest import Cut, divide_normals

RIDGE = 1e-6  # added to the scatter within classes, beside its mean: then it has an inverse
NO_SLACK = 1e-6  # slacks up to which a row counts as beyond its margin: the solver's tolerance
NO_WEIGHT = 1e-6  # the longest vector of weights, of standardised columns, that counts as 0
SAME = 1e-9  # means of standardised columns whose ranges are smaller are equal


Groups = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of the classes on the side ``w @ x <= threshold``, and of those on the other one."""


@dataclass(frozen=True)
class Plane:
    """A plane ``weights @ x = threshold`` between two groups of classes."""

    groups: Groups
    sizes: tuple[int, int]  # the rows of each group
    weights: Floats  # (n_terms,), of length 1; 0 where there is no plane
    threshold: float

    @property
    def is_found(self) -> bool:
        """Whether there is a plane."""
        return bool(self.weights.any())


@dataclass(frozen=True)
class Programme(Plane):
    """The plane with the smallest average slacks of two groups of rows."""

    # the distance of each margin from the plane, 1 / ||w|| for the w of the programme; infinite
    # where w = 0 is optimal, as the means of both groups are equal
    margin: float
    slacks: Floats  # (n_samples,): what each row lacks of its side of its margin, times ||w||
    totals: tuple[float, float]  # the sums of the slacks of each group

    @property
    def objective(self) -> float:
        """The sum of the average slacks of both groups: 0 if the plane separates them."""
        return sum(total / size for total, size in zip(self.totals, self.sizes, strict=True))


@dataclass(frozen=True)
class Discriminant(Plane):
    """The plane across the discriminant of two groups of rows where their densities are equal."""

    cut: Cut | None  # along the weights; None where all rows have one place there


def standardised(X: Floats) -> tuple[Floats, Floats, Floats]:
    """Return rows with standardised columns, their means, and their standard deviations.

    Constant columns become 0, and their standard deviation is infinite.

    Examples
    --------
    >>> Z, middle, scale = standardised(np.array([[1.0, 5.0], [3.0, 5.0]]))
    >>> Z.tolist(), middle.tolist(), scale.tolist()
    ([[-1.0, 0.0], [1.0, 0.0]], [2.0, 5.0], [1.0, inf])
    """
    middle, spread = X.mean(axis=0), X.std(axis=0)
    scale = np.where(spread > 1e-12 * np.maximum(np.abs(middle), 1e-300), spread, np.inf)
    return (X - middle) / scale, middle, scale


def superclasses(Z: Floats, indicator: Floats) -> NDArray[np.bool_]:
    """Return which classes are in the second of two groups, shape (n_classes,).

    Notes
    -----
    The means of more than two classes are divided by 2-means, which begins with the two that are
    farthest apart. If all means are equal, the largest class is the first group.

    Examples
    --------
    >>> Z = np.array([[0.0], [1.0], [1.5], [9.0]])
    >>> superclasses(Z, np.eye(4)).tolist()
    [False, False, False, True]
    """
    sizes = indicator.sum(axis=0)
    present = np.flatnonzero(sizes)
    second = np.zeros(len(sizes), bool)
    means = (indicator.T @ Z)[present] / sizes[present, None]
    if np.ptp(means, axis=0).max() <= SAME:
        second[present] = present != sizes.argmax()
    elif len(present) == 2:
        second[present[1]] = True
    else:
        second[present] = _in_two(means)
    return second


def _in_two(means: Floats) -> NDArray[np.bool_]:
    """Divide places by 2-means; the first place is in the first group."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import pairwise_distances

    apart = pairwise_distances(means)
    farthest = means[list(np.unravel_index(apart.argmax(), apart.shape))]
    labels = KMeans(2, init=farthest, n_init=1).fit(means).labels_
    second: NDArray[np.bool_] = labels != labels[0]
    return second


def discriminant(Z: Floats, indicator: Floats) -> Floats:
    """Return the direction of the first linear discriminant, of length 1.

    Examples
    --------
    >>> Z = np.array([[0.0, 0.0], [2.0, 1.0], [0.0, 4.0], [2.0, 5.0]])
    >>> indicator = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> discriminant(Z, indicator).round(3).tolist()
    [-0.447, 0.894]
    """
    sizes = indicator.sum(axis=0)
    present = sizes > 0
    means = (indicator.T @ Z)[present] / sizes[present, None]
    centred = Z - indicator[:, present] @ means
    within = centred.T @ centred / len(Z)
    within += (RIDGE * max(float(np.trace(within)) / len(within), 1.0)) * np.eye(len(within))
    between = (means - Z.mean(axis=0)) * np.sqrt(sizes[present, None] / len(Z))
    w: Floats = eigh(between.T @ between, within)[1][:, -1]
    w = w / np.linalg.norm(w)
    turned: Floats = w * np.sign(w[np.abs(w).argmax()])
    return turned


def linear_programme(X: Floats, indicator: Floats) -> Programme:
    r"""Return the plane between two groups of classes by robust linear programming.

    With :math:`s_i = 1` for the m rows of the first group and -1 for the k of the second,

    .. math:: \min_{w, \gamma, y} \sum_i \frac{y_i}{n_i} \quad \text{so that} \quad
        s_i (w^\top x_i - \gamma) - y_i \le -1, \; y_i \ge 0

    where :math:`n_i` is m or k.

    Notes
    -----
    Without the divisors, :math:`w = 0` would be optimal wherever one group has many more rows; with
    them only where the means of both are equal. Of several optimal planes the solver chooses one.

    References
    ----------
    K. P. Bennett and O. L. Mangasarian (1992), Robust linear programming discrimination of two
    linearly inseparable sets.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [4.0, 0.0], [4.0, 1.0]])
    >>> programme = linear_programme(X, np.repeat(np.eye(2), 2, axis=0))
    >>> programme.objective, programme.weights.round(6).tolist(), round(programme.threshold, 6)
    (0.0, [1.0, 0.0], 2.0)
    """
    Z, middle, scale = standardised(X)
    in_second = superclasses(Z, indicator)
    is_second = in_second[indicator.argmax(axis=1)]
    n, n_terms = Z.shape
    sizes = n - int(is_second.sum()), int(is_second.sum())
    signs = np.where(is_second, -1.0, 1.0)
    answer = linprog(
        np.concatenate([np.zeros(n_terms + 1), 1 / np.where(is_second, sizes[1], sizes[0])]),
        A_ub=sparse.hstack(
            [signs[:, None] * np.column_stack([Z, -np.ones(n)]), -sparse.eye_array(n)], format="csr"
        ),
        b_ub=-np.ones(n),
        bounds=[(None, None)] * (n_terms + 1) + [(0, None)] * n,
        method="highs-ds",
    )
    solution: Floats = np.zeros(n_terms + 1) if answer.x is None else answer.x[: n_terms + 1]
    w, height = solution[:-1], float(solution[-1])
    if np.linalg.norm(w) <= NO_WEIGHT:
        w = np.zeros(n_terms)
    slacks = np.maximum(1 + signs * (Z @ w - height), 0.0)
    slacks[slacks <= NO_SLACK] = 0.0
    totals = float(slacks[~is_second].sum()), float(slacks[is_second].sum())
    length = float(np.linalg.norm(w / scale))
    margin = 1 / length if length else float("inf")
    weights = w / scale * margin if length else w
    threshold = height * margin + float(weights @ middle) if length else height
    return Programme(
        _groups(in_second, indicator), sizes, weights, threshold, margin, slacks, totals
    )


def quest_plane(X: Floats, indicator: Floats) -> Discriminant:
    """Return the plane between two groups of classes as QUEST's linear combinations have it.

    The linear discriminant of the groups is the direction; along it, the cut is where the normal
    densities of both groups, times their rows, are equal.

    References
    ----------
    W.-Y. Loh and Y.-S. Shih (1997), Split selection methods for classification trees.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [1.0, 2.0], [4.0, 0.0], [5.0, 2.0]])
    >>> plane = quest_plane(X, np.repeat(np.eye(2), 2, axis=0))
    >>> plane.weights.round(3).tolist(), round(plane.threshold, 3)
    ([0.894, -0.447], 1.789)
    """
    Z, _, scale = standardised(X)
    in_second = superclasses(Z, indicator)
    is_second = in_second[indicator.argmax(axis=1)]
    weights = discriminant(Z, np.column_stack([~is_second, is_second]).astype(float)) / scale
    length = float(np.linalg.norm(weights))
    weights = weights / length if length else weights
    cut = divide_normals(X @ weights, is_second.astype(np.intp), np.ones(len(X)))
    groups = _groups(in_second, indicator)
    sizes = len(X) - int(is_second.sum()), int(is_second.sum())
    if cut is None:
        return Discriminant(groups, sizes, np.zeros(X.shape[1]), 0.0, None)
    if cut.first == (1,):
        groups, sizes = groups[::-1], sizes[::-1]
    return Discriminant(groups, sizes, weights, cut.place, cut)


def _groups(in_second: NDArray[np.bool_], indicator: Floats) -> Groups:
    """Return the classes of both groups that occur."""
    occurs = indicator.sum(axis=0) > 0
    first, second = (np.flatnonzero(occurs & (in_second == side)) for side in (False, True))
    return tuple(first.tolist()), tuple(second.tolist())
