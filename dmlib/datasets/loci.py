"""Genotypes of made-up persons: a disease that two loci cause together, and neither alone."""

from __future__ import annotations

import numpy as np
import pandas as pd

from dmlib.arrays import Floats

N_PERSONS = 200  # in each class
N_LOCI = 20
PAIR = (6, 13)
"""The loci that decide, by number from 1."""
SEED = 5  # with it, chance makes neither of the pair look useful alone
RISK = 0.1  # of those who are heterozygous at exactly one of the pair; nobody else falls ill
FREQUENCIES = (0.1, 0.5)  # of the rarer allele, at the other loci
CLASSES = ("control", "case")


def penetrance() -> Floats:
    """Return the probability of the disease by the genotypes at both loci of the pair.

    It is the logical exclusive or of two heterozygous loci. Where both alleles of both loci are
    equally frequent, a half of each genotype's carriers is heterozygous at the other locus, so each
    genotype alone has the same risk.

    Returns
    -------
    ndarray of shape (3, 3)
        For 0, 1 or 2 copies of the rarer allele at either locus.

    References
    ----------
    W. Li and J. Reich (2000), A complete enumeration and classification of two-locus disease
    models. Human Heredity 50. M. D. Ritchie et al. (2001), Multifactor-dimensionality reduction
    reveals high-order interactions among estrogen-metabolism genes in sporadic breast cancer. The
    American Journal of Human Genetics 69.

    Examples
    --------
    >>> penetrance().tolist()
    [[0.0, 0.1, 0.0], [0.1, 0.0, 0.1], [0.0, 0.1, 0.0]]
    >>> (penetrance() @ [0.25, 0.5, 0.25]).tolist()
    [0.05, 0.05, 0.05]
    """
    heterozygous = np.array([False, True, False])
    table: Floats = RISK * np.not_equal.outer(heterozygous, heterozygous)
    return table


def loci(random_state: int = SEED) -> pd.DataFrame:
    """Draw persons from a population until there are 200 cases and 200 controls.

    Parameters
    ----------
    random_state : int
        Seed: the same seed gives the same persons.

    Returns
    -------
    DataFrame of shape (400, 21)
        The columns ``locus_1`` to ``locus_20``: how many copies of the rarer allele a person has,
        0 for AA, 1 for Aa, 2 for aa, by Hardy and Weinberg's frequencies; and ``status``.

    Examples
    --------
    >>> frame = loci()
    >>> frame["status"].value_counts().to_dict()
    {'control': 200, 'case': 200}
    """
    rng = np.random.default_rng(random_state)
    pair = [number - 1 for number in PAIR]
    frequencies = rng.uniform(*FREQUENCIES, N_LOCI)
    frequencies[pair] = 0.5
    # About one person in twenty is a case.
    genotypes = rng.binomial(2, frequencies, (40 * N_PERSONS, N_LOCI))
    is_case = rng.random(len(genotypes)) < penetrance()[tuple(genotypes[:, pair].T)]
    chosen = np.concatenate([np.flatnonzero(is_case == code)[:N_PERSONS] for code in (0, 1)])
    rng.shuffle(chosen)
    frame = pd.DataFrame(genotypes[chosen], columns=[f"locus_{j + 1}" for j in range(N_LOCI)])
    frame["status"] = pd.Categorical.from_codes(is_case[chosen].astype(int), list(CLASSES))
    return frame
