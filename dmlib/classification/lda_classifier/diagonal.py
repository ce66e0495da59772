"""Diagonal discriminant analysis: columns as if uncorrelated within the classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.classification.covariances import Classes
from dmlib.classification.discriminant import Discriminant, DiscriminantStep, Steps
from dmlib.params import Flag, Param
from dmlib.trace import look


class DiagonalDiscriminantAnalysis(Discriminant):
    r"""Classify by normal densities whose covariance matrices are diagonal.

    The predicted class has the largest score :math:`\log \pi_k - \frac{1}{2} \sum_j (\log
    \sigma_{kj}^2 + (x_j - \mu_{kj})^2 / \sigma_{kj}^2)`. With pooled variances the boundaries are
    straight.

    Parameters
    ----------
    pooled : bool, default=True
        Whether all classes share the variances; otherwise each has its own, as in Gaussian naive
        Bayes.
    priors : array-like of shape (n_classes,), default=None
        The prior probabilities; by default the classes' shares in the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    priors_ : ndarray of shape (n_classes,)
        The prior probabilities.
    means_ : ndarray of shape (n_classes, n_features)
        The means.
    var_ : ndarray of shape (n_classes, n_features)
        The variances, divided by n; pooled ones are the same in each row. 1 for a column that is
        constant over all rows: it does not distinguish classes.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If there is one class, or if a column is constant within a class (pooled: within each) and
        not over all rows.

    Notes
    -----
    O(n d): it needs no inverse, and so works with more columns than rows. A tie goes to the class
    that sorts first.

    References
    ----------
    S. Dudoit, J. Fridlyand and T. P. Speed (2002), Comparison of discrimination methods for the
    classification of tumors using gene expression data.

    Examples
    --------
    >>> X, y = [[0.0, 1.0], [2.0, 0.0], [6.0, 1.0], [8.0, 0.0]], ["a", "a", "b", "b"]
    >>> DiagonalDiscriminantAnalysis().fit(X, y).predict([[1.0, 5.0], [7.0, 5.0]]).tolist()
    ['a', 'b']
    """

    PARAMS: ClassVar[dict[str, Param]] = {"pooled": Flag()}

    var_: Floats

    def __init__(self, pooled: bool = True, *, priors: ArrayLike | None = None) -> None:
        self.pooled = pooled
        self.priors = priors

    def _answer(self, part: Classes) -> dict[str, Any]:
        groups = [part.codes == k for k in range(len(part.classes))]
        squares = np.array([np.square(part.centred[group]).sum(axis=0) for group in groups])
        if self.pooled:
            variances = np.tile(squares.sum(axis=0) / len(part.X), (len(groups), 1))
        else:
            variances = squares / part.counts[:, None]
        constant = np.ptp(part.X, axis=0) == 0
        variances[:, constant] = 1.0
        if not (variances > 0).all():
            k, j = np.argwhere(~(variances > 0))[0]
            rows, advice = "the classes", ""
            if not self.pooled:
                rows, advice = f"class {part.classes[k]}", ", or pool the variances"
            raise ValueError(
                f"Column {j + 1} is constant within {rows}, "
                f"so its variance is 0. Leave it out{advice}."
            )
        return {"var_": variances}

    def _scores(self, X: ArrayLike) -> Floats:
        rows = self._rows(X)
        scores = np.empty((len(rows), len(self.classes_)), rows.dtype)
        with np.errstate(divide="ignore"):
            logs = np.log(self.priors_)
        for k, (mean, variance) in enumerate(zip(self.means_, self.var_, strict=True)):
            look()
            terms = (rows - mean) ** 2 / variance + np.log(variance)
            scores[:, k] = logs[k] - terms.sum(axis=1) / 2
        return scores

    def _shapes(self, part: Classes, step: DiscriminantStep, answer: dict[str, Any]) -> Steps:
        if self.pooled:
            pooled = np.tensordot(part.counts / len(part.X), np.array(step.singles), axes=1)
            step = replace(
                step,
                phase="pool",
                index=None,
                pooled=pooled,
                matrices=(pooled,) * len(part.classes),
            )
            yield step
        matrices = [np.diag(variances) for variances in answer["var_"]]
        step = replace(step, phase="regularise", index=None, matrices=tuple(matrices))
        yield step
        return step
