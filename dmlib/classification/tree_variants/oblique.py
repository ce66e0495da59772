"""Oblique trees: splits by lines, from coordinate descent, discriminants or linear programmes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from dmlib.arrays import Floats, Ints
from dmlib.classification.tree_variants.linear_tree import Cut, LinearTree, best_cut, gains
from dmlib.classification.tree_variants.planes import (
    Plane,
    discriminant,
    linear_programme,
    quest_plane,
    standardised,
)
from dmlib.classification.tree_variants.ranges import variant_ranges
from dmlib.classification.tree_variants.variant import Phase, Rows, VariantStep, VariantTree
from dmlib.params import Choice, Integer, Number, Param, Ranges
from dmlib.squares import check_largest, check_squares
from dmlib.trace import look

MAX_SWEEPS = 20  # over the coefficients, each of which must improve something


class ObliqueTree(VariantTree):
    r"""Classify by a tree whose tests :math:`w^\top x \le t` need not be axis-parallel.

    "coordinate_descent" begins with the best test of one column and then moves one coefficient at a
    time: for row i the test changes sides where :math:`w_m` passes :math:`u_i = (w_m x_{im} - v_i)
    / x_{im}` with
    :math:`v_i = w^\top x_i - t`, so that the best value lies between two of the :math:`u_i`. "lda"
    takes the first linear discriminant, and cuts along it.

    "linear_programming" and "quest" put the classes into two groups first and divide these,
    whatever the criterion: by the plane with the smallest average distance of rows from their side
    of a margin, or along the discriminant of the groups where their normal densities, times their
    rows, are equal. Where such a plane divides nothing, the best test of one column takes its
    place.

    Parameters
    ----------
    search : {"coordinate_descent", "lda", "linear_programming", "quest"}
        The search for the line, by default "coordinate_descent".
    criterion : {"entropy", "gini"}, default="entropy"
        How lines are compared.
    max_depth : int, default=3
        The largest depth of a leaf.
    min_samples_leaf : int, default=3
        The rows that both sides must have.
    min_gain : float, default=0.01
        The minimum impurity decrease of a line in its node.
    n_jumps : int, default=3
        For "coordinate_descent", the number of random directions along which the line is moved
        where no coefficient helps.
    random_state : int, RandomState or None, default=None
        The seed of these directions.

    Attributes
    ----------
    tree_ : LinearTree
        The tree.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Notes
    -----
    A move costs O(n log n). Columns are scaled to standard deviation 1 within the node first. The
    weights have the length 1 in the columns' own units. Of more than two classes "lda" takes the
    first discriminant; the other two searches make two groups by 2-means of the class means. A
    nominal column comes as 0 and 1 for each of its values. A linear programme has a constraint and
    a slack for each row; QUEST's line is found in O(n).

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), Classification and regression
    trees, section 5.2. S. K. Murthy, S. Kasif and S. Salzberg (1994), A system for induction of
    oblique decision trees (OC1). R. A. Fisher (1936), The use of multiple measurements in taxonomic
    problems. K. P. Bennett and O. L. Mangasarian (1992), Robust linear programming discrimination
    of two linearly inseparable sets; (1994), Multicategory discrimination via linear programming.
    W.-Y. Loh and Y.-S. Shih (1997), Split selection methods for classification trees.

    Examples
    --------
    >>> X = [[0.0, 1.0], [1.0, 2.2], [2.0, 3.1], [1.0, 0.0], [2.0, 1.1], [3.0, 2.3]]
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> model = ObliqueTree(min_samples_leaf=1, random_state=0).fit(X, y)
    >>> model.tree_.n_leaves, model.score(X, y)
    (2, 1.0)
    """

    APPLIES: ClassVar[dict[str, tuple[str, tuple[str, ...]]]] = {
        "n_jumps": ("search", ("coordinate_descent",))
    }
    RANGES: ClassVar[Ranges] = staticmethod(variant_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "search": Choice(("coordinate_descent", "lda", "linear_programming", "quest")),
        "criterion": Choice(("entropy", "gini")),
        "max_depth": Integer(1, 20, shown=(1, 6)),
        "min_samples_leaf": Integer(1, 10**9, shown=(1, 40)),
        "min_gain": Number(0.0, 1e6, shown=(0.0, 0.5), step=0.005),
        "n_jumps": Integer(0, 1000, shown=(0, 20)),
    }

    def __init__(
        self,
        search: str = "coordinate_descent",
        *,
        criterion: str = "entropy",
        max_depth: int = 3,
        min_samples_leaf: int = 3,
        min_gain: float = 0.01,
        n_jumps: int = 3,
        random_state: Any = None,
    ) -> None:
        self.search = search
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.n_jumps = n_jumps
        self.random_state = random_state

    def _grow(self, rows: Rows) -> Iterator[VariantStep]:
        check_largest(rows.X)  # as nodes are standardised
        check_squares(rows.X, each=True)
        tree = LinearTree.root(rows.X.shape[1], rows.indicator.sum(axis=0))
        rng = check_random_state(self.random_state)
        yield VariantStep("start", tree)
        waiting = [(0, np.arange(len(rows.X)))]
        while waiting:
            look()
            node, inside = waiting.pop(0)
            step = VariantStep("leaf", tree, node, rows=inside)
            if np.count_nonzero(tree.counts[node]) > 1 and tree.depths[node] < self.max_depth:
                for line in self._lines(rows, tree, node, inside, rng):
                    yield line
                    step = line
                step = self._chosen(step, tree)
            yield step
            if step.phase == "split" and step.weights is not None:
                tree = step.tree
                first = rows.X[inside] @ step.weights <= step.threshold
                waiting += [
                    (tree.node_count - 2, inside[first]),
                    (tree.node_count - 1, inside[~first]),
                ]
        yield VariantStep("done", tree)

    def _chosen(self, last: VariantStep, tree: LinearTree) -> VariantStep:
        """Return the split by the last line, or a leaf if its gain is too small."""
        if last.weights is None or last.counts is None or last.gain < self.min_gain - 1e-12:
            return VariantStep("leaf", tree, last.node, rows=last.rows)
        if not self._divides(last.counts):
            return VariantStep("leaf", tree, last.node, rows=last.rows)
        grown = tree.split(last.node, last.weights, last.threshold, 0.0, last.counts)
        test: dict[str, Any] = {"gain": last.gain, "counts": last.counts, "rows": last.rows}
        return VariantStep("split", grown, last.node, last.weights, last.threshold, **test)

    def _lines(
        self, rows: Rows, tree: LinearTree, node: int, inside: Ints, rng: Any
    ) -> Iterator[VariantStep]:
        """Yield better and better lines for a node."""
        X, indicator = rows.X[inside], rows.indicator[inside]
        if self.search in ("linear_programming", "quest"):
            step = self._plane(tree, node, inside, X, indicator)
            yield step
            if step.counts is not None and step.gain > 1e-12 and self._divides(step.counts):
                return
        Z, middle, scale = standardised(X)
        before = 0.0
        for phase, w, cut in self._searched(Z, indicator, rng):
            weights = w / scale
            length = float(np.linalg.norm(weights))
            threshold = (cut.threshold + float(weights @ middle)) / length
            weights = weights / length
            test: dict[str, Any] = {
                "gain": cut.gain,
                "before": before,
                "counts": _sides(X @ weights <= threshold, indicator),
                "rows": inside,
            }
            yield VariantStep(phase, tree, node, weights, threshold, **test)
            before = cut.gain

    def _plane(
        self, tree: LinearTree, node: int, inside: Ints, X: Floats, indicator: Floats
    ) -> VariantStep:
        """Return the step with the plane between two groups of classes, or with none."""
        phase: Phase
        plane: Plane
        if self.search == "quest":
            phase, width, plane = "project", 0.0, quest_plane(X, indicator)
        else:
            programme = linear_programme(X, indicator)
            phase, width, plane = "solve", 2 * programme.margin, programme
        if not plane.is_found:
            return VariantStep(phase, tree, node, rows=inside, plane=plane)
        counts = _sides(X @ plane.weights <= plane.threshold, indicator)
        test: dict[str, Any] = {
            "gain": float(gains(counts[:1], counts.sum(axis=0), self.criterion)[0]),
            "counts": counts,
            "rows": inside,
            "plane": plane,
        }
        return VariantStep(phase, tree, node, plane.weights, plane.threshold, width, **test)

    def _divides(self, counts: Floats) -> bool:
        """Return whether both sides of a line have enough rows."""
        return bool(counts.sum(axis=1).min() >= self.min_samples_leaf)

    def _searched(
        self, Z: Floats, indicator: Floats, rng: Any
    ) -> Iterator[tuple[Phase, Floats, Cut]]:
        """Yield the best test of one column, and the lines that a search begins with it."""
        axis = self._axis(Z, indicator)
        if axis is not None:
            yield "axis", *axis
        if self.search == "lda":
            yield from self._by_lda(Z, indicator, axis)
        elif self.search == "coordinate_descent" and axis is not None:
            yield from self._descent(Z, indicator, *axis, rng)

    def _by_lda(
        self, Z: Floats, indicator: Floats, axis: tuple[Floats, Cut] | None
    ) -> Iterator[tuple[Phase, Floats, Cut]]:
        w = discriminant(Z, indicator)
        cut = best_cut(Z @ w, indicator, self.criterion, self.min_samples_leaf)
        if cut is not None and (axis is None or cut.gain > axis[1].gain + 1e-12):
            yield "move", w, cut

    def _axis(self, Z: Floats, indicator: Floats) -> tuple[Floats, Cut] | None:
        """Return the best test of one column."""
        tests = []
        for j, unit in enumerate(np.eye(Z.shape[1])):
            cut = best_cut(Z[:, j], indicator, self.criterion, self.min_samples_leaf)
            if cut is not None:
                tests.append((unit, cut))
        return max(tests, key=lambda test: test[1].gain) if tests else None

    def _descent(
        self, Z: Floats, indicator: Floats, w: Floats, cut: Cut, rng: Any
    ) -> Iterator[tuple[Phase, Floats, Cut]]:
        """Yield each move that improves a line."""
        jumps = self.n_jumps
        for _ in range(MAX_SWEEPS * (1 + self.n_jumps)):
            better = False
            for m in range(Z.shape[1]):
                look()
                moved = self._moved(Z, indicator, w, cut, np.eye(Z.shape[1])[m])
                if moved is not None:
                    (w, cut), better = moved, True
                    yield "move", w, cut
            if better:
                continue
            jumped = None
            while jumps > 0 and jumped is None:
                jumps -= 1
                jumped = self._moved(Z, indicator, w, cut, rng.standard_normal(Z.shape[1]))
            if jumped is None:
                return
            w, cut = jumped
            yield "move", w, cut

    def _moved(
        self, Z: Floats, indicator: Floats, w: Floats, cut: Cut, direction: Floats
    ) -> tuple[Floats, Cut] | None:
        """Return the line moved optimally along a direction; None if that is no improvement.

        For row i the test ``(w + a d) @ z <= t`` changes sides at ``a = (t - w @ z) / (d @ z)``.
        """
        slope, height = Z @ direction, cut.threshold - Z @ w
        moving = np.abs(slope) > 1e-12
        if not moving.any():
            return None
        places = np.unique(height[moving] / slope[moving])
        amounts = places[:-1] + np.diff(places) / 2
        if len(amounts) == 0:
            return None
        best: tuple[Floats, Cut] | None = None
        amount = self._best_amount(amounts, slope, height, indicator)
        if amount is not None:
            turned = w + amount * direction
            length = float(np.linalg.norm(turned))
            if length > 1e-9:
                z = Z @ (turned / length)
                new_cut = best_cut(z, indicator, self.criterion, self.min_samples_leaf)
                if new_cut is not None and new_cut.gain > cut.gain + 1e-9:
                    best = turned / length, new_cut
        return best

    def _best_amount(
        self, amounts: Floats, slope: Floats, height: Floats, indicator: Floats
    ) -> float | None:
        """Return the best amount to move along a direction, of equally good ones the smallest."""
        total = indicator.sum(axis=0)
        step = max(1, len(amounts) // 400)
        sample = amounts[::step]
        first = (sample[:, None] * slope[None] <= height[None]).astype(float)
        first_counts = first @ indicator
        is_large = (
            np.minimum(first_counts.sum(axis=1), (total - first_counts).sum(axis=1))
            >= self.min_samples_leaf
        )
        if not is_large.any():
            return None
        scores = np.where(is_large, gains(first_counts, total, self.criterion), -np.inf)
        best = np.flatnonzero(scores >= scores.max() - 1e-12)
        return float(sample[best[np.argmin(np.abs(sample[best]))]])


def _sides(is_first: NDArray[np.bool_], indicator: Floats) -> Floats:
    """Return the rows of each class on both sides of a line."""
    return np.array([indicator[is_first].sum(axis=0), indicator[~is_first].sum(axis=0)])
