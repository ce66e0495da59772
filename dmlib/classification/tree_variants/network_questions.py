"""Questions about info-fuzzy networks: the column of a layer, degrees of freedom, nodes split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dmlib.classification.class_questions import best
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_variants.info_fuzzy import Layer
from dmlib.classification.tree_variants.variant import VariantStep, VariantTree
from dmlib.pictures.answers import MAX_OPTIONS, Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_NODES = 6  # open nodes of which those that are split are counted by hand
MAX_TESTS = 8  # whose numbers are told


class NetworkRule(Misconception):
    """Wrong rules of info-fuzzy networks."""

    SMALLEST = "The column with the smallest p-value in a node becomes the layer."
    CELLS = "A table has as many degrees of freedom as cells, less one."
    WHOLE = "A layer splits all nodes of the layer before."
    ABOVE = "A node is split where p is above the significance level."


def layer_questions(
    run: Run[Problem, VariantTree], number: int, step: VariantStep
) -> Iterator[Question]:
    """Yield the questions that a layer answers.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import InfoFuzzyNetwork
    >>> from dmlib.problem import prepare
    >>> columns = {"a": [0.0] * 9 + [1.0] * 9, "b": range(18)}
    >>> frame = pd.DataFrame(columns | {"c": ["x"] * 9 + ["y"] * 9})
    >>> run = Run.of(prepare(frame, ["a", "b"], target="c", labelled=True), InfoFuzzyNetwork())
    >>> [each.topic for each in layer_questions(run, 1, run.trace.steps[1])]
    ['layer', 'degrees of freedom', 'nodes split']
    """
    layer: Layer = step.layers[0]
    yield from _column(run, number, step)
    name = run.problem.features[layer.column]
    tests = [test for test in layer.tests if test.freedom]
    test = max(tests, key=lambda test: test.freedom)
    values, classes = (int((test.counts.sum(axis=axis) > 0).sum()) for axis in (1, 0))
    has = "intervals" if layer.thresholds else "values"
    yield Question(
        number,
        "degrees of freedom",
        f"In {node_name(test.node)} occur {values} {has} of {name} and {classes} classes: how many"
        " degrees of freedom has G²?",
        Value(test.freedom),
        f"({values} − 1) · ({classes} − 1) = {test.freedom}.",
        (Wrong(NetworkRule.CELLS, values * classes - 1),),
        "As many as a table of counts has that is tested for independence.",
        about=[test.node + 1],
        of="node",
    )
    if len(layer.tests) > MAX_NODES:
        return
    n_split = sum(test.is_significant for test in layer.tests)
    limit = num4(run.model.get_params()["significance"])
    listing = "; ".join(f"{node_name(test.node)}: p = {num4(test.p)}" for test in layer.tests)
    yield Question(
        number,
        "nodes split",
        f"Layer {step.node + 1} is {name} ({listing}): at a significance of {limit}, how many nodes"
        " are split?",
        Value(n_split),
        f"{count(n_split, 'node has', 'nodes have')} a p-value that is no larger; the others are"
        " terminal.",
        (
            Wrong(NetworkRule.WHOLE, len(layer.tests)),
            Wrong(NetworkRule.ABOVE, len(layer.tests) - n_split),
        ),
        "Each node is tested by itself.",
        about=[test.node + 1 for test in layer.tests],
        of="node",
    )


def _column(run: Run[Problem, VariantTree], number: int, step: VariantStep) -> Iterator[Question]:
    """Yield the question which column a layer is."""
    layers = sorted(step.layers[1:], key=lambda layer: -layer.bits)[:MAX_OPTIONS]
    if len(layers) < 2:
        return
    layers.sort(key=lambda layer: int(layer.column))
    names = [run.problem.features[layer.column] for layer in layers]
    bits = np.array([layer.bits for layer in layers])
    right = best(bits)
    pairs = zip(bits.tolist(), names, strict=True)
    smallest = [min(test.p for test in layer.tests) for layer in layers]
    yield Question(
        number,
        "layer",
        f"{_bits_of(run, layers, names)}which column becomes layer {step.node + 1}?",
        Option(names, right),
        f"The bits are {', '.join(f'{num4(value)} for {name}' for value, name in pairs)}.",
        (Wrong(NetworkRule.SMALLEST, int(np.argmin(smallest))),),
        "Only nodes where the column is significant count.",
        "These columns tell the same." if len(right) > 1 else "",
    )


def _bits_of(run: Run[Problem, VariantTree], layers: Sequence[Layer], names: Sequence[str]) -> str:
    """Return the numbers of some columns, as the beginning of a question; of few tests alone."""
    if sum(len(layer.tests) for layer in layers) > MAX_TESTS:
        return "By what it tells about the class, "
    by_column = [
        [
            f"{num4(test.bits)} in {node_name(test.node)} (p = {num4(test.p)})"
            for test in layer.tests
        ]
        for layer in layers
    ]
    parts = "; ".join(
        f"{name} {', '.join(tests)}" for name, tests in zip(names, by_column, strict=True)
    )
    limit = num4(run.model.get_params()["significance"])
    return f"The bits about the class are: {parts}. At a significance of {limit}, "
