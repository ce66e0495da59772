"""Strands of DNA, half of them with a planted motif, and texts of words with skewed frequencies."""

from __future__ import annotations

import numpy as np

from dmlib.datasets.containers import Strings
from dmlib.datasets.generators.points import LICENCE

LETTERS = "ACGT"


def planted_motif(
    *,
    n_texts: int = 40,
    length: int = 30,
    motif_length: int = 7,
    mutation: float = 0.1,
    random_state: int = 0,
) -> Strings:
    """Draw random strands of DNA, and plant a motif anywhere in every second one.

    Parameters
    ----------
    n_texts : int
        Number of strands.
    length : int
        Letters of each.
    motif_length : int
        Letters of the motif; at most those of a strand.
    mutation : float
        Probability with which a letter of a planted motif is replaced by a random one.
    random_state : int
        Seed: the same seed gives the same strands.

    Returns
    -------
    Strings
        The strands, with the classes "motif" and "none".

    Examples
    --------
    >>> planted_motif(n_texts=2, length=8).classes
    ('motif', 'none')
    """
    rng = np.random.default_rng(random_state)
    motif = rng.integers(0, 4, min(motif_length, length))
    texts, classes = [], []
    for i in range(n_texts):
        strand = rng.integers(0, 4, length)
        if i % 2 == 0:
            start = int(rng.integers(0, length - len(motif) + 1))
            changed = rng.random(len(motif)) < mutation
            strand[start : start + len(motif)] = np.where(
                changed, rng.integers(0, 4, len(motif)), motif
            )
        texts.append("".join(LETTERS[code] for code in strand))
        classes.append("none" if i % 2 else "motif")
    names = tuple(f"strand {i + 1}" for i in range(n_texts))
    source = "The generator planted_motif."
    return Strings(
        tuple(texts), names, tuple(classes), name="planted_motif", source=source, licence=LICENCE
    )


def zipf_texts(
    *,
    n_texts: int = 24,
    length: int = 100,
    vocabulary: int = 300,
    exponent: float = 1.0,
    random_state: int = 0,
) -> Strings:
    """Draw texts of made-up words whose frequencies follow Zipf's law, 1 / r ** exponent at rank r.

    Parameters
    ----------
    n_texts : int
        Number of texts.
    length : int
        Words of each.
    vocabulary : int
        Number of different words.
    exponent : float
        The skew: 0 for words that are equally frequent, about 1 for real texts.
    random_state : int
        Seed: the same seed gives the same texts.

    Returns
    -------
    Strings
        The texts, without classes.

    References
    ----------
    G. K. Zipf (1949), Human behavior and the principle of least effort.

    Examples
    --------
    >>> zipf_texts(n_texts=1, length=5, exponent=4.0, random_state=1).texts
    ('baba bami baba bami baba',)
    """
    rng = np.random.default_rng(random_state)
    weights = np.arange(1, vocabulary + 1, dtype=float) ** -exponent
    syllables = [consonant + vowel for consonant in "bdfghklmnprstvwz" for vowel in "aeiou"]
    n = len(syllables)
    words = [syllables[rank // n % n] + syllables[rank * 37 % n] for rank in range(vocabulary)]
    words = [word if rank < n * n else f"{word}{rank}" for rank, word in enumerate(words)]
    ranks = rng.choice(vocabulary, (n_texts, length), p=weights / weights.sum())
    texts = tuple(" ".join(words[rank] for rank in text) for text in ranks)
    names = tuple(f"text {i + 1}" for i in range(n_texts))
    return Strings(
        texts, names, (), name="zipf_texts", source="The generator zipf_texts.", licence=LICENCE
    )
