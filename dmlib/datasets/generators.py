"""Made data in the box [0, 10] x [0, 10]: each generator shows one phenomenon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.datasets.drawn import class_name
from dmlib.datasets.table import Baskets, Table
from dmlib.params import Integer, Number, Param, check_params, defaults

Array = NDArray[np.float64]

LOW, HIGH = 0.0, 10.0
_LICENCE = "CC0: made by this program."
_CENTRE = (LOW + HIGH) / 2


def blobs(
    *,
    n_samples: int = 200,
    centers: int = 4,
    spread: float = 0.8,
    n_features: int = 2,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw round groups of equal size and spread.

    The centres are far from each other: each is the best of several candidates.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    centers : int
        Number of groups.
    spread : float
        Standard deviation of a group in each direction.
    n_features : int
        Number of columns.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y (x1, x2, ... when there are more than two) and class.

    Examples
    --------
    >>> blobs(n_samples=50, random_state=1).frame.shape
    (50, 3)
    """
    rng = np.random.default_rng(random_state)
    codes = _codes(n_samples, np.ones(centers))
    points = _spaced(rng, centers, n_features)[codes] + spread * rng.standard_normal((n_samples, n_features))
    return _table(rng, "blobs", points, codes, n_outliers)


def anisotropic(
    *,
    n_samples: int = 200,
    centers: int = 3,
    spread: float = 0.4,
    stretch: float = 4.0,
    angle: float = 40.0,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw long parallel groups, side by side: the nearest centre is often the wrong one.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    centers : int
        Number of groups.
    spread : float
        Standard deviation across a group.
    stretch : float
        How many times longer than wide a group is.
    angle : float
        Direction of the groups in degrees from the x axis.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class.

    Examples
    --------
    >>> anisotropic(centers=2).frame["class"].nunique()
    2
    """
    rng = np.random.default_rng(random_state)
    codes = _codes(n_samples, np.ones(centers))
    along = spread * stretch * rng.standard_normal(n_samples)
    across = spread * rng.standard_normal(n_samples) + 2.2 * (codes - (centers - 1) / 2) * min(1.0, 3 / centers)
    turn = np.deg2rad(angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return _table(rng, "anisotropic", _CENTRE + np.column_stack([along, across]) @ axes, codes, n_outliers)


def unequal_sizes(
    *,
    n_samples: int = 220,
    centers: int = 3,
    ratio: float = 12.0,
    spread: float = 0.9,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw round groups of equal spread and very different numbers of points.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    centers : int
        Number of groups.
    ratio : float
        How many times more points the largest group has than the smallest.
    spread : float
        Standard deviation of a group in each direction.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class; class A is the largest.

    Examples
    --------
    >>> unequal_sizes(centers=2, ratio=9, n_samples=100).frame["class"].value_counts().tolist()
    [90, 10]
    """
    rng = np.random.default_rng(random_state)
    codes = _codes(n_samples, np.geomspace(ratio, 1, centers))
    points = _spaced(rng, centers, 2)[codes] + spread * rng.standard_normal((n_samples, 2))
    return _table(rng, "unequal_sizes", points, codes, n_outliers)


def unequal_densities(
    *,
    n_samples: int = 240,
    centers: int = 3,
    ratio: float = 5.0,
    spread: float = 0.25,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw round groups with equal numbers of points, from dense to loose.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    centers : int
        Number of groups.
    ratio : float
        How many times wider the loosest group is than the densest.
    spread : float
        Standard deviation of the densest group in each direction.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class; class A is the densest.

    Examples
    --------
    >>> unequal_densities(n_samples=30).frame["class"].value_counts().tolist()
    [10, 10, 10]
    """
    rng = np.random.default_rng(random_state)
    codes = _codes(n_samples, np.ones(centers))
    spreads = spread * np.geomspace(1, ratio, centers)[codes, None]
    points = _spaced(rng, centers, 2)[codes] + spreads * rng.standard_normal((n_samples, 2))
    return _table(rng, "unequal_densities", points, codes, n_outliers)


def moons(*, n_samples: int = 200, noise: float = 0.3, n_outliers: int = 0, random_state: int = 0) -> Table:
    """Draw two interleaved half circles.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    noise : float
        Standard deviation of the distance from the curve.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class.

    Examples
    --------
    >>> moons(n_samples=10).frame["class"].value_counts().tolist()
    [5, 5]
    """
    rng = np.random.default_rng(random_state)
    codes = _codes(n_samples, np.ones(2))
    turn = np.pi * rng.random(n_samples)
    side = 1 - 2 * codes
    x = _CENTRE + 2.6 * np.cos(turn) - 1.3 * side
    y = _CENTRE + side * (2.6 * np.sin(turn) - 0.65)
    return _table(rng, "moons", _noisy(rng, x, y, noise), codes, n_outliers)


def circles(
    *,
    n_samples: int = 240,
    factor: float = 0.5,
    noise: float = 0.25,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw a ring inside a ring.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    factor : float
        Radius of the inner ring, as a share of the outer.
    noise : float
        Standard deviation of the distance from the circle.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class; class A is the outer ring.

    Examples
    --------
    >>> circles(n_samples=10).frame.columns.tolist()
    ['x', 'y', 'class']
    """
    rng = np.random.default_rng(random_state)
    codes = _codes(n_samples, np.ones(2))
    turn = 2 * np.pi * rng.random(n_samples)
    radius = 4 * np.where(codes == 1, factor, 1.0)
    x, y = _CENTRE + radius * np.cos(turn), _CENTRE + radius * np.sin(turn)
    return _table(rng, "circles", _noisy(rng, x, y, noise), codes, n_outliers)


def spirals(
    *,
    n_samples: int = 300,
    arms: int = 2,
    turns: float = 1.25,
    noise: float = 0.12,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw spiral arms around a common centre.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    arms : int
        Number of arms, one class each.
    turns : float
        Number of turns of an arm.
    noise : float
        Standard deviation of the distance from the curve.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class.

    Examples
    --------
    >>> spirals(arms=3).frame["class"].nunique()
    3
    """
    rng = np.random.default_rng(random_state)
    codes = _codes(n_samples, np.ones(arms))
    # The square root spreads the points evenly along the arm.
    reach = np.sqrt(rng.uniform(0.02, 1, n_samples))
    turn = 2 * np.pi * (turns * reach + codes / arms)
    x, y = _CENTRE + 4.5 * reach * np.cos(turn), _CENTRE + 4.5 * reach * np.sin(turn)
    return _table(rng, "spirals", _noisy(rng, x, y, noise), codes, n_outliers)


def xor(*, n_samples: int = 200, noise: float = 0.3, n_outliers: int = 0, random_state: int = 0) -> Table:
    """Draw four squares of which those at opposite corners share a class.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    noise : float
        Standard deviation by which points leave their square.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class.

    Examples
    --------
    >>> xor(n_samples=8).frame["class"].nunique()
    2
    """
    rng = np.random.default_rng(random_state)
    corner = rng.integers(0, 2, (n_samples, 2))
    points = 1.3 + 4.2 * corner + 3.2 * rng.random((n_samples, 2))
    points = _noisy(rng, points[:, 0], points[:, 1], noise)
    return _table(rng, "xor", points, corner[:, 0] ^ corner[:, 1], n_outliers)


def checkerboard(
    *,
    n_samples: int = 300,
    cells: int = 4,
    noise: float = 0.0,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw a board of cells whose class alternates.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    cells : int
        Number of cells on each side.
    noise : float
        Standard deviation by which points leave their cell.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class.

    Examples
    --------
    >>> checkerboard(n_samples=50).frame["class"].nunique()
    2
    """
    rng = np.random.default_rng(random_state)
    points = rng.uniform(0.5, 9.5, (n_samples, 2))
    codes = np.floor((points - 0.5) / 9 * cells).astype(int).sum(axis=1) % 2
    return _table(rng, "checkerboard", _noisy(rng, points[:, 0], points[:, 1], noise), codes, n_outliers)


def uniform_noise(
    *,
    n_samples: int = 200,
    classes: int = 2,
    n_features: int = 2,
    random_state: int = 0,
) -> Table:
    """Draw points without any structure: whatever a method finds here is its own invention.

    Parameters
    ----------
    n_samples : int
        Number of points.
    classes : int
        Number of class labels, given at random.
    n_features : int
        Number of columns.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y (x1, x2, ... when there are more than two) and class.

    Examples
    --------
    >>> uniform_noise(n_features=3).frame.columns.tolist()
    ['x1', 'x2', 'x3', 'class']
    """
    rng = np.random.default_rng(random_state)
    points = rng.uniform(LOW, HIGH, (n_samples, n_features))
    return _table(rng, "uniform_noise", points, rng.integers(0, classes, n_samples), 0)


def planted_baskets(*, n_samples: int = 200, noise: float = 0.05, random_state: int = 0) -> Baskets:
    """Draw market baskets in which three rules are planted.

    Bread, milk, coffee, apples, beer, eggs and candles are bought independently of each other. Butter goes with bread
    (in 7 of 10 baskets), sugar with coffee and milk together (8 of 10), crisps with beer (6 of 10).

    Parameters
    ----------
    n_samples : int
        Number of baskets.
    noise : float
        Probability with which an item that follows from nothing is bought nevertheless.
    random_state : int
        Seed: the same seed gives the same baskets.

    Returns
    -------
    Baskets
        Sets of at most ten items; no basket is empty.

    Examples
    --------
    >>> "butter" in planted_baskets().items
    True
    """
    rng = np.random.default_rng(random_state)
    chance = {"bread": 0.5, "milk": 0.45, "coffee": 0.35, "apples": 0.25, "beer": 0.25, "eggs": 0.2, "candles": 0.05}
    rules = ({"bread"}, "butter", 0.7), ({"coffee", "milk"}, "sugar", 0.8), ({"beer"}, "crisps", 0.6)
    baskets: list[frozenset[str]] = []
    while len(baskets) < n_samples:
        basket = {item for item, p in chance.items() if rng.random() < p}
        basket |= {item for cause, item, p in rules if rng.random() < (p if cause <= basket else noise)}
        if basket:
            baskets.append(frozenset(basket))
    return Baskets(tuple(baskets), "planted_baskets", licence=_LICENCE)


@dataclass(frozen=True)
class Generator:
    """A function that makes data, and what a page needs to offer it.

    Attributes
    ----------
    title : str
        A few words.
    function : callable
        Returns a `Table`; its signature holds the defaults, its docstring the help texts.
    params : mapping of str to Param
        The bounds of its parameters, without ``random_state``.
    description : str
        One sentence: what the data show.
    """

    title: str
    function: Callable[..., Table]
    params: Mapping[str, Param]
    description: str


_SIZE = Integer(2, 10_000, shown=(20, 1000))
_OUTLIERS = Integer(0, 1000, shown=(0, 60))
_CENTERS = Integer(1, 12, shown=(2, 8))
_SPREAD = Number(0.0, 5.0, shown=(0.1, 2.0), step=0.05)
_NOISE = Number(0.0, 5.0, shown=(0.0, 1.0), step=0.05)
_RATIO = Number(1.0, 100.0, shown=(1.0, 20.0), step=0.5)
_FEATURES = Integer(2, 50, shown=(2, 10))

GENERATORS: Mapping[str, Generator] = {
    "blobs": Generator(
        "Round groups",
        blobs,
        {"n_samples": _SIZE, "centers": _CENTERS, "spread": _SPREAD, "n_features": _FEATURES, "n_outliers": _OUTLIERS},
        "Equal round groups that just touch: what k-means assumes.",
    ),
    "anisotropic": Generator(
        "Long groups",
        anisotropic,
        {
            "n_samples": _SIZE,
            "centers": _CENTERS,
            "spread": _SPREAD,
            "stretch": Number(1.0, 20.0, shown=(1.0, 8.0), step=0.5),
            "angle": Number(0.0, 180.0, step=5.0),
            "n_outliers": _OUTLIERS,
        },
        "Long parallel groups: distance to a centre misleads.",
    ),
    "unequal_sizes": Generator(
        "Groups of unequal size",
        unequal_sizes,
        {"n_samples": _SIZE, "centers": _CENTERS, "ratio": _RATIO, "spread": _SPREAD, "n_outliers": _OUTLIERS},
        "One group has many more points than another: squared errors favour cutting the large one.",
    ),
    "unequal_densities": Generator(
        "Groups of unequal density",
        unequal_densities,
        {"n_samples": _SIZE, "centers": _CENTERS, "ratio": _RATIO, "spread": _SPREAD, "n_outliers": _OUTLIERS},
        "Dense and loose groups: no single neighbourhood size suits them all.",
    ),
    "moons": Generator(
        "Two moons",
        moons,
        {"n_samples": _SIZE, "noise": _NOISE, "n_outliers": _OUTLIERS},
        "Interleaved half circles: groups that are connected but not round.",
    ),
    "circles": Generator(
        "Two circles",
        circles,
        {
            "n_samples": _SIZE,
            "factor": Number(0.05, 0.95, step=0.05),
            "noise": _NOISE,
            "n_outliers": _OUTLIERS,
        },
        "A ring in a ring: no straight line separates them.",
    ),
    "spirals": Generator(
        "Spirals",
        spirals,
        {
            "n_samples": _SIZE,
            "arms": Integer(1, 8, shown=(1, 5)),
            "turns": Number(0.25, 5.0, shown=(0.25, 3.0), step=0.25),
            "noise": _NOISE,
            "n_outliers": _OUTLIERS,
        },
        "Wound arms: only a flexible or a density-based method follows them.",
    ),
    "xor": Generator(
        "XOR",
        xor,
        {"n_samples": _SIZE, "noise": _NOISE, "n_outliers": _OUTLIERS},
        "Opposite corners share a class: neither column tells anything by itself.",
    ),
    "checkerboard": Generator(
        "Checkerboard",
        checkerboard,
        {"n_samples": _SIZE, "cells": Integer(2, 10, shown=(2, 6)), "noise": _NOISE, "n_outliers": _OUTLIERS},
        "Alternating cells: many local rules and no global one.",
    ),
    "uniform_noise": Generator(
        "Uniform noise",
        uniform_noise,
        {"n_samples": _SIZE, "classes": Integer(1, 12, shown=(1, 6)), "n_features": _FEATURES},
        "No structure at all: a test of whether a method invents some.",
    ),
}


def make(name: str, *, random_state: int = 0, **params: Any) -> Table:
    """Make data by the name of the generator, with checked parameters.

    Parameters
    ----------
    name : str
        A key of ``GENERATORS``.
    random_state : int
        Seed: the same seed gives the same points.
    **params
        Parameters of the generator; the others keep their defaults.

    Returns
    -------
    Table
        As the generator returns it.

    Raises
    ------
    ValueError
        If there is no such generator or parameter, or a value is out of bounds.

    Examples
    --------
    >>> make("moons", n_samples=40).frame.shape
    (40, 3)
    >>> make("moons", n_samples=-1)
    Traceback (most recent call last):
        ...
    ValueError: n_samples must be a whole number from 2 to 10000; it was -1.
    """
    if name not in GENERATORS:
        raise ValueError(f"There is no generator {name!r}. Choose one of {', '.join(GENERATORS)}.")
    generator = GENERATORS[name]
    unknown = set(params) - set(generator.params)
    if unknown:
        raise ValueError(f"The generator {name} has no parameter {', '.join(sorted(unknown))}.")
    check_params(generator.params, {**defaults(generator.function), **params})
    check_params({"random_state": Integer(0, 2**32 - 1)}, {"random_state": random_state})
    return generator.function(**params, random_state=random_state)


def _codes(n_samples: int, weights: Array) -> NDArray[np.intp]:
    """Return class codes in blocks whose sizes follow the weights."""
    ends = np.rint(np.cumsum(weights) / weights.sum() * n_samples).astype(int)
    return np.searchsorted(ends, np.arange(n_samples), side="right")


def _spaced(rng: np.random.Generator, count: int, n_features: int, candidates: int = 30) -> Array:
    """Return centres that keep away from each other: the farthest of some candidates, one by one."""
    centres = rng.uniform(2, 8, (1, n_features))
    while len(centres) < count:
        tries = rng.uniform(2, 8, (candidates, n_features))
        gaps = np.linalg.norm(tries[:, None] - centres, axis=2).min(axis=1)
        centres = np.vstack([centres, tries[gaps.argmax()]])
    return centres


def _noisy(rng: np.random.Generator, x: Array, y: Array, noise: float) -> Array:
    return np.column_stack([x, y]) + noise * rng.standard_normal((len(x), 2))


def _folded(points: Array) -> Array:
    """Mirror what falls outside at the border, so that every point can be drawn and shared."""
    return np.abs((points + HIGH) % (2 * HIGH) - HIGH)


def _table(rng: np.random.Generator, name: str, points: Array, codes: NDArray[Any], n_outliers: int) -> Table:
    n_features = points.shape[1]
    names = ["x", "y"] if n_features == 2 else [f"x{number}" for number in range(1, n_features + 1)]
    points = np.vstack([_folded(points), rng.uniform(LOW, HIGH, (n_outliers, n_features))])
    frame = pd.DataFrame(points, columns=names)
    frame["class"] = [class_name(int(code)) for code in codes] + ["outlier"] * n_outliers
    generator = GENERATORS[name]
    return Table(
        frame,
        {**dict.fromkeys(names, "numeric"), "class": "nominal"},
        name=name,
        title=generator.title,
        description=generator.description,
        target="class",
        source=f"The generator {name}.",
        licence=_LICENCE,
    )
