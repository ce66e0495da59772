"""Searches for the columns that predict a number by a regression of any kind."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.utils import RegressorTags, check_random_state

from dmlib.evaluation import models
from dmlib.feature_selection.model_score import REGRESSORS, ModelScore
from dmlib.feature_selection.ranges import search_ranges
from dmlib.feature_selection.subset_search import MOVES, MOVES_APPLY, SEARCHES, SPOKEN_MOVES, Search
from dmlib.params import Choice, Conditions, Integer, Param, Ranges, Spoken


class RegressorSearch(Search):
    """Choose columns for a regression by its cross-validated squared error.

    Parameters
    ----------
    search : {"forward", "backward", "bidirectional", "local", "annealing", "genetic"}, \
            default="forward"
        From no column upwards; from all columns downwards; the better of both at each step; the
        best set in which up to ``n_changes`` columns differ; simulated annealing; a genetic search.
    regressor : str, default="knn_regression"
        The regression, by its name.
    n_features_to_select : int or None, default=None
        The size of the set; None goes on while the error falls. More than there are columns means
        all.
    cv : int, default=5
        Folds of cross-validation; at most one for each row.
    random_state : int, RandomState or None
        Shuffles the rows before they are cut into folds, is that of the regression,
        and draws the sets of annealing and of the genetic search.
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
        Their mean squared error.
    subsets_ : tuple of tuple of int
        The sets on the way.
    n_evaluated_ : int
        How many sets were scored.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If all targets are equal.

    Notes
    -----
    Greedy searches score O(p²) sets, each by as many fits as there are folds. Of equal errors the
    first set wins. Errors that were searched for the smallest are optimistic: judge the set on
    other rows. See :class:`SubsetSearch` on local search, annealing and genetic search.

    References
    ----------
    R. Kohavi and G. H. John (1997), Wrappers for feature subset selection. Artificial Intelligence
    97.

    Examples
    --------
    >>> from numpy.random import default_rng
    >>> X = default_rng(0).normal(size=(60, 3))
    >>> RegressorSearch(random_state=0).fit(X, X[:, 1] ** 2).support_.tolist()
    [False, True, False]
    """

    APPLIES: ClassVar[Conditions] = MOVES_APPLY
    PARAMS: ClassVar[dict[str, Param]] = {
        "search": Choice(tuple(each for each in SEARCHES if each != "best")),
        "regressor": Choice(REGRESSORS),
        "n_features_to_select": Integer(1, 1000, shown=(1, 20), none="auto"),
        "cv": Integer(2, 10_000, shown=(2, 20)),
        **MOVES,
    }
    RANGES: ClassVar[Ranges] = staticmethod(search_ranges)
    SPOKEN: ClassVar[Spoken] = {**SPOKEN_MOVES, "regressor": models.TITLES}
    scoring = "cv"

    def __init__(
        self,
        *,
        search: str = "forward",
        regressor: str = "knn_regression",
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
        self.regressor = regressor
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

    def scorer(self, X: Any, y: Any) -> ModelScore:
        """Return the error on these rows, a function of sets of columns."""
        X, y = self._check_numbers(X, y)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        return ModelScore(X, y, self.regressor, numbers=True, cv=self.cv, seed=seed)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.regressor_tags = RegressorTags()
        return tags
