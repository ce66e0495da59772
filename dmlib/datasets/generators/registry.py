"""The generators by name, with the bounds of their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.containers import Baskets, GraphData, Patterns, SeriesData, Strings
from dmlib.datasets.generators.clusters import (
    anisotropic,
    blobs,
    unequal_densities,
    unequal_sizes,
    uniform_noise,
)
from dmlib.datasets.generators.decisions import confusion_counts
from dmlib.datasets.generators.generator import Generator
from dmlib.datasets.generators.other_kinds import OTHER_KINDS
from dmlib.datasets.generators.regression import (
    correlated_features,
    drift,
    group_means,
    growing_spread,
    noisy_curve,
    noisy_line,
)
from dmlib.datasets.generators.shapes import checkerboard, circles, moons, spirals, xor
from dmlib.datasets.table import Table
from dmlib.params import Flag, Integer, Number, Param, check_params, defaults

Data = Table | Baskets | GraphData | SeriesData | Strings | Patterns


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
        {
            "n_samples": _SIZE,
            "centers": _CENTERS,
            "spread": _SPREAD,
            "n_features": _FEATURES,
            "n_outliers": _OUTLIERS,
        },
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
        {
            "n_samples": _SIZE,
            "centers": _CENTERS,
            "ratio": _RATIO,
            "spread": _SPREAD,
            "n_outliers": _OUTLIERS,
        },
        "One group has many more points than another: squared errors favour cutting the large one.",
    ),
    "unequal_densities": Generator(
        "Groups of unequal density",
        unequal_densities,
        {
            "n_samples": _SIZE,
            "centers": _CENTERS,
            "ratio": _RATIO,
            "spread": _SPREAD,
            "n_outliers": _OUTLIERS,
        },
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
        {"n_samples": _SIZE, "noise": _NOISE, "product": Flag(), "n_outliers": _OUTLIERS},
        "Opposite corners share a class: neither column tells anything by itself.",
    ),
    "checkerboard": Generator(
        "Checkerboard",
        checkerboard,
        {
            "n_samples": _SIZE,
            "cells": Integer(2, 10, shown=(2, 6)),
            "noise": _NOISE,
            "n_outliers": _OUTLIERS,
        },
        "Alternating cells: many local rules and no global one.",
    ),
    "uniform_noise": Generator(
        "Uniform noise",
        uniform_noise,
        {"n_samples": _SIZE, "classes": Integer(1, 12, shown=(1, 6)), "n_features": _FEATURES},
        "No structure at all: a test of whether a method invents some.",
    ),
}
"""The generators of tables with classes, by name."""

_LINE: Mapping[str, Param] = {
    "n_samples": _SIZE,
    "slope": Number(-10.0, 10.0, shown=(-2.0, 2.0), step=0.1),
    "intercept": Number(-100.0, 100.0, shown=(-10.0, 10.0), step=0.5),
    "noise": Number(0.0, 20.0, shown=(0.0, 4.0), step=0.1),
}

_REGRESSION: Mapping[str, Generator] = {
    "noisy_line": Generator(
        "Line with noise",
        noisy_line,
        {**_LINE, "n_outliers": _OUTLIERS},
        "A straight line with errors; a few outliers at its end turn it.",
        numeric_target=True,
    ),
    "growing_spread": Generator(
        "Line with growing spread",
        growing_spread,
        {**_LINE, "growth": Number(0.0, 5.0, shown=(0.0, 1.0), step=0.05)},
        "Heteroscedastic errors: the standard errors of least squares mislead.",
        numeric_target=True,
    ),
    "group_means": Generator(
        "Means of groups",
        group_means,
        {**_LINE, "largest": Integer(1, 10_000, shown=(1, 200))},
        "Means of small groups scatter more: weigh each by its size.",
        numeric_target=True,
    ),
    "drift": Generator(
        "Line that drifts",
        drift,
        {**_LINE, "turn": Number(-20.0, 20.0, shown=(-4.0, 4.0), step=0.1)},
        "The slope turns while rows come in: what learns row by row follows, what learns once"
        " cannot.",
        numeric_target=True,
    ),
    "noisy_curve": Generator(
        "Curve with noise",
        noisy_curve,
        {
            "n_samples": _SIZE,
            "waves": Number(0.0, 10.0, shown=(0.25, 3.0), step=0.25),
            "height": Number(0.0, 20.0, shown=(0.0, 5.0), step=0.25),
            "noise": Number(0.0, 20.0, shown=(0.0, 4.0), step=0.1),
            "n_outliers": _OUTLIERS,
        },
        "A sine curve with errors: a line underfits, a polynomial of high degree overfits.",
        numeric_target=True,
    ),
    "correlated_features": Generator(
        "Correlated features",
        correlated_features,
        {
            "n_samples": _SIZE,
            "n_features": _FEATURES,
            "n_informative": Integer(0, 50, shown=(0, 10)),
            "correlation": Number(0.0, 1.0, shown=(0.0, 0.99), step=0.01),
            "noise": Number(0.0, 20.0, shown=(0.0, 5.0), step=0.1),
        },
        "Features that say nearly the same, and few that matter: least squares is unstable.",
        numeric_target=True,
    ),
}


_COUNT = Integer(0, 500)
_DECISIONS: Mapping[str, Generator] = {
    "confusion_counts": Generator(
        "Confusion matrix by its counts",
        confusion_counts,
        {"tp": _COUNT, "fn": _COUNT, "fp": _COUNT, "tn": _COUNT},
        "The decisions are those of the column: with the classifier *Column of scores*, the matrix"
        " has these counts.",
        purpose="decisions",
    )
}


def generators(
    kind: DataKind = "table", *, numeric_target: bool = False, purpose: str = ""
) -> dict[str, Generator]:
    """Return the generators of one kind of data by name, in the order in which they are shown.

    Parameters
    ----------
    kind : {"table", "baskets", "graph", "series", "strings", "image", "surface", "patterns"}
        What they make.
    numeric_target : bool
        Of tables, whether the target is a number, not a class.
    purpose : str
        With a purpose, the generators for it come after those for all techniques.

    Examples
    --------
    >>> list(generators("series"))
    ['shifted_waves', 'warped_pair', 'random_walk', 'whole_numbers']
    """
    return {
        name: generator
        for name, generator in _ALL.items()
        if generator.kind == kind
        and generator.numeric_target == numeric_target
        and generator.purpose in ("", purpose)
    }


_ALL: Mapping[str, Generator] = {**GENERATORS, **_DECISIONS, **_REGRESSION, **OTHER_KINDS}


def make(name: str, *, random_state: int = 0, **params: Any) -> Any:
    """Make data by the name of the generator, with checked parameters.

    Parameters
    ----------
    name : str
        A name in ``generators`` of some kind.
    random_state : int
        Seed: the same seed gives the same data.
    **params
        Parameters of the generator; the others keep their defaults.

    Returns
    -------
    Table, Baskets, GraphData, SeriesData or Strings
        As the generator's ``kind`` says.

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
    if name not in _ALL:
        raise ValueError(f"There is no generator {name!r}. Choose one of {', '.join(_ALL)}.")
    generator = _ALL[name]
    unknown = set(params) - set(generator.params)
    if unknown:
        raise ValueError(f"The generator {name} has no parameter {', '.join(sorted(unknown))}.")
    check_params(generator.params, {**defaults(generator.function), **params})
    check_params({"random_state": Integer(0, 2**32 - 1)}, {"random_state": random_state})
    data: Data = generator.function(**params, random_state=random_state)
    return replace(data, title=generator.title, description=generator.description)
