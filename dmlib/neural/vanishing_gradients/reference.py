"""The same deep network by scikit-learn."""

from __future__ import annotations

from dmlib.comparison import Incomparable
from dmlib.neural.mlp_reference import fit_mlp_classifier
from dmlib.neural.vanishing_gradients.algorithm import DeepMLPClassifier
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_WORK = 1_000_000  # rows of all epochs


def vanishing_gradients_reference(run: Run[Problem, DeepMLPClassifier]) -> Reference:
    """Return the same network by scikit-learn's MLPClassifier.

    Raises
    ------
    Incomparable
        If it has no such network.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from dmlib.neural import DeepMLPClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> run = Run.of(problem, DeepMLPClassifier(2, 3, max_iter=2, random_state=0))
    >>> reference = vanishing_gradients_reference(run).answer(run)
    >>> bool(np.allclose(reference.coefs_[0], run.fitted.coefs_[0]))
    True
    """
    if reason := _obstacle(run):
        raise Incomparable(f"{reason}.")
    model = run.model
    return Reference(
        fit_mlp_classifier,
        "X",
        "y",
        hidden_layer_sizes=(model.n_units,) * model.n_hidden_layers,
        activation={"sigmoid": "logistic"}.get(model.activation, model.activation),
        solver="sgd",
        alpha=0.0,
        batch_size=min(model.batch_size, len(run.problem.training.X)),
        learning_rate_init=model.learning_rate,
        max_iter=model.max_iter,
        momentum=model.momentum,
        nesterovs_momentum=False,
        n_iter_no_change=model.max_iter,
        tol=0.0,
        random_state=run.seed,
    )


def _obstacle(run: Run[Problem, DeepMLPClassifier]) -> str:
    """Return why scikit-learn cannot repeat a run, or nothing."""
    model = run.model
    if model.batch_norm:
        return "scikit-learn has no batch normalisation"
    if not isinstance(model.init, str) or model.init != "glorot":
        return f"scikit-learn draws other initial weights than {model.init}"
    if not run.fitted.converged_:
        return "the weights grew without bound"
    if model.max_iter * len(run.problem.training.X) > MAX_WORK:
        return "so many epochs take too long to be repeated"
    return ""
