"""Support vector machines: the boundary with the widest margin in the feature space of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.kernels import NAMES, Row
from dmlib.classification.svm.smo import ENDLESS, SMO, FreeSolve, PairMove, spread_of
from dmlib.classification.svm.support_vectors import SupportVectorClassifier
from dmlib.params import Choice, Flag, Integer, Number, Param

HARD = 1e10  # times 1 / spread of the kernel: the largest bound that leaves digits for the slopes
COARSE = (
    "C is too large for this kernel: rows inside the margin "
    "would leave no digits for the others. Make C smaller."
)
SMALLEST = 1e-280  # spread of a kernel whose inverse is a number
NO_MARGIN = 1e-9  # relative to the scale of the slopes
OVERLAP = (
    "No boundary has a margin here: the classes overlap "
    "too much. Make nu larger, or change the kernel."
)
MAX_RATIO = 1e12  # of the spread of the rows to the margin, squared, of a hard margin

COMMON: dict[str, Param] = {
    "kernel": Choice(NAMES),
    "degree": Integer(0, 30, shown=(1, 6)),
    "gamma": Number(0.0, np.inf, shown=(0.01, 100.0), log=True, names=("scale", "auto")),
    "coef0": Number(-1e6, 1e6, shown=(-2.0, 2.0), step=0.1),
    "tol": Number(1e-12, 1e6, shown=(1e-6, 0.1), log=True),
    "cache_size": Number(1e-3, 1e5, shown=(1.0, 1000.0)),
    "max_iter": Integer(-1, 10_000_000, shown=(-1, 200)),
    "decision_function_shape": Choice(("ovr", "ovo")),
    "break_ties": Flag(),
}


class SVC(SupportVectorClassifier):
    r"""Separate classes by the boundary with the widest margin; rows inside the margin have a cost.

    The primal problem is to minimise :math:`\tfrac12 \lVert w \rVert^2 + C \sum_i \xi_i` with
    :math:`y_i (w \cdot \phi(x_i) + b) \ge 1 - \xi_i` and :math:`\xi_i \ge 0`. Its dual is solved:
    maximise :math:`\sum_i \alpha_i - \tfrac12 \sum_{ij} \alpha_i \alpha_j y_i y_j K(x_i, x_j)` with
    :math:`0 \le \alpha_i \le C` and :math:`\sum_i y_i \alpha_i = 0`, two multipliers at a time.

    Parameters
    ----------
    C : float, default=1.0
        The cost of a row inside the margin: the larger, the harder and narrower the margin.
        Infinite: a hard margin, no row inside it.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"} or callable, default="rbf"
        The inner product of the feature space. "precomputed": ``X`` is the kernel matrix. A
        callable takes two sets of rows and returns theirs.
    degree : int, default=3
        The power of the kernel "poly".
    gamma : {"scale", "auto"} or float, default="scale"
        The factor in the kernels "rbf", "poly" and "sigmoid": the larger, the nearer a row must be
        to count. "scale" is 1 / (columns * variance of all numbers), "auto" is 1 / columns.
    coef0 : float, default=0.0
        The constant in the kernels "poly" and "sigmoid".
    tol : float, default=1e-3
        The largest violation of the optimality conditions at which training ends.
    cache_size : float, default=200
        The size of the cache of kernel rows, in megabytes.
    class_weight : dict, "balanced" or None, default=None
        The factor of C for each class; "balanced": in inverse proportion to its number of rows.
    max_iter : int, default=-1
        The largest number of pairs moved for two classes; -1: 200000, and more for more than 10000
        rows.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Whether ``decision_function`` of more than two classes has a column for each class or for
        each pair.
    break_ties : bool, default=False
        Whether ``predict`` breaks ties of votes by the decision values instead of taking the first
        class.
    random_state : None, default=None
        Nothing is random; it is there so that the class can stand in for scikit-learn's.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        The rows that are support vectors, class by class.
    support_vectors_ : ndarray of shape (n_support, n_features)
        The support vectors; empty for a precomputed kernel.
    n_support_ : ndarray of shape (n_classes,)
        Their number in each class.
    dual_coef_ : ndarray of shape (n_classes - 1, n_support)
        Their signed multipliers, y times alpha. Of two classes, the second is y = +1. Of more, a
        support vector of class i has in row j (and of class j + 1 in row i, for i <= j) that of the
        machine for classes i and j + 1, where the first is y = +1.
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        The constants b.
    coef_ : ndarray of shape (n_classes * (n_classes - 1) / 2, n_features)
        The weights w; only of the linear kernel.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    class_weight_ : ndarray of shape (n_classes,)
        The factor of C for each class.
    n_iter_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        The number of pairs that each machine moved.
    fit_status_ : int
        1 if a machine did not converge, else 0.
    kernel_ : Kernel or None
        The kernel, gamma as a number; None for a matrix or a function.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If there is one class only, or the kernel has values that are not finite.

    Notes
    -----
    More than two classes have one machine for each pair of them, which vote. Training costs between
    O(n^2) and O(n^3) for n rows, and prediction is linear in the number of support vectors. ``tol``
    decides which rows are support vectors; for these the answer is exact (see
    :class:`dmlib.classification.svm.smo.SMO`). A decision value of 0 goes to the second class.

    "scale" counts a row as often as its weight says. (scikit-learn's counts every row once.)

    References
    ----------
    C. Cortes and V. Vapnik (1995), Support-vector networks, section 3.
    J. C. Platt (1998), Fast training of support vector machines using sequential minimal
    optimization. R.-E. Fan, P.-H. Chen and C.-J. Lin (2005), Working set selection using second
    order information for training support vector machines.

    Examples
    --------
    >>> X = [[-2.0, -1.0], [-1.0, -1.0], [-1.0, -2.0], [1.0, 1.0], [1.0, 2.0], [2.0, 1.0]]
    >>> model = SVC(kernel="linear").fit(X, [1, 1, 1, 2, 2, 2])
    >>> model.support_.tolist(), model.dual_coef_.tolist()
    ([1, 3], [[-0.25, 0.25]])
    >>> model.coef_.tolist(), model.intercept_.tolist()
    ([[0.5, 0.5]], [0.0])
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "C": Number(1e-12, np.inf, shown=(0.01, 1000.0), log=True),
        **COMMON,
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: Any = None,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state

    def _check_classes(self, classes: NDArray[Any], totals: Floats) -> None:
        if (totals == 0).any():
            raise ValueError(
                "Invalid input - all samples with positive weights belong to the same class, or a "
                f"class has none. Give rows of class {classes[totals.argmin()]} a positive weight."
            )

    def _machine(
        self, row: Row, diagonal: Floats, sign: Floats, weight: Floats, capacity: int
    ) -> SMO:
        bound = sign * min(self.C, _largest_bound(row, diagonal)) * weight
        zeros = np.zeros(len(sign))
        groups = [slice(0, len(sign))]
        return SMO(
            row, diagonal, sign, np.minimum(bound, 0), np.maximum(bound, 0), zeros, groups, capacity
        )

    def _boundary(self, smo: SMO) -> tuple[float, float]:
        return smo.levels[0], 1.0

    def _moves(self, smo: SMO, max_iter: int) -> Iterator[PairMove | FreeSolve]:
        is_hard = np.isinf(self.C)
        ceiling = MAX_RATIO / smo.spread if is_hard and smo.spread > 0 else np.inf
        yield from smo.moves(self.tol, max_iter, ceiling)
        is_limited = _largest_bound(smo.row, smo.diagonal) <= self.C
        if is_limited and (np.abs(smo.beta) >= smo.upper - smo.lower).any():
            smo.converged = False
            smo.reason = ENDLESS if is_hard else COARSE


def _largest_bound(row: Row, diagonal: Floats) -> float:
    """Return the largest bound that is used, whatever C is."""
    # The multipliers of a margin as wide as the spread are about 1 / spread.
    spread = abs(spread_of(row, diagonal))
    if 0 < diagonal.max() < SMALLEST:
        raise ValueError(
            "The numbers in the columns are too small for this kernel. Scale the columns."
        )
    return HARD / spread if spread > SMALLEST else HARD


class NuSVC(SupportVectorClassifier):
    r"""Separate classes by the widest margin with at most a share nu of the rows inside.

    The primal problem is to minimise :math:`\tfrac12 \lVert w \rVert^2 - \nu \rho + \tfrac1n \sum_i
    \xi_i` with :math:`y_i (w \cdot \phi(x_i) + b) \ge \rho - \xi_i`. At most a share nu of the rows
    lies inside the margin, and at least a share nu are support vectors. The answer is that of
    :class:`SVC` for a certain C.

    Parameters
    ----------
    nu : float, default=0.5
        The largest share of rows inside the margin, and the smallest share of support vectors.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"} or callable, default="rbf"
        The inner product of the feature space. "precomputed": ``X`` is the kernel matrix. A
        callable takes two sets of rows and returns theirs.
    degree : int, default=3
        The power of the kernel "poly".
    gamma : {"scale", "auto"} or float, default="scale"
        The factor in the kernels "rbf", "poly" and "sigmoid": the larger, the nearer a row must be
        to count. "scale" is 1 / (columns * variance of all numbers), "auto" is 1 / columns.
    coef0 : float, default=0.0
        The constant in the kernels "poly" and "sigmoid".
    tol : float, default=1e-3
        The largest violation of the optimality conditions at which training ends.
    cache_size : float, default=200
        The size of the cache of kernel rows, in megabytes.
    max_iter : int, default=-1
        The largest number of pairs moved for two classes; -1: 200000, and more for more than 10000
        rows.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Whether ``decision_function`` of more than two classes has a column for each class or for
        each pair.
    break_ties : bool, default=False
        Whether ``predict`` breaks ties of votes by the decision values instead of taking the first
        class.
    random_state : None, default=None
        Nothing is random; it is there so that the class can stand in for scikit-learn's.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        The rows that are support vectors, class by class.
    support_vectors_ : ndarray of shape (n_support, n_features)
        The support vectors; empty for a precomputed kernel.
    n_support_ : ndarray of shape (n_classes,)
        Their number in each class.
    dual_coef_ : ndarray of shape (n_classes - 1, n_support)
        Their signed multipliers, y times alpha, laid out as those of :class:`SVC`.
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        The constants b.
    coef_ : ndarray of shape (n_classes * (n_classes - 1) / 2, n_features)
        The weights w; only of the linear kernel.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    class_weight_ : ndarray of shape (n_classes,)
        Ones.
    n_iter_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        The number of pairs that each machine moved.
    fit_status_ : int
        1 if a machine did not converge, else 0.
    kernel_ : Kernel or None
        The kernel, gamma as a number; None for a matrix or a function.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If there is one class only, a class is too small for nu, or all rows are alike.

    Notes
    -----
    Each alpha lies between 0 and 1, their sum in each class is :math:`\nu n / 2`, and a pair is of
    one class. At the end everything is divided by :math:`\rho`, so that the decision value is 1 on
    the edge of the margin; :math:`1 / \rho` is the C of the same machine. Where classes overlap so
    much that there is no margin, the answer means nothing, and the last step says so. The cost is
    that of :class:`SVC`.

    References
    ----------
    B. Schölkopf, A. J. Smola, R. C. Williamson and P. L. Bartlett (2000), New support vector
    algorithms, section 5. C.-C. Chang and C.-J. Lin (2001), Training nu-support vector classifiers:
    theory and algorithms.

    Examples
    --------
    >>> X = [[-2.0, -1.0], [-1.0, -1.0], [-1.0, -2.0], [1.0, 1.0], [1.0, 2.0], [2.0, 1.0]]
    >>> model = NuSVC(nu=0.3, kernel="linear").fit(X, [1, 1, 1, 2, 2, 2])
    >>> model.support_.tolist(), model.coef_.round(6).tolist()
    ([1, 3], [[0.5, 0.5]])
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "nu": Number(1e-12, 1.0, shown=(0.01, 1.0), step=0.01),
        **COMMON,
    }

    def __init__(
        self,
        *,
        nu: float = 0.5,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        cache_size: float = 200,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
    ) -> None:
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.cache_size = cache_size
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state

    def _check_classes(self, classes: NDArray[Any], totals: Floats) -> None:
        order = np.argsort(totals)
        small, large = totals[order[[0, -1]]]
        if self.nu * (small + large) / 2 > small:
            raise ValueError(
                f"The specified nu is infeasible: class {classes[order[0]]} has "
                f"too few rows beside class {classes[order[-1]]} for nu = "
                f"{self.nu:g}. Make nu at most {2 * small / (small + large):.3g}."
            )

    def _machine(
        self, row: Row, diagonal: Floats, sign: Floats, weight: Floats, capacity: int
    ) -> SMO:
        total = self.nu * weight.sum() / 2
        n_positive = int((sign > 0).sum())
        groups = [slice(0, n_positive), slice(n_positive, len(sign))]
        before = np.concatenate([np.cumsum(weight[group]) - weight[group] for group in groups])
        beta = sign * np.clip(total - before, 0, weight)
        bound = sign * weight
        zeros = np.zeros(len(sign))
        return SMO(
            row, diagonal, zeros, np.minimum(bound, 0), np.maximum(bound, 0), beta, groups, capacity
        )

    def _boundary(self, smo: SMO) -> tuple[float, float]:
        positive, negative = smo.levels
        return (positive + negative) / 2, (negative - positive) / 2

    def _moves(self, smo: SMO, max_iter: int) -> Iterator[PairMove | FreeSolve]:
        yield from smo.moves(self.tol * min(self._scale(smo), 1.0), max_iter)
        if self._boundary(smo)[1] <= NO_MARGIN * self._scale(smo):
            smo.converged = False
            smo.reason = OVERLAP

    @staticmethod
    def _scale(smo: SMO) -> float:
        """Return the scale of the slopes: a factor of the kernel does not change a nu-machine."""
        return smo.spread * float(np.abs(smo.beta).sum())

    def _positive(self, margin: float, smo: SMO) -> float:
        margin = max(margin, NO_MARGIN * self._scale(smo))
        if margin == 0:
            raise ValueError(OVERLAP)
        return margin
