"""How interesting a rule is: measures of its 2 × 2 table, and p-values for many rules at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import false_discovery_control, hypergeom

Values = NDArray[np.float64]
CORRECTIONS = ("none", "bonferroni", "holm", "fdr_bh")


def _quotient(above: Values, below: Values) -> Values:
    """Return a quotient; 0 where nothing is divided by nothing."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _confidence(s: Values, a: Values, b: Values) -> Values:
    return _quotient(s, a)


def _lift(s: Values, a: Values, b: Values) -> Values:
    return _quotient(s, a * b)


def _leverage(s: Values, a: Values, b: Values) -> Values:
    return s - a * b


def _conviction(s: Values, a: Values, b: Values) -> Values:
    wrong = 1 - _confidence(s, a, b)
    return np.divide(1 - b, wrong, out=np.full_like(wrong, np.inf), where=wrong > 0)


def _zhang(s: Values, a: Values, b: Values) -> Values:
    return _quotient(s - a * b, np.maximum(s * (1 - a), a * (b - s)))


def _kulczynski(s: Values, a: Values, b: Values) -> Values:
    return (_quotient(s, a) + _quotient(s, b)) / 2


def _imbalance(s: Values, a: Values, b: Values) -> Values:
    return _quotient(np.abs(a - b), a + b - s)


MEASURES: dict[str, Callable[[Values, Values, Values], Values]] = {
    "confidence": _confidence,
    "lift": _lift,
    "leverage": _leverage,
    "conviction": _conviction,
    "zhangs_metric": _zhang,
    "kulczynski": _kulczynski,
    "imbalance_ratio": _imbalance,
}
"""Functions of the supports of A ∪ B, of A and of B; mlxtend's names where it has them."""


def rule_measures(
    joint: ArrayLike, antecedent: ArrayLike, consequent: ArrayLike
) -> dict[str, Values]:
    r"""Return the measures of rules A → B.

    Parameters
    ----------
    joint, antecedent, consequent : array-like of shape (n_rules,)
        The supports of A ∪ B, of A and of B, as shares of the baskets.

    Returns
    -------
    dict of str to ndarray of shape (n_rules,)
        With :math:`P(AB)`, :math:`P(A)` and :math:`P(B)` for the three supports:

        - ``confidence``: :math:`P(AB) / P(A)`, the share of baskets with A that hold B;
        - ``lift``: :math:`P(AB) / (P(A) P(B))`, 1 for independent sets;
        - ``leverage``: :math:`P(AB) - P(A) P(B)`, 0 for independent sets;
        - ``conviction``: :math:`(1 - P(B)) / (1 - confidence)`, infinite for a confidence of 1;
        - ``zhangs_metric``: the leverage as a share of the largest one possible, from -1 to 1;
        - ``kulczynski``: the mean of the confidences of A → B and B → A;
        - ``imbalance_ratio``: :math:`|P(A) - P(B)| / (P(A) + P(B) - P(AB))`.

    Notes
    -----
    A quotient of two zeros is 0: a set in no basket has confidence and lift 0.

    References
    ----------
    S. Brin, R. Motwani, J. Ullman and S. Tsur (1997), Dynamic itemset counting and implication
    rules for market basket data. G. Piatetsky-Shapiro (1991), Discovery, analysis, and presentation
    of strong rules. T. Zhang (2000), Association rules. T. Wu, Y. Chen and J. Han (2010),
    Re-examination of interestingness measures in pattern mining.

    Examples
    --------
    Of 100 customers 25 buy coffee, 90 tea and 20 both; coffee → tea:

    >>> rule_measures([0.2], [0.25], [0.9])["lift"].round(4).tolist()
    [0.8889]
    """
    supports = (joint, antecedent, consequent)
    s, a, b = (np.atleast_1d(np.asarray(support, float)) for support in supports)
    return {name: measure(s, a, b) for name, measure in MEASURES.items()}


def fisher_p(
    n_baskets: int, joint: ArrayLike, antecedent: ArrayLike, consequent: ArrayLike
) -> Values:
    """Return the p-values of Fisher's exact test of rules A → B, one-sided.

    The null hypothesis is that B is not more frequent with A than without it.

    Parameters
    ----------
    n_baskets : int
        The number of baskets.
    joint, antecedent, consequent : array-like of int of shape (n_rules,)
        In how many of them A ∪ B, A and B are.

    Returns
    -------
    ndarray of shape (n_rules,)
        The probability of at least so many baskets with A ∪ B, if A and B were independent.

    References
    ----------
    G. Webb (2007), Discovering significant patterns. *Machine Learning* 68, 1-33.

    Examples
    --------
    >>> fisher_p(5, [3], [4], [4]).round(4).tolist()
    [1.0]
    """
    a, b = np.asarray(antecedent), np.asarray(consequent)
    # The test is the same for A → B and B → A, and each takes a tenth of a millisecond.
    tables = np.stack([np.asarray(joint), np.minimum(a, b), np.maximum(a, b)]).reshape(3, -1)
    (n_joint, n_rarer, n_other), place = np.unique(tables, axis=1, return_inverse=True)
    p: Values = np.clip(hypergeom.sf(n_joint - 1, n_baskets, n_rarer, n_other), 0.0, 1.0)
    return p[place]


def adjusted_p(p: ArrayLike, correction: str = "holm") -> Values:
    """Return p-values that are corrected for their number.

    Parameters
    ----------
    p : array-like of shape (n_tests,)
        The p-values of all tests.
    correction : {"none", "bonferroni", "holm", "fdr_bh"}
        Bonferroni and Holm bound the probability of any false discovery, Benjamini-Hochberg the
        expected share of false ones among the discoveries.

    Returns
    -------
    ndarray of shape (n_tests,)
        To be compared with the level of significance.

    References
    ----------
    S. Holm (1979), A simple sequentially rejective multiple test procedure. Y. Benjamini and Y.
    Hochberg (1995), Controlling the false discovery rate.

    Examples
    --------
    >>> adjusted_p([0.01, 0.02, 0.9], "bonferroni").round(4).tolist()
    [0.03, 0.06, 1.0]
    """
    values: Values = np.asarray(p, float)
    n = len(values)
    if correction == "none" or not n:
        return values
    if correction == "fdr_bh":
        return np.asarray(false_discovery_control(values), float)
    if correction == "bonferroni":
        return np.asarray(np.minimum(1.0, n * values), float)
    # Holm by hand: statsmodels' multipletests collects all garbage at each call, a third of a
    # second.
    order = np.argsort(values)
    adjusted = np.empty(n)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate((n - np.arange(n)) * values[order]))
    return adjusted
