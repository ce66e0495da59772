"""The same ensemble by scikit-learn, and the code that asks for it."""

from __future__ import annotations

from typing import Any

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.ensembles.bagging import BaggingClassifier
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run

SHARED = ("max_depth", "criterion")
OF_A_FOREST = (*SHARED, "min_samples_split", "min_samples_leaf", "max_leaf_nodes", "max_features")


def ensembles_reference(run: Run) -> Any:
    """Return scikit-learn's BaggingClassifier over the same trees, fitted to ``X, y`` with the same seed.

    It draws the same bags, gives the trees the same seeds and averages what they say. Its own trees
    would break ties between splits at random; those of the project are compared with them on the
    page of decision trees.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "c": list("nyny")})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> run = Run.of(problem, BaggingClassifier(n_estimators=3, random_state=0))
    >>> (ensembles_reference(run).predict_proba(problem.X) == run.fitted.predict_proba(problem.X)).all()
    np.True_
    """
    from sklearn import ensemble

    X, y = run.problem.training.arguments
    if not hasattr(X, "dtype"):
        raise Incomparable("scikit-learn's BaggingClassifier hands on numeric columns only.")
    return ensemble.BaggingClassifier(_tree(run.model), **_drawing(run)).fit(X, y)


def _tree(model: Any) -> DecisionTreeClassifier:
    names = SHARED if isinstance(model, BaggingClassifier) else OF_A_FOREST
    return DecisionTreeClassifier(**{name: getattr(model, name) for name in names})


def _drawing(run: Run) -> dict[str, Any]:
    """Return what scikit-learn's bagging is told of the draws."""
    model = run.fitted
    sizes = {
        "max_samples": len(model.estimators_samples_[0]),
        "max_features": len(model.estimators_features_[0]),
    }
    return {
        name: getattr(run.model, name) for name in ("n_estimators", "bootstrap", "random_state")
    } | sizes


def ensembles_code(run: Run) -> str:
    """Return code that fits scikit-learn's classifier as ``reference`` to ``X, y``, after ``model``."""
    model = run.model
    tree = ", ".join(
        f"{name}={value!r}"
        for name, value in _tree(model).get_params().items()
        if value != _plain(name)
    )
    drawn = ", ".join(f"{name}={value!r}" for name, value in _drawing(run).items())
    return f"""
# Bagging by scikit-learn, over trees of the project: those of scikit-learn break ties between
# splits at random.
import numpy as np
import pandas as pd
from sklearn import ensemble

from dmlib.classification import DecisionTreeClassifier

table = pd.get_dummies(pd.DataFrame(X), dtype=float).to_numpy()
reference = ensemble.BaggingClassifier(DecisionTreeClassifier({tree}), {drawn})
reference.fit(table, y)
print("Training error:", (model.predict(X) != y).mean())
print("Training error, by the library:", (reference.predict(table) != y).mean())
"""


def _plain(name: str) -> Any:
    return DecisionTreeClassifier().get_params()[name]
