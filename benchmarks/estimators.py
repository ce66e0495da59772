"""Time of estimators beside scikit-learn's and SciPy's, at doubling sizes.

Run ``python -m benchmarks.estimators``, with names to choose some. Every ratio is of two fits made
in turn, on the same data with the same settings; "same" says that both gave the same answer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmarks.algorithms import in_turn
from benchmarks.contests import CONTESTS
from benchmarks.tables import table

PAIRS = 5


def measure(names: list[str]) -> list[dict[str, Any]]:
    """Compare the estimators with those names, or all, at each size."""
    rows = []
    for data, contest in (CONTESTS[name] for name in names or CONTESTS):
        for n_samples in contest.sizes:
            X, y = data(n_samples)
            same = contest.same(contest.ours(X, y), contest.theirs(X, y))
            own, theirs = partial(contest.ours, X, y), partial(contest.theirs, X, y)
            own_time, their_time, ratio = in_turn(own, theirs, PAIRS)
            rows.append(
                {
                    "what": contest.name,
                    "rows": n_samples,
                    "ms": 1e3 * own_time,
                    "ms_theirs": 1e3 * their_time,
                    "ratio": ratio,
                    "same": same,
                }
            )
    return rows


def main(names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Measure the estimators with those names, by default all, and return a row for each size."""
    return measure(list(names))


if __name__ == "__main__":
    print(table(main(sys.argv[1:])))
