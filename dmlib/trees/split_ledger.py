"""The arithmetic of a split, written out: impurities, gains, and the score by each criterion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.trees.exact_tests import (
    PERMUTATIONS,
    fisher_p_value,
    log_probability,
    permutation_p_values,
)
from dmlib.trees.impurity import CRITERIA, decrease, impurity, split_info
from dmlib.trees.significance_ledger import chi2_text, short, significance_texts
from dmlib.trees.splits import Candidate, Split

MAX_TERMS = 5
MAX_FACTORIALS = 10
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

SCORES = {
    "gini": "gini gain",
    "entropy": "information gain",
    "error": "error gain",
    "gain_ratio": "gain ratio",
    "g2": "G²",
    "chi2": "χ²",
    "distance": "distance measure",
    "twoing": "twoing value",
    "ort": "orthogonality",
    "dkm": "DKM gain",
    "ks": "Kolmogorov-Smirnov distance",
    "auc": "AUC",
    "hypergeometric": "hypergeometric −log₁₀ P",
    "permutation": "permutation −log₁₀ p",
    "chaid": "−log₁₀ p",
    "quest": "−log₁₀ p",
}
"""The name of the score by each criterion."""


def impurity_text(counts: Floats, measure: str) -> str:
    """Return the impurity of a node with its numbers put in.

    Examples
    --------
    >>> impurity_text(np.array([9.0, 5.0]), "gini")
    '1 − (9/14)² − (5/14)² = 0.4592'
    >>> impurity_text(np.array([9.0, 5.0]), "entropy")
    '−9/14 · log₂(9/14) − 5/14 · log₂(5/14) = 0.9403'
    """
    n = short(counts.sum())
    all_shares = [f"{short(count)}/{n}" for count in sorted(counts[counts > 0], reverse=True)]
    dots = "" if len(all_shares) <= MAX_TERMS else " − …"
    shares = all_shares[:MAX_TERMS]
    end = f"{dots} = {short(impurity(counts, measure))}"
    if measure == "gini":
        return "1" + "".join(f" − ({share})²" for share in shares) + end
    if measure == "entropy":
        terms = " ".join(f"− {share} · log₂({share})" for share in shares)
        return terms.replace("− ", "−", 1) + end
    if measure == "error":
        return f"1 − {shares[0]}{end}" if shares else f"0{end}"
    first, last = (f"{short(count)}/{n}" for count in counts[[0, -1]])
    return f"2 · √({first} · {last}){end}"


def score_texts(
    candidate: Candidate, criterion: str, n_cuts: int = 0, brief: bool = False
) -> list[str]:
    """Return the score of a split with its numbers put in, line by line.

    ``n_cuts`` is the number of candidate thresholds, where that lowers the gain; a ``brief`` text
    leaves the impurities out.

    Examples
    --------
    >>> from dmlib.trees.splits import Split
    >>> split = Candidate(Split(0, (1.5,)), 0.5, 0.5, np.array([[2.0, 0.0], [0.0, 2.0]]))
    >>> score_texts(split, "gini")[-1]
    'gini gain = 0.5 − 2/4 · 0 − 2/4 · 0 = 0.5'
    """
    if candidate.test is not None:
        return significance_texts(candidate)
    counts, missing = candidate.counts, candidate.missing
    measure = CRITERIA[criterion].measure
    lines = []
    if not brief:
        lines.append(f"{measure}, whole node: {impurity_text(counts.sum(axis=0), measure)}")
        mixed = [i for i, branch in enumerate(counts) if (branch > 0).sum() > 1]
        for i in mixed[:MAX_TERMS]:
            lines.append(f"{measure}, branch {i + 1}: {impurity_text(counts[i], measure)}")
    plain = float(decrease(counts[:, :, None], missing, measure)[0])
    name = SCORES["entropy" if measure == "entropy" else measure]
    lines.append(f"{name} = {_decrease_text(counts, missing, measure)} = {short(plain)}")
    if plain - candidate.gain > 1e-9:
        total = short(counts.sum() + missing)
        lines.append(
            f"less log₂({n_cuts}) / {total} for the choice among {n_cuts} thresholds: "
            f"{short(plain)} − {short(plain - candidate.gain)} = {short(candidate.gain)}"
        )
    rule = _RULES.get(criterion)
    if rule is not None:
        lines.append(f"{SCORES[criterion]} = {rule(candidate)} = {short(candidate.score)}")
    return [*lines, *_permutation_lines(candidate)] if criterion == "permutation" else lines


def order_text(split: Split, name: str) -> str:
    """Return how many divisions in two keep the order of an ordinal column.

    Examples
    --------
    >>> order_text(Split(0, branches=(0, 0, 1, -1, 1)), "size")
    'size is ordinal: of its 2³ − 1 = 7 divisions in two, 4 − 1 = 3 keep the order'
    """
    n = sum(branch >= 0 for branch in split.branches)
    power = str(n - 1).translate(SUPERSCRIPTS)
    return (
        f"{name} is ordinal: of its 2{power} − 1 = {short(2.0 ** (n - 1) - 1)} divisions in two,"
        f" {n} − 1 = {n - 1} keep the order"
    )


def _decrease_text(counts: Floats, missing: float, measure: str) -> str:
    n = short(counts.sum())
    inner = [f"{short(b.sum())}/{n} · {short(impurity(b, measure))}" for b in counts if b.sum() > 0]
    ending = [] if len(inner) <= MAX_TERMS else ["…"]
    text = " − ".join([short(impurity(counts.sum(axis=0), measure)), *inner[:MAX_TERMS], *ending])
    return text if missing < 1e-9 else f"{n}/{short(counts.sum() + missing)} · ({text})"


def _gain_ratio(candidate: Candidate) -> str:
    counts, missing = candidate.counts, candidate.missing
    sizes = [*counts.sum(axis=1), *([missing] if missing > 1e-9 else [])]
    info = float(split_info(counts[:, :, None], missing)[0])
    return (
        f"gain / entropy of the sizes ({', '.join(map(short, sizes))}) = {short(candidate.gain)} /"
        f" {short(info)}"
    )


def _g2(candidate: Candidate) -> str:
    n, gain = candidate.counts.sum(), decrease(candidate.counts[:, :, None], 0.0, "entropy")[0]
    return f"2 · ln 2 · {short(n)} · {short(gain)}"


def _chi2(candidate: Candidate) -> str:
    return chi2_text(candidate.counts)


def _known_share(candidate: Candidate) -> str:
    """Return the fraction of the rows with a value as a factor; "" if all have one."""
    n, missing = candidate.counts.sum(), candidate.missing
    return "" if missing < 1e-9 else f"{short(n)}/{short(n + missing)} · "


def _distance(candidate: Candidate) -> str:
    joint = float(impurity(candidate.counts.ravel(), "entropy"))
    gain = float(decrease(candidate.counts[:, :, None], 0.0, "entropy")[0])
    ratio = f"{short(gain)} / {short(joint)}"
    return f"{_known_share(candidate)}gain / entropy of branches and classes together = {ratio}"


def _twoing(candidate: Candidate) -> str:
    sizes = candidate.counts.sum(axis=1)
    first, second = candidate.counts / np.maximum(sizes[:, None], np.finfo(float).tiny)
    n, distance = short(sizes.sum()), short(np.abs(first - second).sum())
    start = f"{_known_share(candidate)}¼ · {short(sizes[0])}/{n} · {short(sizes[1])}/{n}"
    return f"{start} · (Σ |difference of the class shares|)² = {start} · {distance}²"


def _ort(candidate: Candidate) -> str:
    first, second = candidate.counts
    share = _known_share(candidate)
    cosine = first @ second / max(np.sqrt(first @ first * (second @ second)), 1e-300)
    return (
        f"{share}(1 − cos of the angle between ({_list(first)}) and ({_list(second)})) ="
        f" {share}(1 − {short(cosine)})"
    )


def _ks(candidate: Candidate) -> str:
    first, second = _rates(candidate)
    terms = [f"|{short(a)} − {short(b)}|" for a, b in zip(first, second, strict=True)]
    dots = " + …" if len(terms) > MAX_TERMS else ""
    return f"{_known_share(candidate)}½ · ({' + '.join(terms[:MAX_TERMS])}{dots})"


def _auc(candidate: Candidate) -> str:
    first, second = _rates(candidate)
    area = np.abs(first[:, None] * second - second[:, None] * first).sum() / 2
    return f"{_known_share(candidate)}½ · (1 + {short(area)})"


def _rates(candidate: Candidate) -> tuple[Floats, Floats]:
    rates = candidate.counts / np.maximum(candidate.counts.sum(axis=0), np.finfo(float).tiny)
    return rates[:, 0], rates[:, -1]


def _hypergeometric(candidate: Candidate) -> str:
    counts = candidate.counts
    above = _factorials([*counts.sum(axis=1), *counts.sum(axis=0)])
    return f"−log₁₀ [{above} / ({_factorials([counts.sum(), *counts.ravel()])})]"


def _factorials(counts: Sequence[float]) -> str:
    """Return the product of the factorials, without those that are 1."""
    terms = [f"{short(count)}!" for count in counts if count not in (0, 1)]
    dots = " · …" if len(terms) > MAX_FACTORIALS else ""
    return " · ".join(terms[:MAX_FACTORIALS] or ["1"]) + dots


def _permutation(candidate: Candidate) -> str:
    p = float(permutation_p_values(candidate.counts[:, :, None])[0])
    n_extreme = round(p * (PERMUTATIONS + 1)) - 1
    return f"−log₁₀ [({n_extreme} + 1) / ({PERMUTATIONS} + 1)]"


def _permutation_lines(candidate: Candidate) -> list[str]:
    """Return how a p-value is counted, its tie-break, and the exact p-value of a 2 x 2 table."""
    counts = np.rint(candidate.counts)
    table = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    probability = short(-float(log_probability(candidate.counts)) / np.log(10))
    lines = [
        f"b: the permutations, of {PERMUTATIONS}, whose table is no more probable than this one",
        f"of equal p-values the least probable table wins: −log₁₀ P = {probability}",
    ]
    if table.shape == (2, 2):
        lines.append(
            f"Fisher's exact test, all such tables added up: p = {short(fisher_p_value(table))}"
        )
    return lines


def _list(counts: Sequence[float] | Floats) -> str:
    return ", ".join(map(short, counts))


_RULES = {
    "gain_ratio": _gain_ratio,
    "g2": _g2,
    "chi2": _chi2,
    "distance": _distance,
    "twoing": _twoing,
    "ort": _ort,
    "ks": _ks,
    "auc": _auc,
    "hypergeometric": _hypergeometric,
    "permutation": _permutation,
}
