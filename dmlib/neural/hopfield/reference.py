"""The same weights and energy by libraries, and the code that computes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.neural.weights_reference import weights_code
from dmlib.pictures.run import Run

FUNCTIONS = {
    "hebb": "sklearn.metrics.pairwise.linear_kernel",
    "pseudo_inverse": "scipy.linalg.pinv",
}
NOTE = (
    "The weights are computed anew. The energy is that of the cut between the units that are on and"
    " the others. Libraries have no recall: the state is ours."
)


def hopfield_reference(run: Run) -> Answers:
    """Return the weights by scikit-learn or SciPy, and the energy and wrong cells of our state by networkx and SciPy.

    Examples
    --------
    >>> from dmlib.neural import Hopfield
    >>> from dmlib.problem import prepare_patterns
    >>> run = Run.of(prepare_patterns([[[1, 0]]]), Hopfield(noise=0.0))
    >>> hopfield_reference(run).weights_.tolist()
    [[0.0, -0.5], [-0.5, 0.0]]
    """
    import networkx as nx
    from scipy.spatial.distance import hamming

    W, model = _weights(run), run.fitted
    patterns = np.where(np.asarray(run.problem.data) > 0, 1.0, -1.0)
    cut = nx.cut_size(nx.from_numpy_array(-W), np.flatnonzero(model.state_ > 0), weight="weight")
    values: dict[str, Any] = {
        "weights_": W,
        "energy_": -W.sum() / 2 - 2 * cut,
        "n_wrong_": hamming(patterns[model.target_], model.state_) * len(model.state_),
    }
    called = f"{FUNCTIONS[run.model.rule]}, networkx.cut_size, scipy.spatial.distance.hamming"
    return Answers(called, values, NOTE)


def _weights(run: Run) -> Any:
    from scipy.linalg import pinv
    from sklearn.metrics.pairwise import linear_kernel

    X = np.where(np.asarray(run.problem.data) > 0, 1.0, -1.0)
    if not isinstance(run.model.init, str):
        raise Incomparable("the weights that it starts from are not those of the patterns.")
    if run.model.rule == "storkey":
        raise Incomparable("no installed library has Storkey's rule.")
    W = linear_kernel(X.T) / X.shape[1] if run.model.rule == "hebb" else X.T @ pinv(X.T)
    return W - np.diag(np.diag(W))


LINES = {
    "hebb": (
        "from sklearn.metrics.pairwise import linear_kernel",
        "linear_kernel(patterns.T) / patterns.shape[1]",
    ),
    "pseudo_inverse": ("from scipy.linalg import pinv", "patterns.T @ pinv(patterns.T)"),
}


def hopfield_code(run: Run) -> str:
    """Return code that computes weights, energy and wrong cells as ``reference``, after ``model``."""
    stored = weights_code("weights")
    if run.model.rule not in LINES:
        return f"""{stored}
# No installed library has Storkey's rule: the reference is the model itself
reference = model
"""
    line, weights = LINES[run.model.rule]
    return f"""{stored}
# The same weights, and the energy of the state as that of a cut
from types import SimpleNamespace

import networkx as nx
import numpy as np
{line}

patterns = np.where(np.asarray(X) > 0, 1.0, -1.0)
W = {weights}
W -= np.diag(np.diag(W))
cut = nx.cut_size(nx.from_numpy_array(-W), np.flatnonzero(model.state_ > 0), weight="weight")
n_wrong = int((patterns[model.target_] != model.state_).sum())
reference = SimpleNamespace(weights_=W, energy_=-W.sum() / 2 - 2 * cut, n_wrong_=n_wrong)
"""
