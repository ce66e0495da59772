"""Ranges of recurrent networks that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.neural.rnn.task import TEST_FRACTION
from dmlib.params import Range
from dmlib.problem.sequences import SequenceData

NO_SERIES = "Only a series is forecast; here answers are compared with those of held-out sequences."
ONE_SEQUENCE = "A series is one sequence."


def rnn_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return horizons, delays and truncations that leave enough of a series, or fit the sequences.

    Examples
    --------
    >>> from dmlib.neural import NARX
    >>> rnn_ranges(NARX(), [0.0, 1.0] * 20)["horizon"]
    (1, 20)
    """
    if isinstance(X, SequenceData):
        n_sequences, n_steps = X.inputs.shape[:2]
        steps = (1, max(2, n_steps))
        ranges: dict[str, Range] = dict.fromkeys(("delays", "truncation", "look"), steps)
        n_test = max(2, round(TEST_FRACTION * n_sequences))
        return ranges | {"horizon": NO_SERIES, "sequence": (1, n_test)}
    n = len(np.asarray(X, float))
    return {
        "horizon": (1, max(2, n // 2)),
        "delays": (1, max(2, min(40, n // 4))),
        "truncation": (1, max(2, min(60, n // 2))),
        "look": (1, max(2, n - model.horizon - 1)),
        "sequence": ONE_SEQUENCE,
    }
