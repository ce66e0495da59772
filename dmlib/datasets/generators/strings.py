"""Strands of DNA, in half of which a motif is planted."""

from __future__ import annotations

import numpy as np

from dmlib.datasets.containers import Strings
from dmlib.datasets.generators.points import LICENCE

LETTERS = "ACGT"


def planted_motif(
    *, n_texts: int = 40, length: int = 30, motif_length: int = 7, mutation: float = 0.1, random_state: int = 0
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
            strand[start : start + len(motif)] = np.where(changed, rng.integers(0, 4, len(motif)), motif)
        texts.append("".join(LETTERS[code] for code in strand))
        classes.append("none" if i % 2 else "motif")
    names = tuple(f"strand {i + 1}" for i in range(n_texts))
    source = "The generator planted_motif."
    return Strings(tuple(texts), names, tuple(classes), name="planted_motif", source=source, licence=LICENCE)
