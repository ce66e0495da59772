"""The same network by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.comparison import Answers, Incomparable
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.cascade import CascadeCorrelationClassifier
from dmlib.neural.mlp.pruned import PrunedMLPClassifier
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.neural.mlp_reference import fit_mlp_classifier
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_WORK = 3_000_000  # rows of all epochs
MAX_BATCH = 200
ACTIVATIONS = {"sigmoid": "logistic", "tanh": "tanh", "relu": "relu", "identity": "identity"}


def fit_mlp_regressor(X: Floats, y: Any, model: Any, **params: Any) -> Any:
    """Fit scikit-learn's MLPRegressor with the same seed to the target as ours has scaled it."""
    import warnings

    from sklearn.neural_network import MLPRegressor

    targets = model.targets(y)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Stochastic Optimizer")  # that all epochs were needed
        reference = MLPRegressor(**params).fit(X, targets.Y[:, 0])
    # In the units of y:
    reference.coefs_[-1] *= targets.unit
    reference.intercepts_[-1] = reference.intercepts_[-1] * targets.unit + targets.shift
    return reference


def fit_pruned(X: Floats, y: Any, model: Any, **params: Any) -> Any:
    """Train an MLPClassifier, and retrain it without the connections that were removed."""
    import warnings

    from sklearn.metrics import log_loss
    from sklearn.neural_network import MLPClassifier

    def log_mean_loss() -> None:
        losses.append(log_loss(y, reference.predict_proba(X), labels=reference.classes_))

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Stochastic Optimizer")  # that all epochs were needed
        reference = MLPClassifier(**params).fit(X, y)
    for velocity in reference._optimizer.velocities:
        velocity[:] = 0.0
    reference.set_params(batch_size="auto")
    losses: list[float] = []
    log_mean_loss()
    n_epochs = reference.n_iter_
    rng = np.random.RandomState(params["random_state"])
    masks = [np.ones(W.shape, bool) for W in reference.coefs_]
    for step in model.steps(X, y):
        if step.phase != "prune":
            continue
        masks[step.removed[0]][step.removed[1:]] = False
        reference.coefs_ = [W * mask for W, mask in zip(reference.coefs_, masks, strict=True)]
        for _ in range(model.n_retrain):
            order = rng.permutation(len(X))
            n_epochs += 1
            for first in range(0, len(X), params["batch_size"]):
                batch = order[first : first + params["batch_size"]]
                reference.partial_fit(X[batch], y[batch])
                pairs = zip(reference.coefs_, masks, strict=True)
                reference.coefs_ = [W * mask for W, mask in pairs]
        log_mean_loss()
    reference.loss_curve_, reference.loss_, reference.n_iter_ = losses, losses[-1], n_epochs
    return reference


def fit_cascade(X: Floats, y: Any, model: Any) -> Answers:
    """Train the outputs by MLPClassifier without a hidden layer, on top of more and more units."""
    import warnings

    from sklearn.neural_network import MLPClassifier

    from dmlib.comparison import Answers

    def with_units(rows: Floats, n_units: int) -> Floats:
        units = model.outputs(rows, model.coefs_, model.intercepts_)[:n_units]
        return np.hstack([rows, *units])

    losses: list[float] = []
    coefs, intercepts = np.zeros_like(model.coefs_[-1][: X.shape[1]]), 0 * model.intercepts_[-1]
    for n_units in range(model.n_units_ + 1):
        inputs = with_units(X, n_units)
        reference = MLPClassifier(
            (),
            solver="adam",
            alpha=0.0,
            batch_size=len(X),
            learning_rate_init=model.learning_rate,
            max_iter=1,
            tol=0.0,
            n_iter_no_change=model.max_iter + 1,
            shuffle=False,
            warm_start=True,
        )
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Stochastic Optimizer")  # all epochs are needed
            reference.fit(inputs, y)  # an epoch from weights of its own; then ours, and all epochs
            coefs = np.vstack([coefs, np.zeros((inputs.shape[1] - len(coefs), coefs.shape[1]))])
            reference.coefs_, reference.intercepts_ = [coefs], [intercepts]
            reference.loss_curve_ = []
            reference.set_params(max_iter=model.max_iter).fit(inputs, y)
        (coefs,), (intercepts,) = reference.coefs_, reference.intercepts_
        losses += reference.loss_curve_
    values = {
        "predict": lambda rows: reference.predict(with_units(np.asarray(rows), model.n_units_)),
        "loss_curve_": losses,
    }
    note = "scikit-learn trains the outputs anew. No library adds hidden units: those are ours."
    return Answers("sklearn.neural_network.MLPClassifier", values, note)


