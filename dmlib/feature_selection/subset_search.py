"""Searches for the columns that predict a number by least squares, or classes by a classifier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets

from dmlib.evaluation import models
from dmlib.feature_selection.branch_and_bound import best_subsets
from dmlib.feature_selection.model_score import CLASSIFIERS, ModelScore
from dmlib.feature_selection.ranges import search_ranges
from dmlib.feature_selection.scores import ClassifierScore, LeastSquaresScore
from dmlib.feature_selection.search import SearchStep, backward, bidirectional, forward
from dmlib.feature_selection.selector import Selector
from dmlib.params import Choice, Conditions, Integer, Param, Ranges, Spoken, check_params

GREEDY = {"forward": forward, "backward": backward, "bidirectional": bidirectional}
SEARCHES = {
    "forward": "Forward selection",
    "backward": "Backward elimination",
    "bidirectional": "Bidirectional search",
    "best": "Best subset",
}
SCORES = {
    "aic": "AIC",
    "bic": "BIC",
    "cp": "Cp",
    "adjusted_r2": "Adjusted R²",
    "cv": "Cross-validated MSE",
    "accuracy": "Cross-validated accuracy",
}


class Search(Selector):
    """Base of the searches: the steps, and the fitted attributes.

    Attributes
    ----------
    n_features_to_select : int or None
        The size of the set; None goes on while the score improves.
    search : str
        A key of ``SEARCHES``.
    """

    n_features_to_select: int | None
    search: str

    def scorer(self, X: Any, y: Any) -> Any:
        """Return the measure of sets of columns."""
        raise NotImplementedError

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[SearchStep]:
        """Yield every step; the last is the answer of ``fit``."""
        score = self.scorer(X, y)
        k = self.n_features_to_select
        if k is not None:
            k = min(k, score.n_features)
        search = best_subsets if self.search == "best" else GREEDY[self.search]
        yield from search(score, k)

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Search the columns of ``X`` that predict ``y``."""
        self._remember_columns(X)
        steps = list(self.steps(X, y))
        last = steps[-1]
        self.support_, self.value_, self.n_evaluated_ = last.support, last.value, last.n_evaluated
        moves = [step for step in steps if step.phase in ("start", "add", "remove")]
        self.subsets_ = last.best if self.search == "best" else tuple(step.subset for step in moves)
        return self


