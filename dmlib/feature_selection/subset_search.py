"""Searches for the columns that predict a number by least squares, and what searches share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar, Self

from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from dmlib.feature_selection.branch_and_bound import best_subsets
from dmlib.feature_selection.genetic_search import genetic_search
from dmlib.feature_selection.local_search import annealing, local_search
from dmlib.feature_selection.ranges import search_ranges
from dmlib.feature_selection.scores import LeastSquaresScore
from dmlib.feature_selection.search import SearchStep, backward, bidirectional, forward
from dmlib.feature_selection.selector import Selector
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, Spoken

GREEDY = {"forward": forward, "backward": backward, "bidirectional": bidirectional}
SEARCHES = {
    "forward": "Forward selection",
    "backward": "Backward elimination",
    "bidirectional": "Bidirectional search",
    "local": "Local search",
    "annealing": "Simulated annealing",
    "genetic": "Genetic search",
    "best": "Best subset",
}
MOVES: dict[str, Param] = {
    "n_changes": Integer(1, 1000, shown=(1, 5)),
    "start": Choice(("empty", "all")),
    "n_iter": Integer(1, 100_000, shown=(10, 200)),
    "temperature": Number(1e-9, 1e9, shown=(0.001, 1000.0), log=True, none="auto"),
    "cooling": Number(0.01, 1.0, shown=(0.5, 1.0)),
    "population_size": Integer(2, 10_000, shown=(4, 60)),
    "n_generations": Integer(1, 10_000, shown=(1, 60)),
    "mutation": Number(0.0, 1.0, shown=(0.0, 0.5), none="1 / p"),
}
"""Parameters of the searches that leave local optima."""
MOVES_APPLY: Conditions = {
    "n_changes": ("search", ("local",)),
    "start": ("search", ("local",)),
    **dict.fromkeys(("n_iter", "temperature", "cooling"), ("search", ("annealing",))),
    **dict.fromkeys(("population_size", "n_generations", "mutation"), ("search", ("genetic",))),
}
SCORES = {
    "aic": "AIC",
    "bic": "BIC",
    "cp": "Cp",
    "adjusted_r2": "Adjusted R²",
    "cv": "Cross-validated MSE",
    "accuracy": "Cross-validated accuracy",
}
SPOKEN_MOVES = {"search": SEARCHES, "start": {"empty": "no column", "all": "all columns"}}


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
    n_changes: int
    start: str
    n_iter: int
    temperature: float | None
    cooling: float
    population_size: int
    n_generations: int
    mutation: float | None
    random_state: Any

    def scorer(self, X: Any, y: Any) -> Any:
        """Return the measure of sets of columns."""
        raise NotImplementedError

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[SearchStep]:
        """Yield every step; the last is the answer of ``fit``."""
        score = self.scorer(X, y)
        k = self.n_features_to_select
        if k is not None:
            k = min(k, score.n_features)
        yield from self._search()(score, k)

    def _search(self) -> Callable[[Any, int | None], Iterator[SearchStep]]:
        if self.search == "local":
            return partial(local_search, n_changes=self.n_changes, start=self.start)
        if self.search == "annealing":
            return partial(
                annealing,
                n_iter=self.n_iter,
                temperature=self.temperature,
                cooling=self.cooling,
                rng=check_random_state(self.random_state),
            )
        if self.search == "genetic":
            return partial(
                genetic_search,
                population_size=self.population_size,
                n_generations=self.n_generations,
                mutation=self.mutation,
                rng=check_random_state(self.random_state),
            )
        return best_subsets if self.search == "best" else GREEDY[self.search]

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Search the columns of ``X`` that predict ``y``."""
        self._remember_columns(X)
        steps = list(self.steps(X, y))
        last = steps[-1]
        self.support_, self.value_, self.n_evaluated_ = last.support, last.value, last.n_evaluated
        moves = ("start", "add", "remove", "change", "accept", "generation")
        way = tuple(step.subset for step in steps if step.phase in moves)
        self.subsets_ = last.best if self.search == "best" else way
        return self


