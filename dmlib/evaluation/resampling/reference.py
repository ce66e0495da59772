"""The errors of the same splits by scikit-learn."""

from __future__ import annotations

from typing import Any

from dmlib.comparison import Answers, Incomparable
from dmlib.evaluation.resampling.base import Resampling
from dmlib.evaluation.resampling.splitting import NESTED
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def cross_validate(model: Any, X: Any, y: Any) -> Answers:
    """Test scikit-learn's way the same model on the same splits."""
    from sklearn.model_selection import cross_val_score
    from sklearn.utils import check_random_state

    from dmlib.comparison import Answers
    from dmlib.evaluation.models import fresh_model

    seed = int(check_random_state(model.random_state).randint(2**31 - 1))
    estimator = fresh_model(model.model, seed)
    splits = [(split.train, split.test) for split in model.splits_]
    columns = model.learned_from(X)
    if model.NUMBERS:
        scores = cross_val_score(estimator, columns, y, cv=splits, scoring="neg_mean_squared_error")
        errors = -scores
    else:
        errors = 1 - cross_val_score(estimator, columns, y, cv=splits, scoring="accuracy")
    return Answers("sklearn.model_selection: cross_val_score", {"errors_": errors})


def resampling_reference(run: Run[Problem, Resampling]) -> Reference:
    """Return the errors of the same splits by scikit-learn.

    Raises
    ------
    Incomparable
        If the folds are nested.
    """
    if run.model.scheme == NESTED:
        raise Incomparable(
            "scikit-learn has no call that returns what inner folds choose as this page does; its"
            " tests compare the folds."
        )
    return Reference(cross_validate, "model", "X", "y")
