"""The same machines by scikit-learn and SciPy, and the code that computes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.neural.boltzmann.restricted import Parameters, RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.states import MOST_UNITS
from dmlib.neural.initialisers import INITIALISERS
from dmlib.neural.weights_reference import weights_code
from dmlib.pictures.run import Run

MOST_UPDATES = 20_000


def boltzmann_reference(run: Run) -> Any:
    """Return scikit-learn's machine, given the same random numbers; or SciPy's sums over the states of ours.

    Examples
    --------
    >>> from dmlib.neural import RestrictedBoltzmannMachine
    >>> from dmlib.problem import prepare_patterns
    >>> run = Run.of(prepare_patterns([[[1, 0]]]), RestrictedBoltzmannMachine(2, n_iter=1, random_state=0))
    >>> bool(np.allclose(boltzmann_reference(run).components_, run.fitted.components_))
    True
    """
    return _restricted(run) if isinstance(run.model, RestrictedBoltzmannMachine) else _machine(run)


def _restricted(run: Run) -> Any:
    model, X = run.model, np.asarray(run.problem.data, float)
    if model.chains == "persistent" and model.k > 1:
        raise Incomparable("scikit-learn's persistent chains take one step (k = 1).")
    if not isinstance(model.init, str) or (model.chains == "persistent" and model.init != "small"):
        raise Incomparable(
            "scikit-learn draws the initial weights itself, with a standard deviation of 0.01."
        )
    if model.n_iter * -(-len(X) // model.batch_size) * model.k > MOST_UPDATES:
        raise Incomparable("so many updates take too long to be repeated.")
    reference = contrastive(model, X) if model.chains == "data" else _persistent(model, X)
    learned = Parameters(
        reference.components_, reference.intercept_hidden_, reference.intercept_visible_
    )
    reference.log_likelihood_, reference.mean_energy_ = (
        learned.log_likelihood(X),
        learned.free_energy(X).mean(),
    )
    reference.score_samples = lambda rows: _pseudo(reference, np.asarray(rows, float))
    return reference


def _pseudo(reference: Any, rows: Any) -> Any:
    """Return the pseudo-log-likelihood by all cells of each row; scikit-learn's own is an estimate by one of them."""
    energy = reference._free_energy
    others = (np.where(np.arange(rows.shape[1]) == i, 1 - rows, rows) for i in range(rows.shape[1]))
    return -sum(np.logaddexp(0.0, energy(rows) - energy(other)) for other in others)


def _persistent(model: Any, X: Any) -> Any:
    from sklearn.neural_network import BernoulliRBM

    names = ("n_components", "learning_rate", "batch_size", "n_iter", "random_state")
    return BernoulliRBM(**{name: getattr(model, name) for name in names}).fit(X)


