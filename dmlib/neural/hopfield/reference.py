"""The same weights and energy by libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.neural.hopfield.algorithm import Hopfield
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import PatternsProblem

FUNCTIONS = {
    "hebb": "sklearn.metrics.pairwise.linear_kernel",
    "pseudo_inverse": "scipy.linalg.pinv",
}


def store_and_measure(X: Any, model: Any, functions: str) -> Answers:
    """Compute the weights anew; libraries have no recall, so that the state is ours.

    The energy is that of the cut between the units that are on and the others, and the threshold
    of each unit that is on, less that of each other.
    """
    import networkx as nx
    from scipy.linalg import pinv
    from scipy.spatial.distance import hamming
    from sklearn.metrics.pairwise import linear_kernel

    from dmlib.comparison import Answers

    patterns = np.where(np.asarray(X) > 0, 1.0, -1.0)
    n_units = patterns.shape[1]
    if model.rule == "hebb":
        W = linear_kernel(patterns.T) / n_units
    else:
        W = patterns.T @ pinv(patterns.T)
    W -= np.diag(np.diag(W))
    graph, is_on = nx.from_numpy_array(-W), np.flatnonzero(model.state_ > 0)
    cut = nx.cut_size(graph, is_on, weight="weight")
    values = {
        "weights_": W,
        "energy_": -W.sum() / 2 - 2 * cut + model.thresholds_ @ model.state_,
        "n_wrong_": hamming(patterns[model.target_], model.state_) * n_units,
    }
    note = "The weights are computed anew. Libraries have no recall: the state is ours."
    return Answers(f"{functions}, networkx.cut_size, scipy.spatial.distance.hamming", values, note)


def hopfield_reference(run: Run[PatternsProblem, Hopfield]) -> Reference:
    """Return the weights by scikit-learn or SciPy, and the energy of our state by networkx.

    Raises
    ------
    Incomparable
        If no library has the rule, or the weights are not those of the patterns alone.

    Examples
    --------
    >>> from dmlib.neural import Hopfield
    >>> from dmlib.problem import prepare_patterns
    >>> run = Run.of(prepare_patterns([[[1, 0]]]), Hopfield(noise=0.0))
    >>> hopfield_reference(run).answer(run).weights_.tolist()
    [[0.0, -0.5], [-0.5, 0.0]]
    """
    if not isinstance(run.model.init, str):
        raise Incomparable("the weights that it starts from are not those of the patterns.")
    if run.model.rule == "storkey":
        raise Incomparable("no installed library has Storkey's rule.")
    return Reference(store_and_measure, "X", "model", functions=FUNCTIONS[run.model.rule])
