"""The same walk by scikit-learn's optimisers of neural networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.neural.gradient_descent.algorithm import GradientDescent
from dmlib.neural.gradient_descent.optimizers import OPTIMIZERS
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run

SUPPORTED = ("gradient", "momentum", "nesterov", "adam")


def last_place(surface: Any, name: str, rate: float, start: Any, steps: Any, model: Any) -> Any:
    """Return the place to which one of scikit-learn's optimisers leads in these steps."""
    from sklearn.neural_network._stochastic_optimizers import AdamOptimizer, SGDOptimizer

    place = np.array(start, float)
    momentum = 0.0 if name == "gradient" else model.momentum
    if name == "adam":
        optimizer = AdamOptimizer([place], rate, model.beta_1, model.beta_2)
    else:
        optimizer = SGDOptimizer([place], rate, momentum=momentum, nesterov=False)
    for step in steps:
        if name == "adam":
            optimizer.learning_rate_init = step.factor * rate
            # Its epsilon is added before the root is corrected for its start at 0, ours after it.
            optimizer.epsilon = 1e-8 * np.sqrt(1 - model.beta_2**step.iteration)
        else:
            optimizer.learning_rate = step.factor * rate
        ahead = momentum * optimizer.velocities[0] if name == "nesterov" else 0.0
        optimizer.update_params([place], [surface.gradient(place + ahead, step.batch)])
    return place


def walk(X: Any, model: Any) -> Answers:
    """Let scikit-learn's optimisers walk from the same starts, with the same batches."""
    from dmlib.comparison import Answers

    steps = list(model.steps(X))
    starts = steps[0].places
    optimizers = model.optimizers(X, starts[0])
    places = []
    for i, start in enumerate(starts):
        name = model.names[i // model.n_starts]
        times = range(1, len(steps) - 1)
        moves = [steps[t] for t in times if steps[t - 1].status[i] == "moving"]
        places.append(last_place(X, name, optimizers[name].rate, start, moves, model))
    values = X.value(np.array(places))
    lowest = int(values.argmin())
    curvature = np.linalg.eigvalsh(X.hessian(places[lowest]))[-1]
    answers = {
        "places_": np.array(places),
        "values_": values,
        "best_place_": places[lowest],
        "best_value_": values[lowest],
        "stable_rate_": 2 / curvature if curvature > 0 else np.inf,
    }
    return Answers("sklearn.neural_network._stochastic_optimizers", answers)


def gradient_descent_reference(run: Run[Any, GradientDescent]) -> Reference:
    """Return the same walk by scikit-learn's optimisers.

    Raises
    ------
    Incomparable
        If it has not all of the optimisers, or a walker stopped where the function has no value.

    Examples
    --------
    >>> from dmlib.neural import GradientDescent
    >>> from dmlib.problem import prepare_surface
    >>> problem = prepare_surface("x^2 + y^2")
    >>> model = GradientDescent("gradient", learning_rate=0.25, max_iter=1, init=[1.0, 2.0])
    >>> run = Run.of(problem, model)
    >>> gradient_descent_reference(run).answer(run).places_.tolist()
    [[0.5, 1.0]]
    """
    names = [OPTIMIZERS[name].title for name in run.model.names if name not in SUPPORTED]
    if names:
        raise Incomparable(
            f"scikit-learn has no {' and no '.join(names)}. Switch it off to compare the others."
        )
    if {"undefined", "singular"} & set(run.trace.steps[-1].status):
        raise Incomparable("a walker stopped where the function has no value.")
    return Reference(walk, "X", "model", helpers=(last_place,))