class SubsetSearch(Search):
    r"""Choose columns for least squares by adding and removing them, or the best set of all.

    Parameters
    ----------
    search : str, default="forward"
        "forward", from no column upwards; "backward", from all columns downwards; "bidirectional",
        the better of both at each step; "local", the best set in which up to ``n_changes`` columns
        differ; "annealing", simulated annealing; "genetic", a population of sets that are crossed
        and mutated; "best", the best set of each size by branch and bound, and of these the one
        with the best score.
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
        Shuffles the rows before they are cut into folds; draws the sets of annealing and of the
        genetic search.
    n_changes : int, default=2
        Local search: how many columns may be added or removed at once.
    start : {"empty", "all"}, default="empty"
        Local search: the first set.
    n_iter : int, default=100
        Annealing: how many sets are proposed.
    temperature : float or None, default=None
        Annealing: the first temperature, in units of the score; None is the standard deviation of
        the scores of the sets with one column more or less than the first.
    cooling : float, default=0.95
        Annealing: by what the temperature is multiplied after each proposal.
    population_size : int, default=20
        Genetic search: how many sets a generation has.
    n_generations : int, default=20
        Genetic search: how many generations follow the first.
    mutation : float or None, default=None
        Genetic search: the probability with which a column of a child changes; None is 1 / p for p
        columns.

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
        than 20 columns, or a step of the local search more than 1023 sets.

    Notes
    -----
    Greedy searches score O(p²) sets, each in O(p³) after one QR decomposition, whatever the number
    of rows. "best" may need 2^p nodes, usually far fewer. Of equal scores the set of the first
    columns wins, also where columns are removed; a gain below 1e-12 of the score is none. With a
    given size, "bidirectional" is the floating search of Pudil et al. A set without a residual
    degree of freedom has no score.

    A local search with as many changes as columns compares all sets. With a given size it takes
    those whose size is nearest to it, and then only sets of that size; annealing exchanges a column
    for another. It draws the first set, column by column with probability 1/2, proposes a set with
    another column, and accepts one that is worse by d with probability exp(-d / T).

    The genetic search keeps its best set. Each other set of a generation is a child of two parents,
    each the better of two sets that are drawn: it has the columns before a cut from one and the
    others from the other (one-point crossover), then each changes with the mutation probability.
    With a given size columns join or leave at random until there are as many. At most
    ``population_size * (n_generations + 1)`` sets are scored.

    References
    ----------
    C. L. Mallows (1973), Some comments on Cp. Technometrics 15.
    G. M. Furnival and R. W. Wilson (1974), Regressions by leaps and bounds. Technometrics 16.
    P. Pudil, J. Novovičová and J. Kittler (1994), Floating search methods in feature selection.
    Pattern Recognition Letters 15. T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of
    Statistical Learning, sections 3.3 and 7.5.
    S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi (1983), Optimization by simulated annealing.
    Science 220. N. Metropolis et al. (1953), Equation of state calculations by fast computing
    machines. J. Chem. Phys. 21. S. R. White (1984), Concepts of scale in simulated annealing.
    J. H. Holland (1975), Adaptation in Natural and Artificial Systems. W. Siedlecki and J. Sklansky
    (1989), A note on genetic algorithms for large-scale feature selection. Pattern Recognition
    Letters 10. D. E. Goldberg and K. Deb (1991), A comparative analysis of selection schemes used
    in genetic algorithms.

    Examples
    --------
    >>> from numpy.random import default_rng
    >>> X = default_rng(0).normal(size=(40, 4))
    >>> SubsetSearch().fit(X, 3 * X[:, 1] - X[:, 3]).get_support().tolist()
    [False, True, False, True]
    """

    APPLIES: ClassVar[Conditions] = {"cv": ("scoring", ("cv",)), **MOVES_APPLY}
    PARAMS: ClassVar[dict[str, Param]] = {
        "search": Choice(tuple(SEARCHES)),
        "scoring": Choice(("aic", "bic", "cp", "adjusted_r2", "cv")),
        "n_features_to_select": Integer(1, 1000, shown=(1, 20), none="auto"),
        "cv": Integer(2, 10_000, shown=(2, 20)),
        **MOVES,
    }
    RANGES: ClassVar[Ranges] = staticmethod(search_ranges)
    SPOKEN: ClassVar[Spoken] = {**SPOKEN_MOVES, "scoring": SCORES}

    def __init__(
        self,
        *,
        search: str = "forward",
        scoring: str = "aic",
        n_features_to_select: int | None = None,
        cv: int = 5,
        random_state: Any = None,
        n_changes: int = 2,
        start: str = "empty",
        n_iter: int = 100,
        temperature: float | None = None,
        cooling: float = 0.95,
        population_size: int = 20,
        n_generations: int = 20,
        mutation: float | None = None,
    ) -> None:
        self.search = search
        self.scoring = scoring
        self.n_features_to_select = n_features_to_select
        self.cv = cv
        self.random_state = random_state
        self.n_changes = n_changes
        self.start = start
        self.n_iter = n_iter
        self.temperature = temperature
        self.cooling = cooling
        self.population_size = population_size
        self.n_generations = n_generations
        self.mutation = mutation

    def scorer(self, X: Any, y: Any) -> LeastSquaresScore:
        """Return the criterion on these rows, a function of sets of columns."""
        X, y = self._check_numbers(X, y)
        return LeastSquaresScore(X, y, self.scoring, self.cv, self.random_state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def forward_selection(X: Any, y: ArrayLike, **params: Any) -> SubsetSearch:
    """Return a fitted :class:`SubsetSearch` from no column upwards.

    The other parameters are ``params``.

    Examples
    --------
    >>> from numpy.random import default_rng
    >>> X = default_rng(0).normal(size=(30, 3))
    >>> forward_selection(X, X[:, 2], n_features_to_select=1).get_support(indices=True).tolist()
    [2]
    """
    return SubsetSearch(search="forward", **params).fit(X, y)


def backward_elimination(X: Any, y: ArrayLike, **params: Any) -> SubsetSearch:
    """Return a fitted :class:`SubsetSearch` from all columns downwards.

    The other parameters are ``params``.

    Examples
    --------
    >>> from numpy.random import default_rng
    >>> X = default_rng(0).normal(size=(30, 3))
    >>> backward_elimination(X, X[:, 2], n_features_to_select=1).get_support(indices=True).tolist()
    [2]
    """
    return SubsetSearch(search="backward", **params).fit(X, y)


def bidirectional_search(X: Any, y: ArrayLike, **params: Any) -> SubsetSearch:
    """Return a fitted :class:`SubsetSearch` that adds or removes a column.

    The other parameters are ``params``.

    Examples
    --------
    >>> from numpy.random import default_rng
    >>> X = default_rng(0).normal(size=(30, 3))
    >>> bidirectional_search(X, X[:, 2], scoring="bic").get_support(indices=True).tolist()
    [2]
    """
    return SubsetSearch(search="bidirectional", **params).fit(X, y)


def best_subset(X: Any, y: ArrayLike, **params: Any) -> SubsetSearch:
    """Return a fitted :class:`SubsetSearch` by branch and bound.

    The other parameters are ``params``.

    Examples
    --------
    >>> from numpy.random import default_rng
    >>> X = default_rng(0).normal(size=(30, 3))
    >>> best_subset(X, X[:, 2], n_features_to_select=1).subsets_
    ((), (2,), (0, 2), (0, 1, 2))
    """
    return SubsetSearch(search="best", **params).fit(X, y)
