"""Inference in a classifier's network: a column's factor goes to its parent, or to the class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, logsumexp

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.bayesian_network_step import (
    InferencePhase,
    InferenceStep,
)
from dmlib.classification.bayesian_network.conditional_table import ConditionalTable
from dmlib.classification.bayesian_network.tree import leaves_first
from dmlib.classification.conditionals import or_prior

Indices = NDArray[np.intp]

BLOCK_CELLS = 2_000_000  # numbers of the factors of a block of rows


def log_joint(
    prior: Floats, tables: Sequence[ConditionalTable], parents: Sequence[int], codes: Indices
) -> Floats:
    """Return log P(class, known values) of rows, shape (n_samples, n_classes).

    Parameters
    ----------
    prior : ndarray of shape (n_classes,)
        The logarithms of the priors.
    tables : sequence of ConditionalTable
        The table of each column.
    parents : sequence of int
        The parent of each column; -1 for none.
    codes : ndarray of int, shape (n_samples, n_features)
        The code of each value; -1 where it is not known, which sums over all values.
    """
    n_values = max((table.probabilities.shape[2] for table in tables), default=1)
    block = max(1, BLOCK_CELLS // (len(prior) * n_values * n_values))
    parts = [
        _joint_of_block(prior, tables, parents, codes[start : start + block])
        for start in range(0, len(codes), block)
    ]
    return np.concatenate(parts) if parts else np.empty((0, len(prior)))


def _joint_of_block(
    prior: Floats, tables: Sequence[ConditionalTable], parents: Sequence[int], codes: Indices
) -> Floats:
    joint = np.tile(prior, (len(codes), 1))
    waiting: dict[int, Floats] = {}
    for j in leaves_first(parents):
        factor = log_factors(tables[j], codes[:, j], waiting.pop(j, None))
        if parents[j] < 0:
            joint += factor[:, :, 0]
        else:
            waiting[parents[j]] = waiting.get(parents[j], 0.0) + factor
    return joint


def log_factors(table: ConditionalTable, codes: Indices, messages: Floats | None = None) -> Floats:
    """Return the factor of a column in rows, shape (n_samples, n_classes, n_parent_values).

    Parameters
    ----------
    table : ConditionalTable
        Its table.
    codes : ndarray of int, shape (n_samples,)
        The code of its value, -1 where it is summed out.
    messages : ndarray of shape (n_samples, n_classes, n_values), optional
        The logarithms of its children's factors, for each of its own values.

    Examples
    --------
    >>> from dmlib.classification.bayesian_network.conditional_table import Coding
    >>> wind = Coding("wind", ("calm", "storm"))
    >>> table = ConditionalTable(wind, None, np.ones((1, 1, 2)), np.array([[[0.25, 0.75]]]))
    >>> np.exp(log_factors(table, np.array([0, 1, -1]))).round(3).ravel().tolist()
    [0.25, 0.75, 1.0]
    """
    logs = table.logs
    factors = np.zeros((len(codes), *logs.shape[:2]))
    is_known = codes >= 0
    known, rows = codes[is_known], np.flatnonzero(is_known)
    factors[rows] = np.moveaxis(logs, 2, 0)[known]
    if messages is not None:
        factors[rows] += messages[rows, :, known][:, :, None]
        hidden = np.flatnonzero(~is_known)
        products = logs + messages[hidden][:, :, None, :]
        factors[hidden] = logsumexp(products, axis=3) if len(hidden) else 0.0
    return factors


def inference_steps(
    prior: Floats, tables: Sequence[ConditionalTable], parents: Sequence[int], codes: Indices
) -> Iterator[InferenceStep]:
    """Yield how one row is classified; the parameters are those of :func:`log_joint`."""
    names = [
        table.coding.values[code] if code >= 0 else None
        for table, code in zip(tables, codes, strict=True)
    ]
    joint = prior
    ones = np.ones((len(prior), 1))
    posterior = np.exp(log_softmax(prior))
    yield InferenceStep("start", None, None, None, ones, joint, posterior)
    waiting: dict[int, Floats] = {}
    for j in leaves_first(parents):
        parent, code, messages = parents[j], codes[j], waiting.pop(j, None)
        is_waiting = parent >= 0 and codes[parent] < 0
        factor = tables[j].logs[:, :, code]
        if code < 0:
            factor = log_factors(tables[j], codes[[j]], messages)[0]
        if is_waiting:
            waiting[parent] = waiting.get(parent, 0.0) + factor[None]
        else:
            factor = factor[:, [0 if parent < 0 else codes[parent]]]
            joint = joint + factor[:, 0]
            posterior = np.exp(log_softmax(or_prior(joint[None], prior), axis=1))[0]
        phase: InferencePhase = "multiply" if code >= 0 else "sum"
        parent_value = None if parent < 0 else names[parent]
        yield InferenceStep(phase, j, names[j], parent_value, np.exp(factor), joint, posterior)
    yield InferenceStep("normalise", None, None, None, ones, joint, posterior)