class SubsetSearch(Search):
    r"""Choose columns for least squares by adding and removing them, or the best set of all.

    Parameters
    ----------
    search : {"forward", "backward", "bidirectional", "best"}, default="forward"
        From no column upwards; from all columns downwards; the better of both at each step; the
        best set of each size by branch and bound, and of these the one with the best score.
    scoring : {"aic", "bic", "cp", "adjusted_r2", "cv"}, default="aic"
        The criterion: AIC and BIC as n ln(SSE/n) plus 2 or ln(n) for each coefficient; Mallows' Cp
        = SSE/s² - n + 2(k+1) with s² from all columns; adjusted R², which is to be large; the mean
        squared error of cross-validation.
    n_features_to_select : int or None, default=None
        The size of the set; None goes on while the score improves. More than there are columns
        means all.
    cv : int, default=5
        Folds of cross-validation; at most one for each row.
    random_state : int, RandomState or None
        Shuffles the rows before they are cut into folds.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Which columns are chosen.
    value_ : float
        Their score.
    subsets_ : tuple of tuple of int
        The sets on the way; with "best", the best set of each size.
    n_evaluated_ : int
        How many sets were scored.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If all targets are equal, or Cp has no degree of freedom for the noise, or "best" has more
        than 20 columns.

    Notes
    -----
    Greedy searches score O(p²) sets, each in O(p³) after one QR decomposition, whatever the number
    of rows. "best" may need 2^p nodes, usually far fewer. Of equal scores the set of the first
    columns wins, also where columns are removed; a gain below 1e-12 of the score is none. With a
    given size, "bidirectional" is the floating search of Pudil et al. A set without a residual
    degree of freedom has no score.

    References
    ----------
    C. L. Mallows (1973), Some comments on Cp. Technometrics 15.
    G. M. Furnival and R. W. Wilson (1974), Regressions by leaps and bounds. Technometrics 16.
    P. Pudil, J. Novovičová and J. Kittler (1994), Floating search methods in feature selection.
    Pattern Recognition Letters 15. T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of
    Statistical Learning, sections 3.3 and 7.5.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(40, 4))
    >>> SubsetSearch().fit(X, 3 * X[:, 1] - X[:, 3]).get_support().tolist()
    [False, True, False, True]
    """

    APPLIES: ClassVar[Conditions] = {"cv": ("scoring", ("cv",))}
    PARAMS: ClassVar[dict[str, Param]] = {
        "search": Choice((*GREEDY, "best")),
        "scoring": Choice(("aic", "bic", "cp", "adjusted_r2", "cv")),
        "n_features_to_select": Integer(1, 1000, shown=(1, 20), none="auto"),
        "cv": Integer(2, 10_000, shown=(2, 20)),
    }
    RANGES: ClassVar[Ranges] = staticmethod(search_ranges)
    SPOKEN: ClassVar[Spoken] = {"search": SEARCHES, "scoring": SCORES}

    def __init__(
        self,
        *,
        search: str = "forward",
        scoring: str = "aic",
        n_features_to_select: int | None = None,
        cv: int = 5,
        random_state: Any = None,
    ) -> None:
        self.search = search
        self.scoring = scoring
        self.n_features_to_select = n_features_to_select
        self.cv = cv
        self.random_state = random_state

    def scorer(self, X: Any, y: Any) -> LeastSquaresScore:
        """Return the criterion on these rows, a function of sets of columns."""
        X, y = self._check_numbers(X, y)
        return LeastSquaresScore(X, y, self.scoring, self.cv, self.random_state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class WrapperSearch(Search):
    """Choose columns for a classifier by its cross-validated accuracy.

    Parameters
    ----------
    search : {"forward", "backward", "bidirectional"}, default="forward"
        From no column upwards; from all columns downwards; the better of both at each step.
    classifier : str, default="naive_bayes"
        The classifier, by its name. Gaussian naive Bayes weighs each column alone; k nearest
        neighbours and most others need all columns at once.
    n_features_to_select : int or None, default=None
        The size of the set; None goes on while the accuracy improves. More than there are columns
        means all.
    n_neighbors : int, default=5
        The neighbours that vote.
    cv : int, default=5
        Folds of cross-validation; at most one for each row.
    random_state : int, RandomState or None
        Shuffles the rows before they are cut into folds.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Which columns are chosen.
    value_ : float
        Their accuracy.
    subsets_ : tuple of tuple of int
        The sets on the way.
    n_evaluated_ : int
        How many sets were scored.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Notes
    -----
    O(p²) sets are scored, each by as many fits as there are folds. Distances are those of the
    columns as they are. Of equal accuracies the first set wins, of equal votes the first class, of
    equal distances the earlier row. Accuracies that were searched for the best are optimistic:
    judge the set on other rows.

    References
    ----------
    R. Kohavi and G. H. John (1997), Wrappers for feature subset selection. Artificial Intelligence
    97.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.choice([-1.0, 1.0], size=(80, 2)) + rng.normal(scale=0.2, size=(80, 2))
    >>> y = X[:, 0] * X[:, 1] > 0
    >>> search = WrapperSearch(search="backward", classifier="knn", random_state=0)
    >>> search.fit(X, y).support_.tolist()
    [True, True]
    """

    APPLIES: ClassVar[Conditions] = {"n_neighbors": ("classifier", ("knn",))}
    PARAMS: ClassVar[dict[str, Param]] = {
        "search": Choice(tuple(GREEDY)),
        "classifier": Choice(CLASSIFIERS),
        "n_features_to_select": Integer(1, 1000, shown=(1, 20), none="auto"),
        "n_neighbors": Integer(1, 1000, shown=(1, 30)),
        "cv": Integer(2, 10_000, shown=(2, 20)),
    }
    RANGES: ClassVar[Ranges] = staticmethod(search_ranges)
    SPOKEN: ClassVar[Spoken] = {"search": SEARCHES, "classifier": models.TITLES}
    scoring = "accuracy"

    def __init__(
        self,
        *,
        search: str = "forward",
        classifier: str = "naive_bayes",
        n_features_to_select: int | None = None,
        n_neighbors: int = 5,
        cv: int = 5,
        random_state: Any = None,
    ) -> None:
        self.search = search
        self.classifier = classifier
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.cv = cv
        self.random_state = random_state

    def scorer(self, X: Any, y: Any) -> ClassifierScore | ModelScore:
        """Return the accuracy on these rows, a function of sets of columns."""
        check_params(self.PARAMS, self.get_params())
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        X, y = check_X_y(X, y, dtype=np.float64, ensure_min_samples=2, estimator=self)
        check_classification_targets(y)
        _, codes = np.unique(y, return_inverse=True)
        return classifier_score(self, X, codes, self.cv, self.random_state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def classifier_score(
    model: WrapperSearch, X: Any, codes: Any, cv: int, random_state: Any
) -> ClassifierScore | ModelScore:
    """Return the accuracy of a search's classifier.

    Naive Bayes and nearest neighbours share work among the sets.
    """
    if model.classifier in ("naive_bayes", "knn"):
        return ClassifierScore(
            X,
            codes,
            model.classifier,
            n_neighbors=model.n_neighbors,
            cv=cv,
            random_state=random_state,
        )
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    return ModelScore(X, codes, model.classifier, cv=cv, seed=seed)


def forward_selection(X: Any, y: ArrayLike, **params: Any) -> SubsetSearch:
    """Return a fitted :class:`SubsetSearch` from no column upwards.

    The other parameters are ``params``.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(30, 3))
    >>> forward_selection(X, X[:, 2], n_features_to_select=1).get_support(indices=True).tolist()
    [2]
    """
    return SubsetSearch(search="forward", **params).fit(X, y)


def backward_elimination(X: Any, y: ArrayLike, **params: Any) -> SubsetSearch:
    """Return a fitted :class:`SubsetSearch` from all columns downwards.

    The other parameters are ``params``.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(30, 3))
    >>> backward_elimination(X, X[:, 2], n_features_to_select=1).get_support(indices=True).tolist()
    [2]
    """
    return SubsetSearch(search="backward", **params).fit(X, y)


def bidirectional_search(X: Any, y: ArrayLike, **params: Any) -> SubsetSearch:
    """Return a fitted :class:`SubsetSearch` that adds or removes a column.

    The other parameters are ``params``.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(30, 3))
    >>> bidirectional_search(X, X[:, 2], scoring="bic").get_support(indices=True).tolist()
    [2]
    """
    return SubsetSearch(search="bidirectional", **params).fit(X, y)


def best_subset(X: Any, y: ArrayLike, **params: Any) -> SubsetSearch:
    """Return a fitted :class:`SubsetSearch` by branch and bound.

    The other parameters are ``params``.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(30, 3))
    >>> best_subset(X, X[:, 2], n_features_to_select=1).subsets_
    ((), (2,), (0, 2), (0, 1, 2))
    """
    return SubsetSearch(search="best", **params).fit(X, y)
