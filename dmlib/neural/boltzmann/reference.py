"""The same machines by scikit-learn and SciPy."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.neural.boltzmann.deep_belief import DeepBeliefNetwork
from dmlib.neural.boltzmann.machine import BoltzmannMachine
from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import PatternsProblem

MAX_UPDATES = 20_000
MAX_BATCH = 200


def add_scores(reference: Any, X: Any) -> Any:
    """Add the energy, the likelihood and the pseudo-likelihood to a machine of scikit-learn."""
    from scipy.special import logsumexp

    energy = reference._free_energy
    W, a, b = reference.components_, reference.intercept_visible_, reference.intercept_hidden_
    if len(a) < len(b):  # the states of the smaller layer are summed
        W, a, b = W.T, b, a
    log_z = np.nan
    if len(b) <= 12:
        h = np.array(np.meshgrid(*[[0.0, 1.0]] * len(b))).reshape(len(b), -1).T
        log_z = logsumexp(h @ b + np.logaddexp(0.0, h @ W + a).sum(axis=1))

    def score_samples(X: Any) -> Any:  # by all cells; scikit-learn's estimate is by one of them
        n_cells = X.shape[1]
        flipped = [np.where(np.arange(n_cells) == i, 1 - X, X) for i in range(n_cells)]
        return -sum(np.logaddexp(0.0, energy(X) - energy(rows)) for rows in flipped)

    reference.mean_energy_ = energy(X).mean()
    reference.log_likelihood_ = -reference.mean_energy_ - log_z
    reference.score_samples = score_samples
    return reference


def fit_persistent(X: Any, model: Any, **params: Any) -> Any:
    """Fit scikit-learn's BernoulliRBM, whose chains are persistent."""
    from sklearn.neural_network import BernoulliRBM

    reference = BernoulliRBM(n_iter=model.n_iter, random_state=model.random_state, **params)
    return add_scores(reference.fit(X), X)


