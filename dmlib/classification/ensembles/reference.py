"""The same ensemble by scikit-learn."""

from __future__ import annotations

from typing import Any

from dmlib.classification.ensembles.bagging import BaggingClassifier
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

SHARED = ("n_estimators", "bootstrap", "random_state")
OF_TREES = ("max_depth", "criterion")
OF_A_FOREST = (*OF_TREES, "min_samples_split", "min_samples_leaf", "max_leaf_nodes", "max_features")


def fit_bagging(X: Any, y: Any, tree: dict[str, Any], **params: Any) -> Any:
    """Fit scikit-learn's bagging of dmlib's trees, as its own trees draw among equal splits."""
    from sklearn.ensemble import BaggingClassifier

    from dmlib.classification import DecisionTreeClassifier

    return BaggingClassifier(DecisionTreeClassifier(**tree), **params).fit(X, y)


def ensembles_reference(run: Run[Problem, VotingClassifier]) -> Reference:
    """Return scikit-learn's bagging of the same trees with the same seed.

    It draws the same bags, gives the trees the same seeds and averages their class frequencies. The
    trees are compared with those of scikit-learn on the page of decision trees.

    Raises
    ------
    Incomparable
        If scikit-learn takes no such columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "c": list("nyny")})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> run = Run.of(problem, BaggingClassifier(n_estimators=3, random_state=0))
    >>> answer = ensembles_reference(run).answer(run)
    >>> bool((answer.predict_proba(problem.X) == run.fitted.predict_proba(problem.X)).all())
    True
    """
    model, fitted = run.model, run.fitted
    if not hasattr(run.problem.training.data, "dtype"):
        raise Incomparable("scikit-learn's BaggingClassifier hands on numeric columns only.")
    names = OF_TREES if isinstance(model, BaggingClassifier) else OF_A_FOREST
    tree = {name: getattr(model, name) for name in names}
    params = {name: getattr(model, name) for name in SHARED}
    params["max_samples"] = len(fitted.estimators_samples_[0])
    params["max_features"] = len(fitted.estimators_features_[0])
    return Reference(fit_bagging, "X", "y", tree=tree, **params)
