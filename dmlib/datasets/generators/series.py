"""Pairs of series that are alike up to a shift or a warp of time, and random walks."""

from __future__ import annotations

import numpy as np

from dmlib.datasets.containers import SeriesData
from dmlib.datasets.generators.points import LICENCE, Array


def shifted_waves(
    *,
    n_values: int = 60,
    cycles: float = 2.0,
    shift: float = 0.15,
    noise: float = 0.05,
    random_state: int = 0,
) -> SeriesData:
    """Draw a sine wave and the same wave later.

    Parameters
    ----------
    n_values : int
        Number of values of each.
    cycles : float
        How many periods there are.
    shift : float
        How many periods later the second one is.
    noise : float
        Standard deviation of the errors.
    random_state : int
        Seed: the same seed gives the same series.

    Returns
    -------
    SeriesData
        Two series.

    Examples
    --------
    >>> shifted_waves(n_values=30).names
    ('wave', 'shifted wave')
    """
    rng = np.random.default_rng(random_state)
    phase = cycles * np.linspace(0, 1, n_values)
    waves = [np.sin(2 * np.pi * (phase - shifted)) for shifted in (0.0, shift)]
    return _data("shifted_waves", rng, waves, ("wave", "shifted wave"), noise)


def warped_pair(
    *,
    n_values: int = 60,
    n_others: int = 45,
    warp: float = 0.6,
    noise: float = 0.05,
    random_state: int = 0,
) -> SeriesData:
    """Draw two bumps, and the same bumps in a time that runs unevenly.

    Parameters
    ----------
    n_values, n_others : int
        Number of values of the first series, and of the second.
    warp : float
        How unevenly time runs in the second: 0 not at all, 1 so that it stands still at the start.
    noise : float
        Standard deviation of the errors.
    random_state : int
        Seed: the same seed gives the same series.

    Returns
    -------
    SeriesData
        Two series, perhaps of different length.

    Examples
    --------
    >>> [len(values) for values in warped_pair().values]
    [60, 45]
    """
    rng = np.random.default_rng(random_state)

    def bumps(t: Array) -> Array:
        return np.exp(-(((t - 0.3) / 0.08) ** 2)) + 0.6 * np.exp(-(((t - 0.7) / 0.12) ** 2))

    even, uneven = np.linspace(0, 1, n_values), np.linspace(0, 1, n_others)
    uneven = uneven - warp * np.sin(np.pi * uneven) / np.pi
    return _data("warped_pair", rng, [bumps(even), bumps(uneven)], ("bumps", "warped bumps"), noise)


def random_walk(
    *, n_values: int = 120, drift: float = 0.0, noise: float = 1.0, random_state: int = 0
) -> SeriesData:
    """Draw a series whose steps are independent: trends that it seems to have mean nothing.

    Parameters
    ----------
    n_values : int
        Number of values.
    drift : float
        Mean of a step.
    noise : float
        Standard deviation of a step.
    random_state : int
        Seed: the same seed gives the same series.

    Returns
    -------
    SeriesData
        One series that starts at 0.

    Examples
    --------
    >>> float(random_walk().values[0][0])
    0.0
    """
    rng = np.random.default_rng(random_state)
    steps = drift + noise * rng.standard_normal(n_values - 1)
    return _data("random_walk", rng, [np.append(0.0, steps.cumsum())], ("walk",), 0.0)


def whole_numbers(
    *, n_values: int = 6, n_others: int = 5, top: int = 9, random_state: int = 0
) -> SeriesData:
    """Draw two short series of random whole numbers, to be aligned by hand.

    Parameters
    ----------
    n_values, n_others : int
        Number of values of the first series, and of the second.
    top : int
        The largest number; the smallest is 0.
    random_state : int
        Seed: the same seed gives the same series.

    Returns
    -------
    SeriesData
        Two series, perhaps of different length.

    Examples
    --------
    >>> [values.tolist() for values in whole_numbers(n_values=3, n_others=2).values]
    [[8.0, 6.0, 5.0], [2.0, 3.0]]
    """
    rng = np.random.default_rng(random_state)
    series = [rng.integers(0, top + 1, n).astype(float) for n in (n_values, n_others)]
    return _data("whole_numbers", rng, series, ("first", "second"), 0.0)


def _data(
    name: str, rng: np.random.Generator, series: list[Array], names: tuple[str, ...], noise: float
) -> SeriesData:
    values = tuple(wave + noise * rng.standard_normal(len(wave)) for wave in series)
    times = tuple(np.arange(len(wave), dtype=float) for wave in series)
    return SeriesData(
        values, names, times, name=name, source=f"The generator {name}.", licence=LICENCE
    )
