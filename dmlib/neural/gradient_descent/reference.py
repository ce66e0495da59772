"""The same walk by scikit-learn's optimisers, and the code that takes it."""

from __future__ import annotations

from inspect import getsource
from itertools import pairwise
from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.neural.gradient_descent.optimizers import OPTIMIZERS
from dmlib.pictures.run import Run

THEIRS = ("gradient", "momentum", "nesterov", "adam")


def sklearn_walk(
    surface: Any, name: str, start: Any, rate: float, steps: Any, momentum: float, betas: Any
) -> Any:
    """Return where scikit-learn's optimiser of neural networks ends; a step has its factor and its rows."""
    from sklearn.neural_network._stochastic_optimizers import AdamOptimizer, SGDOptimizer

    place = np.array(start, float)
    if name == "adam":
        optimizer = AdamOptimizer([place], rate, *betas)
    else:
        optimizer = SGDOptimizer(
            [place], rate, momentum=0.0 if name == "gradient" else momentum, nesterov=False
        )
    for t, (factor, rows) in enumerate(steps, 1):
        if name == "adam":
            optimizer.learning_rate_init = factor * rate
            optimizer.epsilon = 1e-8 * np.sqrt(
                1 - betas[1] ** t
            )  # theirs is added before the correction
        else:
            optimizer.learning_rate = factor * rate
        ahead = momentum * optimizer.velocities[0] if name == "nesterov" else 0.0
        optimizer.update_params([place], [surface.gradient(place + ahead, rows)])
    return place


def gradient_descent_reference(run: Run) -> Answers:
    """Return where scikit-learn's optimisers lead from the same starts, with the same batches.

    Examples
    --------
    >>> from dmlib.neural import GradientDescent
    >>> from dmlib.problem import prepare_surface
    >>> problem = prepare_surface("x^2 + y^2")
    >>> model = GradientDescent("gradient", learning_rate=0.25, max_iter=1, init=[1.0, 2.0])
    >>> gradient_descent_reference(Run.of(problem, model)).places_.tolist()
    [[0.5, 1.0]]
    """
    model, surface, steps = run.model, run.problem, run.trace.steps
    if others := [OPTIMIZERS[name].title for name in model.names if name not in THEIRS]:
        raise Incomparable(
            f"scikit-learn has no {' and no '.join(others)}. Switch it off to compare the others."
        )
    optimizers = model.optimizers(surface, steps[0].places[0])
    walked = [(step, before) for before, step in pairwise(steps[:-1])]
    places = []
    for i, status in enumerate(steps[-1].status):
        name = model.names[i // model.n_starts]
        own = [(step.factor, step.batch) for step, before in walked if before.status[i] == "moving"]
        if status in ("undefined", "singular"):
            raise Incomparable("a walker stopped where the function has no value.")
        betas = (model.beta_1, model.beta_2)
        start = steps[0].places[i]
        places.append(
            sklearn_walk(surface, name, start, optimizers[name].rate, own, model.momentum, betas)
        )
    found = np.array(places)
    return Answers(
        "sklearn.neural_network._stochastic_optimizers",
        {"places_": found, "values_": surface.value(found)},
    )


def _plain(source: str) -> str:
    """Return a function without the types of its arguments."""
    return source.replace(": Any", "").replace(" -> Any", "")


def gradient_descent_code(run: Run) -> str:
    """Return code that lets scikit-learn's optimisers walk as ``reference`` on ``X``, after ``model``."""
    model = run.model
    if any(name not in THEIRS for name in model.names):
        return """
# scikit-learn has not all of these optimisers: the walk itself, once more
from sklearn.base import clone

reference = clone(model).fit(X)
"""
    return f"""
# The same with scikit-learn's optimisers, from the same starts with the same batches
import numpy as np
from dmlib.comparison import Answers

{_plain(getsource(sklearn_walk))}
steps = list(model.steps(X))
rates = {{name: optimizer.rate for name, optimizer in model.optimizers(X, steps[0].places[0]).items()}}
places = []
for i, start in enumerate(steps[0].places):
    name = model.names[i // model.n_starts]
    walked = [(now.factor, now.batch) for before, now in zip(steps[:-2], steps[1:-1]) if before.status[i] == "moving"]
    betas = (model.beta_1, model.beta_2)
    places.append(sklearn_walk(X, name, start, rates[name], walked, model.momentum, betas))
places, lowest = np.array(places), int(np.argmin(X.value(places)))
reference = Answers("sklearn.neural_network", {{
    "places_": places, "best_place_": places[lowest], "best_value_": float(X.value(places[lowest])),
    "stable_rate_": 2 / float(np.linalg.eigvalsh(X.hessian(places[lowest]))[-1]),
}})
"""
