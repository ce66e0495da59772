"""Bagging and random forests of regressors: the mean of models, each trained on a bag of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.ensemble._base import _set_random_states
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats, take
from dmlib.classification.columns import check_columns, new_rows
from dmlib.classification.decision_tree.settings import n_features
from dmlib.classification.ensembles.bags import draws, n_drawn
from dmlib.classification.ensembles.ranges import ensembles_ranges
from dmlib.params import Flag, Integer, Number, Param, Ranges, check_params
from dmlib.regression.knn_tree_regression.algorithm import DecisionTreeRegressor, read_rows
from dmlib.regression.knn_tree_regression.bag_step import BagStep
from dmlib.squares import r_squared
from dmlib.trace import look

MAX_DRAFT_ROWS = 1_000
"""Rows that are drawn for all models of a draft."""

MIN_ESTIMATORS = 5
"""Models of a draft at least."""


class AveragedRegressor(ABC, RegressorMixin, BaseEstimator):
    """Train models on bags, and predict by their mean.

    A subclass has :meth:`base`, the model that is trained on each bag.
    """

    PARAMS: ClassVar[dict[str, Param]]
    LENGTH: ClassVar[str] = "n_estimators"
    n_estimators: int
    max_samples: Any
    bootstrap: bool
    random_state: Any

    @abstractmethod
    def base(self) -> Any:
        """Return the model that is trained on each bag, not fitted."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train the models on bags of the rows of ``X`` and their numbers ``y``."""
        return self.fit_from(list(self.steps(X, y)), X, y)

    def fit_from(self, steps: Sequence[BagStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Fit from the steps on the same rows, without training a second time."""
        check_columns(self, X, y)
        self._columns, _, target = read_rows(self, X, y)
        last, joined = steps[-1], steps[1:]
        self.estimators_ = [step.estimator for step in joined]
        self.estimators_samples_ = [step.bag for step in joined]
        self.fitted_, self.oob_prediction_ = last.fitted, last.oob_prediction
        self.oob_error_ = last.oob_error
        self.sse_ = float(((target - self.fitted_) ** 2).sum())
        self.r2_ = r_squared(target, self.sse_)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[BagStep]:
        """Yield the empty ensemble, then one step for each model that joins."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        columns, rows, target = read_rows(self, X, y)
        table = columns.table(rows)
        self._check(rows)
        n = len(target)
        total, oob, left_out = np.zeros(n), np.zeros(n), np.zeros(n, np.intp)
        mean = shift = np.full(n, target.mean())
        yield BagStep.of("start", None, np.empty(0, np.intp), mean, oob, left_out, target)
        rng, size = check_random_state(self.random_state), self._size(n)
        bags = draws(rng, self.n_estimators, rows.shape, size, rows.shape[1], None, self.bootstrap)
        for number, (seed, bag, _) in enumerate(bags, start=1):
            look()
            model = clone(self.base())
            _set_random_states(model, seed)
            model.fit(take(table, bag), target[bag])
            predicted = np.asarray(model.predict(table), float)
            is_outside = np.bincount(bag, minlength=n) == 0
            shift = predicted if number == 1 else shift
            total = total + (predicted - shift)
            oob = oob + np.where(is_outside, predicted - target, 0.0)
            left_out = left_out + is_outside
            mean = shift + total / number
            yield BagStep.of("join", model, bag, mean, oob, left_out, target)

    def draft(self, X: Any, y: Any = None) -> dict[str, int]:
        """Return the number of models while a control moves."""
        n_models = MAX_DRAFT_ROWS // self._size(len(X))
        return {"n_estimators": min(self.n_estimators, max(MIN_ESTIMATORS, n_models))}

    def shortened(
        self, steps: Sequence[BagStep], X: Any, y: Any = None
    ) -> tuple[BagStep, ...] | None:
        """Return the first steps of a larger ensemble; None if it has too few."""
        n_steps = self.n_estimators + 1
        return tuple(steps[:n_steps]) if len(steps) >= n_steps else None

    def each_predict(self, X: ArrayLike) -> Floats:
        """Return the predictions by each model, shape (n_estimators, n_samples)."""
        check_is_fitted(self)
        table = self._columns.table(new_rows(self, self._columns, X))
        return np.array([model.predict(table) for model in self.estimators_], float)

    def predict(self, X: ArrayLike) -> Floats:
        """Return the mean predictions for rows, shape (n_samples,)."""
        return cast(Floats, self.staged_predict(X)[-1])

    def staged_predict(self, X: ArrayLike) -> Floats:
        """Return the mean predictions after each model, shape (n_estimators, n_samples)."""
        each = self.each_predict(X)
        number = np.arange(1, len(each) + 1)[:, None]
        # The mean of equal predictions is exact.
        means: Floats = each[0] + (each - each[0]).cumsum(axis=0) / number
        return means

    def predict_at(self, steps: Sequence[BagStep], X: ArrayLike) -> Iterator[Floats | None]:
        """Yield the predictions by the models that had joined at each of these steps."""
        members = {id(estimator): i for i, estimator in enumerate(self.estimators_, start=1)}
        stages = [None, *self.staged_predict(X)]
        for step in steps:
            yield stages[members.get(id(step.estimator), 0)]

    def __sklearn_tags__(self) -> Any:
        tags, of_base = super().__sklearn_tags__(), get_tags(self.base()).input_tags
        tags.input_tags.allow_nan, tags.input_tags.string = of_base.allow_nan, of_base.string
        return tags

    def _size(self, n_samples: int) -> int:
        """Return the number of rows in a bag."""
        return n_drawn(self.max_samples, n_samples, None, self.bootstrap)

    def _check(self, X: Floats) -> None:
        values = self.get_params(deep=False)
        if values.get("max_features") is not None:  # names and fractions mean a number
            values["max_features"] = n_features(values["max_features"], X.shape[1])
        self._size(len(X))
        check_params(self.PARAMS, values | {"max_samples": 1.0})


class BaggingRegressor(AveragedRegressor):
    r"""Predict the mean of models that are trained on bootstrap samples of the rows.

    A bag of n draws with replacement from N rows leaves a row out with the probability :math:`(1 -
    1/N)^n`, about 37% for n = N. These rows test the model: the out-of-bag error.

    Parameters
    ----------
    estimator : regressor or None, default=None
        The base model. None: dmlib's regression tree by ``max_depth`` and ``min_samples_leaf``.
    n_estimators : int, default=10
        The number of models.
    max_samples : float or int, default=1.0
        The rows that are drawn for each model: a fraction of them, or a number.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement, so that a bag may hold a row several times.
    max_depth : int or None, default=None
        The largest depth of the trees.
    min_samples_leaf : int, default=1
        How many drawn rows a leaf of the trees has at least.
    random_state : int, RandomState or None, default=None
        The seed of all draws.

    Attributes
    ----------
    estimators_ : list of regressors
        The models that are averaged.
    estimators_samples_ : list of ndarray of shape (n_drawn,)
        The rows that were drawn for each.
    fitted_ : ndarray of shape (n_samples,)
        The predictions for the training rows.
    oob_prediction_ : ndarray of shape (n_samples,)
        The mean over the models that were trained without the row; NaN where there is none.
    oob_error_ : float
        The mean squared error of ``oob_prediction_``; NaN if each row is in every bag.
    sse_, r2_ : float
        Sum of squared residuals; 1 - SSE / SST, NaN if all targets are equal.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If more rows are to be drawn without replacement than there are, or a value is infinite.

    Notes
    -----
    The cost is that of ``n_estimators`` models. Bags are those of scikit-learn with the same seed.
    A row that is drawn twice counts as two rows of the bag. By convexity the squared error of the
    mean is at most the mean of the squared errors.

    References
    ----------
    L. Breiman (1996), Bagging predictors. Machine Learning 24, 123-140.
    L. Breiman (1996), Out-of-bag estimation.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 1.0, 5.0, 7.0]
    >>> model = BaggingRegressor(n_estimators=3, random_state=0).fit(X, y)
    >>> [bag.tolist() for bag in model.estimators_samples_]
    [[0, 3, 2, 0], [3, 1, 3, 0], [1, 3, 2, 1]]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_estimators": Integer(1, 1000, shown=(1, 100)),
        "max_samples": Number(1e-9, 1.0, shown=(0.02, 1.0), step=0.02),
        "bootstrap": Flag(),
        "max_depth": Integer(1, 1_000_000, shown=(1, 12), none="no limit"),
        "min_samples_leaf": Integer(1, 1_000_000, shown=(1, 50)),
    }

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: Any = 1.0,
        bootstrap: bool = True,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state

    def base(self) -> Any:
        """Return the model that is trained on each bag, not fitted."""
        if self.estimator is not None:
            return self.estimator
        return DecisionTreeRegressor(
            max_depth=self.max_depth, min_samples_leaf=self.min_samples_leaf
        )


class RandomForestRegressor(AveragedRegressor):
    r"""Predict the mean of many trees, each of a bag of rows, its nodes of drawn columns.

    The mean of T trees with variance :math:`\sigma^2` and correlation :math:`\rho` has the variance
    :math:`\rho \sigma^2 + (1 - \rho) \sigma^2 / T`: more trees reduce the second
    part, and the drawn columns, which make the trees less correlated, the first.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of trees.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        How many of the columns that vary in a node are drawn for its split: a number, a fraction of
        all columns, or all.
    max_samples : float or int, default=1.0
        The rows that are drawn for each tree: a fraction of them, or a number.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement, so that a bag may hold a row several times.
    max_depth : int or None, default=None
        The largest depth of the trees.
    min_samples_leaf : int, default=1
        How many drawn rows a leaf of the trees has at least.
    random_state : int, RandomState or None, default=None
        The seed of all draws.

    Attributes
    ----------
    estimators_ : list of DecisionTreeRegressor
        The trees.
    estimators_samples_ : list of ndarray of shape (n_drawn,)
        The rows that were drawn for each tree.
    fitted_ : ndarray of shape (n_samples,)
        The predictions for the training rows.
    oob_prediction_ : ndarray of shape (n_samples,)
        The mean over the trees that were grown without the row; NaN where there is none.
    oob_error_ : float
        The mean squared error of ``oob_prediction_``; NaN if each row is in every bag.
    sse_, r2_ : float
        Sum of squared residuals; 1 - SSE / SST, NaN if all targets are equal.
    feature_importances_ : ndarray of shape (n_features,)
        The mean importance by squared error over the trees.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If more rows are to be drawn without replacement than there are, or a value is infinite.

    Notes
    -----
    A tree costs O(m n log n) a level, for n rows in a bag and m drawn columns. Over a single column
    a forest is bagging. Breiman draws a third of the columns for each node; scikit-learn's default
    is all.

    References
    ----------
    L. Breiman (2001), Random forests. Machine Learning 45, 5-32, section 11.
    T. Hastie, R. Tibshirani and J. Friedman (2009), The elements of statistical learning, chapter
    15.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = RandomForestRegressor(30, random_state=0).fit(X, y)
    >>> bool(model.oob_error_ < y.var()), int(model.feature_importances_.argmax()) in (2, 8)
    (True, True)
    """

    RANGES: ClassVar[Ranges] = staticmethod(ensembles_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_estimators": Integer(1, 1000, shown=(1, 100)),
        "max_features": Integer(1, 2**31 - 1, shown=(1, 20), none="all", names=("sqrt",)),
        "max_samples": Number(1e-9, 1.0, shown=(0.02, 1.0), step=0.02),
        "bootstrap": Flag(),
        "max_depth": Integer(1, 1_000_000, shown=(1, 12), none="no limit"),
        "min_samples_leaf": Integer(1, 1_000_000, shown=(1, 50)),
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_features: Any = "sqrt",
        max_samples: Any = 1.0,
        bootstrap: bool = True,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state

    def base(self) -> DecisionTreeRegressor:
        """Return the tree that is grown from each bag, not fitted."""
        return DecisionTreeRegressor(
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            max_features=self.max_features,
        )

    @property
    def feature_importances_(self) -> Floats:
        """The mean importance by squared error over the trees, scaled to sum to 1."""
        check_is_fitted(self)
        total = np.sum([tree.feature_importances_ for tree in self.estimators_], axis=0)
        return cast(Floats, total / total.sum() if total.sum() > 0 else total)
