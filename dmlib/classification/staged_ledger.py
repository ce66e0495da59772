"""Ensembles that grow in numbers: the errors of all classifiers together."""

from __future__ import annotations

from collections.abc import Mapping

from dmlib.arrays import Floats
from dmlib.classification.ensembles.bags import never_drawn
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.regions import evaluated
from dmlib.pictures.words import num4
from dmlib.problem import Problem


def last_error_table(problem: Problem, errors: Mapping[str, Floats]) -> LedgerTable:
    """Return the table of the errors after the last step.

    Parameters
    ----------
    problem : Problem
        The data.
    errors : mapping of str to ndarray of shape (n_steps,)
        The errors after each step: "training" and, where rows are held out, "test".

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> last_error_table(problem, {"training": np.array([0.5, 0.25])}).rows
    [('training', 4, 1, 0.25)]
    """
    sizes = {name: len(part.y) for name, part in evaluated(problem, None).items()}
    counts = {name: round(float(errors[name][-1]) * n) for name, n in sizes.items()}
    rows = [(name, n, counts[name], counts[name] / n) for name, n in sizes.items()]
    return LedgerTable(("samples", "rows", "misclassified", "error"), rows, "Errors")


def left_out_formula(n_samples: int, n: int, bootstrap: bool) -> Formula:
    """Return the probability that a bag of ``n`` draws leaves a row out.

    Examples
    --------
    >>> left_out_formula(6, 6, True).text
    'a row is left out with probability (1 − 1/N)^n = (1 − 1/6)^6 = 0.3349'
    """
    formula = f"1 − n/N = 1 − {n}/{n_samples}"
    if bootstrap:
        formula = f"(1 − 1/N)^n = (1 − 1/{n_samples})^{n}"
    chance = num4(never_drawn(n_samples, n, bootstrap))
    return Formula(f"a row is left out with probability {formula} = {chance}")
