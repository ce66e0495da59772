"""Searches for the columns that predict classes by a classifier of any kind."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets

from dmlib.evaluation import models
from dmlib.feature_selection.model_score import CLASSIFIERS, ModelScore
from dmlib.feature_selection.ranges import search_ranges
from dmlib.feature_selection.scores import ClassifierScore
from dmlib.feature_selection.subset_search import MOVES, MOVES_APPLY, SEARCHES, SPOKEN_MOVES, Search
from dmlib.params import Choice, Conditions, Integer, Param, Ranges, Spoken, check_params


class WrapperSearch(Search):
    """Choose columns for a classifier by its cross-validated accuracy.

    Parameters
    ----------
    search : {"forward", "backward", "bidirectional", "local", "annealing", "genetic"}, \
            default="forward"
        From no column upwards; from all columns downwards; the better of both at each step; the
        best set in which up to ``n_changes`` columns differ; simulated annealing; a genetic search.
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
        Their accuracy.
    subsets_ : tuple of tuple of int
        The sets on the way.
    n_evaluated_ : int
        How many sets were scored.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Notes
    -----
    Greedy searches score O(p²) sets, each by as many fits as there are folds. Distances are those
    of the columns as they are. Of equal accuracies the first set wins, of equal votes the first
    class, of equal distances the earlier row. Accuracies that were searched for the best are
    optimistic: judge the set on other rows. See :class:`SubsetSearch` on local search, annealing
    and genetic search.

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

    APPLIES: ClassVar[Conditions] = {"n_neighbors": ("classifier", ("knn",)), **MOVES_APPLY}
    PARAMS: ClassVar[dict[str, Param]] = {
        "search": Choice(tuple(each for each in SEARCHES if each != "best")),
        "classifier": Choice(CLASSIFIERS),
        "n_features_to_select": Integer(1, 1000, shown=(1, 20), none="auto"),
        "n_neighbors": Integer(1, 1000, shown=(1, 30)),
        "cv": Integer(2, 10_000, shown=(2, 20)),
        **MOVES,
    }
    RANGES: ClassVar[Ranges] = staticmethod(search_ranges)
    SPOKEN: ClassVar[Spoken] = {**SPOKEN_MOVES, "classifier": models.TITLES}
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
        self.classifier = classifier
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
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