def fit_contrastive(X: Any, model: Any, **params: Any) -> Any:
    """Fit scikit-learn's BernoulliRBM with chains that start at the rows of each batch."""
    from sklearn.neural_network import BernoulliRBM
    from sklearn.utils import check_random_state, gen_even_slices

    from dmlib.neural.initialisers import INITIALISERS

    reference = BernoulliRBM(**params)
    rng = reference.random_state_ = check_random_state(model.random_state)
    n_hidden, n_visible = reference.n_components, X.shape[1]
    reference.components_ = INITIALISERS[model.init](rng, n_hidden, n_visible)
    reference.intercept_hidden_ = np.zeros(n_hidden)
    reference.intercept_visible_ = np.zeros(n_visible)
    reference.n_features_in_ = n_visible
    n_batches = -(-len(X) // model.batch_size)
    slices = gen_even_slices(n_batches * model.batch_size, n_batches, n_samples=len(X))
    for rows in list(slices) * model.n_iter:
        v = X[rows]
        for _ in range(model.k - 1):
            v = reference.gibbs(v)
        means = reference.transform(np.asarray(v, float))
        reference.h_samples_ = (rng.uniform(size=means.shape) < means).astype(float)
        reference.partial_fit(X[rows])
    return add_scores(reference, X)


def fit_stack(X: Any, y: Any, model: Any) -> Any:
    """Learn two of scikit-learn's BernoulliRBM, then fine-tune its MLPClassifier from them."""
    from types import SimpleNamespace

    from sklearn.neural_network import MLPClassifier
    from sklearn.utils import check_random_state

    from dmlib.neural.initialisers import initial_layers

    rng, rows, coefs, intercepts = check_random_state(model.random_state), X, [], []
    for size in (model.n_components, model.n_second):
        given = {"learning_rate": model.learning_rate, "batch_size": model.batch_size}
        options = SimpleNamespace(**{**vars(model), "random_state": rng, "init": "small"})
        machine = fit_contrastive(rows, options, n_components=size, **given)
        coefs.append(machine.components_.T)
        intercepts.append(machine.intercept_hidden_)
        rows = machine.transform(rows)
    sizes = (X.shape[1], model.n_components, model.n_second, len(set(y)))
    random_coefs, random_intercepts = initial_layers("glorot", sizes, "sigmoid", rng)
    reference = MLPClassifier(
        sizes[1:-1],
        "logistic",
        solver="sgd",
        alpha=0.0,
        learning_rate_init=model.tuning_rate,
        momentum=0.9,
        nesterovs_momentum=False,
        shuffle=False,
        random_state=0,
    )
    reference.partial_fit(X, y, classes=np.unique(y))  # makes the arrays that are set here
    reference.coefs_ = [W.copy() for W in (*coefs, random_coefs[-1])]
    reference.intercepts_ = [b.copy() for b in (*intercepts, random_intercepts[-1])]
    for velocity in reference._optimizer.velocities:
        velocity[:] = 0.0
    for _ in range(model.n_iter_):
        order, total = rng.permutation(len(X)), 0.0
        for first in range(0, len(X), model.batch_size):
            batch = order[first : first + model.batch_size]
            total += reference.partial_fit(X[batch], y[batch]).loss_ * len(batch)
        reference.loss_ = total / len(X)
    return reference


def sum_over_states(X: Any, model: Any) -> Answers:
    """Compute the weights and sums over all states anew; the visited states are ours."""
    from scipy.special import log_expit, logsumexp
    from sklearn.metrics.pairwise import linear_kernel

    from dmlib.comparison import Answers

    def energies(states: Any) -> Any:
        return -np.einsum("ij,jk,ik->i", states, W, states) / 2

    def score_samples(X: Any) -> Any:
        rows = np.where(np.asarray(X) > 0, 1.0, -1.0)
        return log_expit(2 * rows * (rows @ W) / T).sum(axis=1)

    patterns = np.where(np.asarray(X) > 0, 1.0, -1.0)
    n, T = patterns.shape[1], model.temperature
    W = linear_kernel(patterns.T) / n
    W -= np.diag(np.diag(W))
    log_likelihood = np.nan
    if n <= 12:
        states = np.array(np.meshgrid(*[[-1.0, 1.0]] * n)).reshape(n, -1).T
        log_likelihood = -energies(patterns).mean() / T - logsumexp(-energies(states) / T)
    visited = np.array([step.state for step in model.steps(X) if step.phase == "sweep"])
    values = {
        "score_samples": score_samples,
        "log_likelihood_": log_likelihood,
        "mean_energy_": energies(visited).mean(),
    }
    note = "The weights and all sums are computed anew; the states that were visited are ours."
    functions = "sklearn.metrics.pairwise.linear_kernel, scipy.special.logsumexp and log_expit"
    return Answers(functions, values, note)


def boltzmann_reference(
    run: Run[PatternsProblem, RestrictedBoltzmannMachine | BoltzmannMachine | DeepBeliefNetwork],
) -> Reference:
    """Return the same restricted machine by scikit-learn, or the sums over states by SciPy.

    Raises
    ------
    Incomparable
        If no library has the machine, or the run is too long.

    Examples
    --------
    >>> from dmlib.neural import RestrictedBoltzmannMachine
    >>> from dmlib.problem import prepare_patterns
    >>> model = RestrictedBoltzmannMachine(2, n_iter=1, random_state=0)
    >>> run = Run.of(prepare_patterns([[[1, 0]]]), model)
    >>> reference = boltzmann_reference(run).answer(run)
    >>> bool(np.allclose(reference.components_, run.fitted.components_))
    True
    """
    model = run.model
    if isinstance(model, DeepBeliefNetwork):
        fitted = cast("DeepBeliefNetwork", run.fitted)
        return _stack_reference(fitted, run.problem.training)
    if isinstance(model, RestrictedBoltzmannMachine):
        return _restricted_reference(model, len(run.problem.data))
    if not isinstance(model.init, str):
        raise Incomparable("the weights that it starts from are not those of the patterns.")
    if model.learning != "hebb":
        raise Incomparable(
            "no installed library learns a Boltzmann machine of units that are all joined."
        )
    return Reference(sum_over_states, "X", "model")


def _stack_reference(model: DeepBeliefNetwork, patterns: PatternsProblem) -> Reference:
    n_batches = -(-len(patterns.data) // model.batch_size)
    reasons = {
        "scikit-learn's network has one sigmoid output for two classes": len(model.classes_) == 2,
        "scikit-learn's network changes all of its layers": not model.fine_tuning,
        "scikit-learn's network takes at most 200 rows for an update": model.batch_size > MAX_BATCH,
        "the weights grew without bound": not model.converged_,
        "so many updates take too long to be repeated": (
            n_batches * (2 * model.n_iter * model.k + model.max_iter) > MAX_UPDATES
        ),
    }
    for reason, holds in reasons.items():
        if holds:
            raise Incomparable(f"{reason}.")
    return Reference(fit_stack, "X", "y", "model", helpers=(add_scores, fit_contrastive))


def _restricted_reference(model: RestrictedBoltzmannMachine, n_rows: int) -> Reference:
    is_persistent = model.chains == "persistent"
    if is_persistent and model.k > 1:
        raise Incomparable("scikit-learn's persistent chains take one step (k = 1).")
    if not isinstance(model.init, str) or (is_persistent and model.init != "small"):
        raise Incomparable(
            "scikit-learn draws the initial weights itself, with a standard deviation of 0.01."
        )
    if model.n_iter * -(-n_rows // model.batch_size) * model.k > MAX_UPDATES:
        raise Incomparable("so many updates take too long to be repeated.")
    function = fit_persistent if is_persistent else fit_contrastive
    return Reference(
        function,
        "X",
        "model",
        helpers=(add_scores,),
        n_components=model.n_components,
        learning_rate=model.learning_rate,
        batch_size=model.batch_size,
    )
