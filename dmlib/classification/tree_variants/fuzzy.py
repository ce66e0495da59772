"""Fuzzy trees: near a threshold a row belongs to both branches in part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.tree_variants.linear_tree import LinearTree, first_branch, gains, middles
from dmlib.classification.tree_variants.ranges import variant_ranges
from dmlib.classification.tree_variants.refitting import Refitting
from dmlib.classification.tree_variants.variant import Rows, VariantStep, VariantTree
from dmlib.evenly import evenly
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, Spoken
from dmlib.squares import check_largest, standard_deviations
from dmlib.trace import look

MAX_PLACES = 60  # candidate thresholds of a column in a node


class FuzzyTree(VariantTree):
    r"""Classify by a tree whose memberships fall from 1 to 0 on a strip around each threshold.

    A row of membership :math:`\mu` in a node has :math:`\mu \nu` in its first branch and :math:`\mu
    (1 - \nu)` in the second, with :math:`\nu = \min(1, \max(0, \tfrac{1}{2} + (t - x) / w))` for
    the threshold t and the width w. Sums of memberships take the place of counts.

    Parameters
    ----------
    criterion : {"entropy", "gini"}, default="entropy"
        How tests are compared.
    width : float, default=1.0
        The width of a strip, in standard deviations of its column; 0 for a crisp tree.
    max_depth : int, default=4
        The largest depth of a leaf.
    min_weight : float, default=2.0
        The sum of memberships that both branches must have.
    min_gain : float, default=0.01
        The minimum impurity decrease of a test in its node.
    refit : {"none", "refit", "backfit"}, default="none"
        What is fitted again by least squares when the tree is grown: nothing; the labels of all
        leaves together; thresholds and widths, too, in steps of Levenberg and Marquardt.
    max_steps : int, default=10
        The largest number of steps of backfitting.

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
    A node costs O(n t d) for n rows and t thresholds of each of d columns, at most 60. A value of a
    nominal column is tested crisply. A prediction is the mean of the leaves' class frequencies, by
    the memberships of the row.

    Refitting replaces these frequencies by the labels q with the least squared error for the
    memberships M of the rows in the leaves, :math:`M^\top M q = M^\top y` with 1 or 0 for each
    class; where M has not full rank, it takes those that are nearest to the frequencies. A step of
    backfitting costs O(n (L + p)^2) for L leaves and p thresholds and widths. It is taken only if
    the squared error on the training rows falls, and the labels follow it; thresholds stay within
    the range of their column, and widths at most twice as wide. Labels sum to 1, but may
    be below 0; the mean is then cut off at 0 and scaled to sum 1. Crisp tests stay as they are.

    References
    ----------
    C. Z. Janikow (1998), Fuzzy decision trees: issues and methods.
    C. Olaru and L. Wehenkel (2003), A complete fuzzy decision tree technique (whose pruning is left
    out). G. H. Golub and V. Pereyra (1973), The differentiation of pseudo-inverses and nonlinear
    least squares problems whose variables separate.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> model = FuzzyTree(width=1.0, max_depth=1, min_gain=0.0).fit(X, y)
    >>> model.predict_proba([[0.0], [1.4], [3.0]]).round(2).tolist()
    [[0.97, 0.03], [0.58, 0.42], [0.03, 0.97]]
    """

    APPLIES: ClassVar[Conditions] = {"max_steps": ("refit", ("backfit",))}
    SPOKEN: ClassVar[Spoken] = {
        "refit": {"none": "nothing", "refit": "labels", "backfit": "all: backfitting"}
    }
    RANGES: ClassVar[Ranges] = staticmethod(variant_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "criterion": Choice(("entropy", "gini")),
        "width": Number(0.0, 1e6, shown=(0.0, 3.0), step=0.05),
        "max_depth": Integer(1, 20, shown=(1, 8)),
        "min_weight": Number(0.0, 1e12, shown=(0.0, 40.0), step=0.5),
        "min_gain": Number(0.0, 1e6, shown=(0.0, 0.3), step=0.005),
        "refit": Choice(("none", "refit", "backfit")),
        "max_steps": Integer(1, 10_000, shown=(1, 20)),
    }

    def __init__(
        self,
        *,
        criterion: str = "entropy",
        width: float = 1.0,
        max_depth: int = 4,
        min_weight: float = 2.0,
        min_gain: float = 0.01,
        refit: str = "none",
        max_steps: int = 10,
    ) -> None:
        self.criterion = criterion
        self.width = width
        self.max_depth = max_depth
        self.min_weight = min_weight
        self.min_gain = min_gain
        self.refit = refit
        self.max_steps = max_steps

    def _grow(self, rows: Rows) -> Iterator[VariantStep]:
        check_largest(rows.X)  # widths are standard deviations
        tree = LinearTree.root(rows.X.shape[1], rows.indicator.sum(axis=0))
        yield VariantStep("start", tree)
        widths = np.where(rows.terms.crisp, 0.0, self.width * standard_deviations(rows.X))
        waiting = [(0, np.ones(len(rows.X)))]
        while waiting:
            look()
            node, share = waiting.pop(0)
            step = self._split(rows, tree, node, share, widths)
            yield step
            if step.phase == "split" and step.weights is not None:
                tree = step.tree
                first = first_branch(rows.X @ step.weights, step.threshold, step.width)
                waiting += [
                    (tree.node_count - 2, share * first),
                    (tree.node_count - 1, share * (1 - first)),
                ]
        if self.refit != "none":
            fitting = Refitting(rows, tree)
            yield fitting.refit()
            if self.refit == "backfit":
                yield from fitting.backfit(self.max_steps)
            tree = fitting.tree
        yield VariantStep("done", tree)

    def _split(
        self, rows: Rows, tree: LinearTree, node: int, share: Floats, widths: Floats
    ) -> VariantStep:
        """Return the step that splits a node by its best test, or makes it a leaf."""
        counts, inside = tree.counts[node], np.flatnonzero(share > 1e-9)
        leaf = VariantStep("leaf", tree, node, rows=inside)
        if np.count_nonzero(counts > 1e-9) < 2 or tree.depths[node] >= self.max_depth:
            return leaf
        ranked = np.full((rows.X.shape[1], 2), np.nan)
        weighted = rows.indicator[inside] * share[inside, None]
        sides = {}
        for term, width in enumerate(widths.tolist()):
            look()
            z = rows.X[inside, term]
            places = middles(z)
            places = places[evenly(len(places), MAX_PLACES)]
            if len(places):
                first = first_branch(z[None], places[:, None], width) @ weighted
                smaller = np.minimum(first.sum(axis=1), (counts - first).sum(axis=1))
                is_large = smaller >= self.min_weight - 1e-9
                scores = np.where(is_large, gains(first, counts, self.criterion), -np.inf)
                best = int(np.flatnonzero(scores >= scores.max() - 1e-12)[0])
                if is_large[best]:
                    ranked[term] = places[best], scores[best]
                    sides[term] = np.array([first[best], counts - first[best]])
        if not sides:
            return leaf
        gains_of_terms = np.nan_to_num(ranked[:, 1], nan=-np.inf)
        term = int(np.flatnonzero(gains_of_terms >= gains_of_terms.max() - 1e-12)[0])
        (threshold, gain), unit = ranked[term].tolist(), np.eye(rows.X.shape[1])[term]
        test = {
            "threshold": threshold,
            "width": float(widths[term]),
            "gain": gain,
            "ranked": ranked,
            "rows": inside,
        }
        test |= {"weights": unit, "counts": sides[term]}
        if gain < self.min_gain - 1e-12:
            return VariantStep("leaf", tree, node, **test)
        grown = tree.split(node, unit, threshold, float(widths[term]), sides[term])
        return VariantStep("split", grown, node, **test)
