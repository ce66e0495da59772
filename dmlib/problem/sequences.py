"""Sequences with what is to be said in each step, made ready for a recurrent network."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.problem.undivided import Undivided


@dataclass(frozen=True, eq=False, repr=False)
class SequenceData:
    """Sequences of one length, padded at the end.

    Parameters
    ----------
    inputs : ndarray of shape (n_sequences, n_steps, n_inputs)
        What comes in, in each step.
    targets : ndarray of shape (n_sequences, n_steps, n_outputs)
        What is to be said in it.
    mask : ndarray of shape (n_sequences, n_steps)
        1 where something is to be said, else 0.
    symbols : tuple of str
        What the inputs and outputs stand for, one of which is 1; empty for numbers.
    name, title, description, source, licence : str
        The short name, a few words, a sentence, where they come from, and on what terms.
    notes : tuple
        What was done to the data.

    Examples
    --------
    >>> one = np.ones((1, 2, 1))
    >>> SequenceData(one, one, np.ones((1, 2)), ("a",)).text(0)
    'aa'
    """

    inputs: Floats
    targets: Floats
    mask: Floats
    symbols: tuple[str, ...] = ()
    name: str = "sequences"
    title: str = ""
    description: str = ""
    source: str = ""
    licence: str = ""
    notes: tuple[Any, ...] = ()

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of all numbers and symbols."""
        sha = hashlib.sha256(repr(self.symbols).encode())
        for part in (self.inputs, self.targets, self.mask):
            sha.update(repr(part.shape).encode() + np.ascontiguousarray(part).tobytes())
        return sha.hexdigest()

    def __repr__(self) -> str:
        return f"SequenceData({self.name!r}, {self.digest})"

    def text(self, i: int) -> str:
        """Return the symbols that come in, in sequence i."""
        codes = self.inputs[i].argmax(axis=1)[self.mask[i] > 0]
        return "".join(self.symbols[code] for code in codes)


@dataclass(frozen=True, eq=False)
class SequencesProblem(Undivided):
    """Sequences with what is to be said in each step; a network holds out some of them itself.

    Attributes
    ----------
    data : SequenceData
        The sequences.
    notes : tuple of str
        What is to be known of them, one sentence each.
    """

    data: SequenceData
    notes: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[SequenceData]:
        """Arguments of ``fit`` and ``steps``."""
        return (self.data,)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols of the inputs; empty for numbers."""
        return self.data.symbols

    @property
    def rows(self) -> NDArray[np.intp]:
        """Number of each sequence."""
        return np.arange(len(self.data.inputs))

    @property
    def labels(self) -> list[str]:
        """The tooltip of each sequence: its symbols, or its numbers with the target."""
        if self.symbols:
            return [self.data.text(i) for i in self.rows]
        return [
            f"{', '.join(f'{x:.2f}*' if marked else f'{x:.2f}' for x, marked in inputs)}:"
            f" {targets[-1, 0]:.3f}"
            for inputs, targets in zip(self.data.inputs, self.data.targets, strict=True)
        ]
