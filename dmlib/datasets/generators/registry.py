"""The generators by name, with the bounds of their parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.containers import Baskets, GraphData, Patterns, SeriesData, Strings
from dmlib.datasets.generators.baskets import planted_baskets
from dmlib.datasets.generators.clusters import (
    anisotropic,
    blobs,
    unequal_densities,
    unequal_sizes,
    uniform_noise,
)
from dmlib.datasets.generators.graphs import (
    grid_graph,
    planted_partition,
    preferential_attachment,
    random_graph,
)
from dmlib.datasets.generators.patterns import random_patterns
from dmlib.datasets.generators.regression import (
    correlated_features,
    growing_spread,
    noisy_curve,
    noisy_line,
)
from dmlib.datasets.generators.series import random_walk, shifted_waves, warped_pair
from dmlib.datasets.generators.shapes import checkerboard, circles, moons, spirals, xor
from dmlib.datasets.generators.strings import planted_motif, zipf_texts
from dmlib.datasets.table import Table
from dmlib.params import Flag, Integer, Number, Param, check_params, defaults

Data = Table | Baskets | GraphData | SeriesData | Strings | Patterns


@dataclass(frozen=True)
class Generator:
    """A function that makes data, and what a page needs to offer it.

    Attributes
    ----------
    title : str
        A few words.
    function : callable
        Returns the data; its signature holds the defaults, its docstring the help texts.
    params : mapping of str to Param
        The bounds of its parameters, without ``random_state``.
    description : str
        One sentence: what the data show.
    kind : {"table", "baskets", "graph", "series", "strings", "patterns"}
        What it makes.
    numeric_target : bool
        Whether that is a table whose target is a number, not a class.
    """

    title: str
    function: Callable[..., Any]
    params: Mapping[str, Param]
    description: str
    kind: DataKind = "table"
    numeric_target: bool = False


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
        {"n_samples": _SIZE, "noise": _NOISE, "n_outliers": _OUTLIERS},
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

_CHANCE = Number(0.0, 1.0, step=0.01)
_WEIGHT = Integer(1, 1000, shown=(1, 20))
_LENGTH = Integer(2, 500, shown=(10, 200))
_ERROR = Number(0.0, 10.0, shown=(0.0, 1.0), step=0.01)

_FURTHER: Mapping[str, Generator] = {
    "planted_baskets": Generator(
        "Planted rules",
        planted_baskets,
        {"n_samples": Integer(1, 10_000, shown=(10, 1000)), "noise": _CHANCE},
        "Market baskets in which three rules are planted.",
        kind="baskets",
    ),
    "random_graph": Generator(
        "Random graph",
        random_graph,
        {
            "n_nodes": Integer(1, 200, shown=(5, 60)),
            "p": _CHANCE,
            "max_weight": _WEIGHT,
            "directed": Flag(),
        },
        "Every two nodes are joined with the same probability: no groups, no hubs.",
        kind="graph",
    ),
    "planted_partition": Generator(
        "Planted groups",
        planted_partition,
        {
            "n_groups": Integer(1, 10, shown=(2, 6)),
            "group_size": Integer(1, 30, shown=(3, 20)),
            "p_in": _CHANCE,
            "p_out": _CHANCE,
            "max_weight": _WEIGHT,
        },
        "Groups of nodes that are joined more often within than between: what graph clustering"
        " looks for.",
        kind="graph",
    ),
    "preferential_attachment": Generator(
        "Preferential attachment",
        preferential_attachment,
        {
            "n_nodes": Integer(2, 200, shown=(5, 80)),
            "n_edges": Integer(1, 10, shown=(1, 4)),
            "max_weight": _WEIGHT,
        },
        "New nodes join those that have many neighbours: a few hubs hold the graph together.",
        kind="graph",
    ),
    "grid_graph": Generator(
        "Grid",
        grid_graph,
        {
            "rows": Integer(1, 15, shown=(2, 8)),
            "columns": Integer(1, 15, shown=(2, 12)),
            "max_weight": _WEIGHT,
        },
        "Crossings of a city with streets of different length: many paths between two nodes.",
        kind="graph",
    ),
    "shifted_waves": Generator(
        "Shifted waves",
        shifted_waves,
        {
            "n_values": _LENGTH,
            "cycles": Number(0.0, 20.0, shown=(0.5, 6.0)),
            "shift": _CHANCE,
            "noise": _ERROR,
        },
        "A wave and the same wave later: far apart point by point, near when time may be warped.",
        kind="series",
    ),
    "warped_pair": Generator(
        "Warped bumps",
        warped_pair,
        {"n_values": _LENGTH, "n_others": _LENGTH, "warp": _CHANCE, "noise": _ERROR},
        "The same two bumps in even and in uneven time.",
        kind="series",
    ),
    "random_walk": Generator(
        "Random walk",
        random_walk,
        {
            "n_values": _LENGTH,
            "drift": Number(-10.0, 10.0, shown=(-1.0, 1.0), step=0.05),
            "noise": _ERROR,
        },
        "Independent steps add up to a series that seems to have trends.",
        kind="series",
    ),
    "planted_motif": Generator(
        "DNA with a motif",
        planted_motif,
        {
            "n_texts": Integer(2, 500, shown=(4, 100)),
            "length": Integer(1, 500, shown=(8, 80)),
            "motif_length": Integer(1, 50, shown=(2, 12)),
            "mutation": _CHANCE,
        },
        "Random strands, in half of which the same letters are planted.",
        kind="strings",
    ),
    "zipf_texts": Generator(
        "Words with skew",
        zipf_texts,
        {
            "n_texts": Integer(1, 500, shown=(4, 100)),
            "length": Integer(1, 500, shown=(10, 300)),
            "vocabulary": Integer(1, 5000, shown=(10, 1000)),
            "exponent": Number(0.0, 5.0, shown=(0.0, 3.0), step=0.1),
        },
        "The frequency of a word falls with its rank, by Zipf's law; the exponent is the skew.",
        kind="strings",
    ),
    "random_patterns": Generator(
        "Random patterns",
        random_patterns,
        {
            "n_patterns": Integer(1, 500, shown=(1, 40)),
            "side": Integer(2, 20, shown=(3, 16)),
            "on": Number(0.0, 1.0, step=0.05),
        },
        "Each cell is on or off by chance: what the theory of capacity assumes.",
        kind="patterns",
    ),
}


def generators(kind: DataKind = "table", *, numeric_target: bool = False) -> dict[str, Generator]:
    """Return the generators of one kind of data by name, in the order in which they are shown.

    Parameters
    ----------
    kind : {"table", "baskets", "graph", "series", "strings", "image", "surface", "patterns"}
        What they make.
    numeric_target : bool
        Of tables, whether the target is a number, not a class.

    Examples
    --------
    >>> list(generators("series"))
    ['shifted_waves', 'warped_pair', 'random_walk']
    """
    return {
        name: generator
        for name, generator in _ALL.items()
        if generator.kind == kind and generator.numeric_target == numeric_target
    }


_ALL: Mapping[str, Generator] = {**GENERATORS, **_REGRESSION, **_FURTHER}


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
