"""Estimates from counts, and products of factors of classes, as tables and formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Cell, LedgerTable
from dmlib.pictures.words import num, short

MAX_LISTED = 16  # factors in the table


def share_formula(model: Any, n_values: int, condition: str, rows: str) -> str:
    """Return how a share is estimated from counts, with the smoothing of a model.

    Examples
    --------
    >>> from dmlib.classification import NaiveBayes
    >>> share_formula(NaiveBayes(laplace=1), 3, "class", "rows of the class")
    'P(value | class) = (n(value) + 1) / (n + 1 · 3)'
    """
    laplace, m = model.laplace, model.m_estimate
    if not laplace and not m:
        return f"P(value | {condition}) = {rows} with the value / {rows}"
    numerator = "n(value)"
    denominator = "n"
    if laplace:
        numerator += f" + {laplace:g}"
        denominator += f" + {laplace:g} · {n_values}"
    if m:
        share = {"uniform": f" / {n_values}", "shares": " · P(value)"}.get(model.m_prior)
        share = f" · {model.m_prior:g}" if share is None else share
        numerator += f" + {m:g}{share}"
        denominator += f" + {m:g}"
    return f"P(value | {condition}) = ({numerator}) / ({denominator})"


def share_fraction(model: Any, count: float, n: float, n_values: int, p: float) -> str:
    """Return a share as a fraction of counts with their smoothing; empty for 0 / 0.

    Examples
    --------
    >>> from dmlib.classification import NaiveBayes
    >>> share_fraction(NaiveBayes(laplace=1), 2, 9, 3, 1 / 3)
    '(2 + 1) / (9 + 3)'
    """
    added = model.laplace + model.m_estimate * p
    total = model.laplace * n_values + model.m_estimate
    if total:
        return f"({count:g} + {added:.4g}) / ({n:g} + {total:.4g})"
    return f"{count:g} / {n:g}" if n else ""


def product_table(
    names: Sequence[str],
    factors: Sequence[tuple[str, Floats | str]],
    log_joint: Floats,
    posterior: Floats,
    *,
    is_complete: bool,
) -> LedgerTable:
    """Return the factors of classes so far, a column for each class, with their product.

    Parameters
    ----------
    names : sequence of str
        The classes.
    factors : sequence of (str, ndarray of shape (n_classes,) or str)
        What each factor is called, and its numbers, or a text in place of them.
    log_joint, posterior : ndarray of shape (n_classes,)
        The logarithms of the products, and the products divided by their sum.
    is_complete : bool
        Whether the shares are emphasised, and not the last factor.

    Examples
    --------
    >>> half = np.array([0.5, 0.5])
    >>> product_table(["a", "b"], [("prior", half)], np.log(half), half, is_complete=True).rows
    [['prior', 0.5, 0.5], ['product', 0.5, 0.5], ['share', 0.5, 0.5]]
    """
    rows: list[list[Cell]] = [
        [name, *([cells] * len(names) if isinstance(cells, str) else map(short, cells))]
        for name, cells in factors
    ]
    if len(rows) > MAX_LISTED:
        rows = [["…", *["" for _ in names]], *rows[-MAX_LISTED:]]
    newest = len(rows) - 1
    rows.append(["product", *map(_cell, log_joint)])
    rows.append(["share", *map(short, posterior)])
    emphasis = [newest + 2] if is_complete else [newest]
    return LedgerTable(("factor", *names), rows, "The product", emphasis)


def probability_text(probability: float) -> str:
    """Return a probability for a sentence; one below 1 is not rounded to 1.

    Examples
    --------
    >>> probability_text(0.25), probability_text(0.999999)
    ('0.25', 'more than 0.9999')
    """
    text = f"{probability:.4g}"
    return "more than 0.9999" if text == "1" and probability < 1 else text


def _cell(logarithm: float) -> Cell:
    """Return exp(logarithm), as text where it overflows or underflows."""
    text = power_text(logarithm)
    return text if text.startswith("10^") else short(np.exp(logarithm))


def power_text(logarithm: float) -> str:
    """Return exp(logarithm) as text, also where it overflows or underflows.

    Examples
    --------
    >>> power_text(-1.0), power_text(-1000.0), power_text(float("-inf"))
    ('0.367879', '10^−434.294', '0')
    """
    value = float(np.exp(np.minimum(logarithm, 700.0)))
    if np.isneginf(logarithm) or (value > 1e-300 and logarithm < 700):
        return num(value)
    return f"10^{num(float(logarithm) / np.log(10))}"