def mlp_reference(run: Run[Problem, MLPClassifier | MLPRegressor]) -> Reference:
    """Return the same network by scikit-learn.

    Raises
    ------
    Incomparable
        If it has no such network.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from dmlib.neural import MLPClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> run = Run.of(problem, MLPClassifier((2,), max_iter=2, random_state=0))
    >>> bool(np.allclose(mlp_reference(run).answer(run).coefs_[0], run.fitted.coefs_[0]))
    True
    """
    if isinstance(run.model, CascadeCorrelationClassifier):
        return _cascade_reference(run)
    if reason := _obstacle(run):
        raise Incomparable(f"{reason}.")
    if isinstance(run.model, MLPRegressor):
        return Reference(fit_mlp_regressor, "X", "y", "model", **_params(run))
    if isinstance(run.model, PrunedMLPClassifier):
        return Reference(fit_pruned, "X", "y", "model", **_params(run))
    return Reference(fit_mlp_classifier, "X", "y", **_params(run))


def _obstacle(run: Run[Problem, MLPClassifier | MLPRegressor]) -> str:
    """Return why scikit-learn cannot repeat a run, or nothing."""
    model, fitted = run.model, run.fitted
    loss = model.loss if isinstance(model, MLPClassifier) else "log_loss"
    reasons = {
        "scikit-learn has no softplus units": model.activation not in ACTIVATIONS,
        f"scikit-learn's classifier has no {loss} loss": loss != "log_loss",
        f"scikit-learn's networks do not learn with {model.solver}": (
            model.solver not in ("sgd", "adam")
        ),
        "scikit-learn's networks have no dropout": model.dropout > 0,
        "scikit-learn lets the learning rate decay in another way": model.decay > 0,
        "scikit-learn stops by the accuracy of validation rows, not by their loss": (
            model.early_stopping
        ),
        f"scikit-learn draws other initial weights than {model.init}": (
            not isinstance(model.init, str) or model.init != "glorot"
        ),
        "scikit-learn's network takes at most 200 rows for an update of its own": (
            isinstance(model, PrunedMLPClassifier) and model.batch_size > MAX_BATCH
        ),
        "the weights grew without bound": not fitted.converged_,
        "so many epochs take too long to be repeated": (
            fitted.n_iter_ * len(run.problem.training.X) > MAX_WORK
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _params(run: Run[Problem, MLPClassifier | MLPRegressor]) -> dict[str, Any]:
    model = run.model
    params = {
        "hidden_layer_sizes": model.layer_sizes,
        "activation": ACTIVATIONS[model.activation],
        "solver": model.solver,
        "alpha": model.alpha,
        "batch_size": min(model.batch_size, len(run.problem.training.X)),
        "learning_rate_init": model.learning_rate,
        "max_iter": model.max_iter,
        "n_iter_no_change": model.max_iter,
        "tol": 0.0,
        "shuffle": model.shuffle,
        "random_state": run.seed,
    }
    if model.solver == "sgd":
        params |= {"momentum": model.momentum, "nesterovs_momentum": False}
    return params


def _cascade_reference(run: Run[Problem, Any]) -> Reference:
    model = run.fitted
    if not model.converged_:
        raise Incomparable("the weights grew without bound.")
    if len(model.loss_curve_) * len(run.problem.training.X) > MAX_WORK:
        raise Incomparable("so many epochs take too long to be repeated.")
    return Reference(fit_cascade, "X", "y", "model")
