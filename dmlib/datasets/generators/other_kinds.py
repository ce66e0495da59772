"""The generators of data that are no tables, by name."""

from __future__ import annotations

from collections.abc import Mapping

from dmlib.datasets.generators.baskets import planted_baskets
from dmlib.datasets.generators.generator import Generator
from dmlib.datasets.generators.graphs import (
    grid_graph,
    planted_partition,
    preferential_attachment,
    random_graph,
    rings_and_trees,
)
from dmlib.datasets.generators.patterns import random_patterns
from dmlib.datasets.generators.series import random_walk, shifted_waves, warped_pair, whole_numbers
from dmlib.datasets.generators.strings import planted_motif, zipf_texts
from dmlib.params import Flag, Integer, Number

_CHANCE = Number(0.0, 1.0, step=0.01)
_WEIGHT = Integer(1, 1000, shown=(1, 20))
_LENGTH = Integer(2, 500, shown=(10, 200))
_SHORT = Integer(2, 100, shown=(2, 20))
_ERROR = Number(0.0, 10.0, shown=(0.0, 1.0), step=0.01)

OTHER_KINDS: Mapping[str, Generator] = {
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
    "rings_and_trees": Generator(
        "Rings and trees",
        rings_and_trees,
        {
            "n_graphs": Integer(2, 40, shown=(4, 24)),
            "min_nodes": Integer(3, 10, shown=(3, 8)),
            "max_nodes": Integer(3, 10, shown=(4, 10)),
        },
        "Many small graphs at once, made-up molecules of atoms C, N and O: rings and trees.",
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
    "whole_numbers": Generator(
        "Whole numbers",
        whole_numbers,
        {"n_values": _SHORT, "n_others": _SHORT, "top": Integer(1, 1000, shown=(1, 20))},
        "Two short series of random whole numbers: small enough to be aligned by hand.",
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