def contrastive(model: Any, X: Any) -> Any:
    """Return scikit-learn's machine, whose chains are put back to the rows of each batch: contrastive divergence."""
    from sklearn.neural_network import BernoulliRBM
    from sklearn.utils import check_random_state, gen_even_slices

    names = ("n_components", "learning_rate", "batch_size", "random_state")
    reference = BernoulliRBM(**{name: getattr(model, name) for name in names})
    rng = reference.random_state_ = check_random_state(model.random_state)
    reference.components_ = INITIALISERS[model.init](rng, model.n_components, X.shape[1])
    reference.intercept_hidden_, reference.intercept_visible_ = (
        np.zeros(model.n_components),
        np.zeros(X.shape[1]),
    )
    reference.n_features_in_ = X.shape[1]
    n_batches = -(-len(X) // model.batch_size)
    batches = list(gen_even_slices(n_batches * model.batch_size, n_batches, n_samples=len(X)))
    for batch in [rows for _ in range(model.n_iter) for rows in batches]:
        v = X[batch]
        for _ in range(model.k - 1):
            v = reference.gibbs(v)
        means = reference.transform(np.asarray(v, float))
        reference.h_samples_ = (rng.uniform(size=means.shape) < means).astype(float)
        reference.partial_fit(X[batch])
    return reference


def _machine(run: Run) -> Answers:
    from scipy.special import log_expit, logsumexp
    from sklearn.metrics.pairwise import linear_kernel

    X = np.where(np.asarray(run.problem.data) > 0, 1.0, -1.0)
    if not isinstance(run.model.init, str):
        raise Incomparable("the weights that it starts from are not those of the patterns.")
    if run.model.learning != "hebb":
        raise Incomparable("no installed library learns a Boltzmann machine without hidden units.")
    W, T, n = linear_kernel(X.T) / X.shape[1], run.model.temperature, X.shape[1]
    W -= np.diag(np.diag(W))
    nats = np.nan
    if n <= MOST_UNITS:
        states = np.array(np.meshgrid(*[[-1.0, 1.0]] * n)).reshape(n, -1).T
        nats = (np.einsum("ij,jk,ik->i", X, W, X) / (2 * T)).mean()
        nats -= logsumexp(np.einsum("ij,jk,ik->i", states, W, states) / (2 * T))
    ends = np.array([step.state for step in run.trace.steps if step.phase == "sweep"])
    values = {
        "score_samples": lambda rows: log_expit(2 * X * (X @ W) / T).sum(axis=1),
        "log_likelihood_": nats,
        "mean_energy_": -np.einsum("ij,jk,ik->i", ends, W, ends).mean() / 2,
    }
    note = "The weights and all sums are computed anew; the states that were visited are ours."
    called = (
        "sklearn.metrics.pairwise.linear_kernel, scipy.special.logsumexp, scipy.special.log_expit"
    )
    return Answers(called, values, note)


def boltzmann_code(run: Run) -> str:
    """Return code that learns or sums as ``reference``, after ``model``."""
    if not isinstance(run.model, RestrictedBoltzmannMachine):
        return weights_code("weights", "intercept") + _MACHINE
    learned = weights_code("components", "intercept_hidden", "intercept_visible")
    if run.model.chains == "persistent":
        return learned + _PERSISTENT
    return learned + _CONTRASTIVE.replace("START", _STARTS[run.model.init])


_IMPORTS = """import numpy as np
from scipy.special import logsumexp
from sklearn.neural_network import BernoulliRBM
"""

_ENERGY = """
# Its free energy, and its likelihood by a sum over the smaller layer
W, a, b = reference.components_, reference.intercept_visible_, reference.intercept_hidden_
reference.mean_energy_ = (-X @ a - np.logaddexp(0, X @ W.T + b).sum(axis=1)).mean()
W, a, b = (W.T, b, a) if len(a) < len(b) else (W, a, b)
m = min(len(b), 12)
h = np.array(np.meshgrid(*[[0.0, 1.0]] * m)).reshape(m, -1).T
log_z = logsumexp(h @ b + np.logaddexp(0, h @ W + a).sum(axis=1)) if len(b) == m else np.nan
reference.log_likelihood_ = -reference.mean_energy_ - log_z
"""

_NAMES = (
    "n_components=model.n_components, learning_rate=model.learning_rate,"
    " batch_size=model.batch_size"
)

_PERSISTENT = f"""
# The same with scikit-learn
{_IMPORTS}
reference = BernoulliRBM(
    {_NAMES},
    n_iter=model.n_iter, random_state=model.random_state,
).fit(X)
{_ENERGY}"""

_STARTS = {
    "small": "rng.normal(0, 0.01, shape)",
    "glorot": "rng.uniform(-1, 1, shape) * np.sqrt(6 / sum(shape))",
    "zero": "np.zeros(shape)",
}

_CONTRASTIVE = f"""
# The same with scikit-learn, whose chains start at the rows of each batch
{_IMPORTS}from sklearn.utils import gen_even_slices

reference = BernoulliRBM(
    {_NAMES},
)
rng = reference.random_state_ = np.random.RandomState(model.random_state)
shape = model.n_components, X.shape[1]
reference.components_ = START
reference.intercept_hidden_, reference.intercept_visible_ = np.zeros(model.n_components), np.zeros(X.shape[1])
reference.n_features_in_ = X.shape[1]
n_batches = -(-len(X) // model.batch_size)
for batch in [*gen_even_slices(n_batches * model.batch_size, n_batches, n_samples=len(X))] * model.n_iter:
    v = X[batch]
    for _ in range(model.k - 1):
        v = reference.gibbs(v)
    means = reference.transform(np.asarray(v, float))
    reference.h_samples_ = (rng.uniform(size=means.shape) < means).astype(float)
    reference.partial_fit(X[batch])
{_ENERGY}"""

_MACHINE = """
# The same likelihood by SciPy, as a sum over all states
from types import SimpleNamespace

import numpy as np
from scipy.special import logsumexp

W, b, T = model.weights_, model.intercept_, model.temperature
S = np.where(np.asarray(X) > 0, 1.0, -1.0)
n = S.shape[1]
log_likelihood = np.nan
if n <= 12:
    states = np.array(np.meshgrid(*[[-1.0, 1.0]] * n)).reshape(n, -1).T
    nats = [(np.einsum("ij,jk,ik->i", some, W, some) / 2 + some @ b) / T for some in (S, states)]
    log_likelihood = nats[0].mean() - logsumexp(nats[1])
reference = SimpleNamespace(log_likelihood_=log_likelihood, mean_energy_=model.mean_energy_)
"""
