"""The errors of the same splits by scikit-learn, and the code that asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from dmlib.comparison import Answers, Incomparable
from dmlib.evaluation.models import made
from dmlib.evaluation.resampling.splitting import NESTED
from dmlib.pictures.run import Run

WHY = (
    "scikit-learn has no call that returns what inner folds choose as this page does; its tests"
    " compare the folds."
)


def resampling_reference(run: Run) -> Any:
    """Return scikit-learn's errors of the same model on the same splits."""
    from sklearn.model_selection import cross_val_score

    model = run.fitted
    if model.scheme == NESTED:
        raise Incomparable(WHY)
    X, y = run.problem.training.arguments
    judged = made(model.model, int(check_random_state(model.random_state).randint(2**31 - 1)))
    cv = [(split.train, split.test) for split in model.splits_]
    scoring = "neg_mean_squared_error" if model.NUMBERS else "accuracy"
    found = cross_val_score(judged, model.learned_from(X), np.asarray(y), cv=cv, scoring=scoring)
    return Answers(
        "sklearn.model_selection: cross_val_score",
        {"errors_": -found if model.NUMBERS else 1 - found},
    )


def resampling_code(run: Run) -> str:
    """Return code that computes scikit-learn's errors as ``reference``, after ``model``."""
    scoring, sign = (
        ('"neg_mean_squared_error"', "-") if run.model.NUMBERS else ('"accuracy"', "1 - ")
    )
    return f"""
# The errors of the same splits with scikit-learn
from types import SimpleNamespace

from dmlib.evaluation.models import made
from sklearn.model_selection import cross_val_score
from sklearn.utils import check_random_state

cv = [(split.train, split.test) for split in model.splits_]
seed = int(check_random_state(model.random_state).randint(2**31 - 1))
scores = cross_val_score(made(model.model, seed), model.learned_from(X), y, cv=cv, scoring={scoring})
reference = SimpleNamespace(errors_={sign}scores)
"""
