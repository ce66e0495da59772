"""Sequences with targets in each step: letters of a text, a grammar, sums of two numbers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dmlib.datasets.containers import SeriesData
from dmlib.problem.sequences import SequenceData

LICENCE = "CC0 1.0"
REBER = {0: "T1 P2", 1: "S1 X3", 2: "T2 V4", 3: "X2 S5", 4: "P3 V5", 5: "E"}
"""Of each state of the grammar: the letters that may follow, each with the state that it leads
to."""
MAX_LETTERS = 2000


def next_letters(text: str, *, length: int = 20) -> SequenceData:
    """Cut a text into pieces; after each letter, the next one is to be said.

    Parameters
    ----------
    text : str
        At most 2,000 letters are used; a run of spaces counts as one.
    length : int
        Letters of each piece.

    Returns
    -------
    SequenceData
        One-hot letters.

    Raises
    ------
    ValueError
        If the text is too short for two pieces, or has one letter only.

    Examples
    --------
    >>> data = next_letters("to be or not to be", length=4)
    >>> data.text(0), data.inputs.shape
    ('to b', (5, 4, 7))
    """
    letters = " ".join(text.split())[:MAX_LETTERS]
    symbols = tuple(sorted(set(letters)))
    if len(letters) < length + 2 or len(symbols) < 2:
        raise ValueError("The text is too short, or has one letter only. Type some words.")
    pieces = [letters[i : i + length + 1] for i in range(0, len(letters) - 1, length)]
    return _of_strings(pieces, symbols, length, name="text", title="Next letter of a text")


def reber_grammar(
    *, n_sequences: int = 60, embedded: bool = False, random_state: int = 0
) -> SequenceData:
    """Draw strings of Reber's grammar; after each letter, the next one is to be said.

    Parameters
    ----------
    n_sequences : int
        Number of strings.
    embedded : bool
        Whether each string stands between two letters T or two letters P: the last but one letter
        is the second one, which must be remembered over the whole string.
    random_state : int
        Seed: the same seed gives the same strings.

    Returns
    -------
    SequenceData
        One-hot letters.

    Examples
    --------
    >>> reber_grammar(n_sequences=4).text(0)[0]
    'B'
    """
    rng = np.random.default_rng(random_state)
    strings = []
    for _ in range(n_sequences):
        inner, state = "B", 0
        while not inner.endswith("E"):
            way = rng.choice(REBER[state].split())
            inner, state = inner + way[0], int(way[1:] or 0)
        outer = rng.choice(["T", "P"])
        strings.append(f"B{outer}{inner}{outer}E" if embedded else inner)
    longest = max(map(len, strings)) - 1
    name = "reber_grammar"
    title = "Embedded Reber grammar" if embedded else "Reber grammar"
    return _of_strings(strings, tuple("BEPSTVX"), longest, name=name, title=title)


def adding_problem(
    *, n_sequences: int = 120, length: int = 12, random_state: int = 0
) -> SequenceData:
    """Draw numbers from 0 to 1 of which two are marked; the target at the end is their sum.

    Parameters
    ----------
    n_sequences : int
        Number of sequences.
    length : int
        Steps of each. One mark is in the first half, the other in the second.
    random_state : int
        Seed: the same seed gives the same sequences.

    Returns
    -------
    SequenceData
        Two inputs, the number and the mark; one output.

    Examples
    --------
    >>> data = adding_problem(n_sequences=3, length=6)
    >>> data.inputs.shape, data.inputs[0, :, 1].sum(), data.mask[0].tolist()
    ((3, 6, 2), np.float64(2.0), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    """
    rng = np.random.default_rng(random_state)
    numbers, marks = rng.random((n_sequences, length)), np.zeros((n_sequences, length))
    rows = np.arange(n_sequences)
    for low, high in ((0, length // 2), (length // 2, length)):
        marks[rows, rng.integers(low, high, n_sequences)] = 1
    targets, mask = np.zeros((n_sequences, length, 1)), np.zeros((n_sequences, length))
    targets[:, -1, 0], mask[:, -1] = (numbers * marks).sum(axis=1), 1
    inputs = np.stack([numbers, marks], axis=2)
    return SequenceData(
        inputs, targets, mask, name="adding_problem", title="Adding problem", licence=LICENCE
    )


def sine_wave(
    *, n_values: int = 120, period: float = 20.0, noise: float = 0.05, random_state: int = 0
) -> SeriesData:
    """Draw a sine wave with its octave on top, so that one value does not tell the next.

    Parameters
    ----------
    n_values : int
        Number of values.
    period : float
        Values in one wave.
    noise : float
        Standard deviation of the errors.
    random_state : int
        Seed: the same seed gives the same series.

    Returns
    -------
    SeriesData
        One series.

    Examples
    --------
    >>> sine_wave(n_values=30).names
    ('wave',)
    """
    rng = np.random.default_rng(random_state)
    t = np.arange(float(n_values))
    values = np.sin(2 * np.pi * t / period) + 0.5 * np.sin(4 * np.pi * t / period)
    values = values + rng.normal(0, noise, n_values)
    return SeriesData(
        (values,),
        ("wave",),
        (t,),
        "step",
        name="sine_wave",
        title="Sine wave and its octave",
        licence=LICENCE,
    )


def heated_room(*, n_values: int = 160, noise: float = 0.05, random_state: int = 0) -> SeriesData:
    """Simulate the temperature of a room with a switched heater, by Newton's law of cooling.

    In an hour the room loses 12% of its distance to the 8 degrees outside, and the heater gives it
    2.4 degrees.

    Parameters
    ----------
    n_values : int
        Number of hours.
    noise : float
        Standard deviation of the errors.
    random_state : int
        Seed: the same seed gives the same series.

    Returns
    -------
    SeriesData
        The temperatures, and whether the heater was on in the hour before.

    Examples
    --------
    >>> room = heated_room(n_values=30)
    >>> room.names, sorted(set(room.values[1].tolist()))
    (('temperature', 'heater'), [0.0, 1.0])
    """
    rng = np.random.default_rng(random_state)
    lengths = rng.integers(3, 14, n_values)
    heater = np.repeat(np.arange(n_values) % 2, lengths)[:n_values].astype(float)
    temperature, degrees = np.empty(n_values), 14.0
    for hour, on in enumerate(heater):
        degrees += 0.12 * (8.0 - degrees) + 2.4 * on
        temperature[hour] = degrees
    hours = np.arange(float(n_values))
    return SeriesData(
        (temperature + rng.normal(0, noise, n_values), heater),
        ("temperature", "heater"),
        (hours, hours),
        "hour",
        name="heated_room",
        title="A heated room",
        licence=LICENCE,
    )


def _of_strings(
    strings: list[str], symbols: tuple[str, ...], length: int, name: str, title: str
) -> SequenceData:
    code = {symbol: j for j, symbol in enumerate(symbols)}
    inputs, targets = (np.zeros((len(strings), length, len(symbols))) for _ in range(2))
    mask = np.zeros((len(strings), length))
    for i, string in enumerate(strings):
        for t, (letter, next_letter) in enumerate(pairwise(string)):
            inputs[i, t, code[letter]] = targets[i, t, code[next_letter]] = mask[i, t] = 1
    return SequenceData(inputs, targets, mask, symbols, name=name, title=title, licence=LICENCE)
