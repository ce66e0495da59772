"""The arithmetic of CHAID and QUEST in the ledger agrees with a recomputation."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import CHAID, QUEST
from dmlib.problem import prepare
from tests.classification.decision_tree.data import params_of
from tests.classification.decision_tree.pictures import CASES, scene_of
from tests.pictures.examples import formulas, result, tables


def test_merges_of_chaid_are_in_the_ledger():
    problem, params = CASES["heart, CHAID"]
    scene, _, trace = scene_of(problem, **params)
    root, frame = trace.steps[0], scene.frames[1]
    test = root.chosen.test
    table = tables(frame)[
        f"The most similar groups of {problem.features[root.chosen.split.column]}"
    ]
    assert [row[3] for row in table.rows] == ["merged"] * len(test.merges) + ["differ"] * (
        test.rival is not None
    )
    assert [row[1] for row in table.rows][: len(test.merges)] == pytest.approx(
        [merge.statistic for merge in test.merges], rel=1e-3
    )
    chi, p, adjusted, score = formulas(frame)[:4]
    assert result(chi) == pytest.approx(test.statistic, rel=1e-3)
    assert result(p) * test.n_ways == pytest.approx(result(adjusted), rel=1e-2)
    assert (
        f"{test.n_values} values make {test.n_groups} groups in {test.n_ways:.0f} ways" in adjusted
    )
    assert -np.log10(result(adjusted)) == pytest.approx(result(score), rel=1e-2)
    ranked = next(block for title, block in tables(frame).items() if "candidates, ranked" in title)
    assert [row[3] for row in ranked.rows] == pytest.approx(
        [10 ** -row[2] for row in ranked.rows], rel=5e-2
    )


def test_the_likelihood_ratio_is_written_out():
    frame = pd.DataFrame(
        {"a": list("u" * 7 + "v" * 7), "k": list("x" * 4 + "yyz" + "yyyyzzz")}, dtype=str
    )
    problem = prepare(frame, ["a"], target="k", labelled=True)
    scene, _, trace = scene_of(problem, **params_of(CHAID), statistic="likelihood_ratio")
    first, p = formulas(scene.frames[1])[:2]
    assert first.startswith("G² = 2 · (4·ln(4 / 2) + ")
    assert result(first) == pytest.approx(trace.steps[0].chosen.test.statistic, rel=1e-3)
    assert p.startswith("p = P(G² ≥ 7.271 with 2 degrees of freedom)")


def test_intervals_of_chaid_are_named():
    problem, params = CASES["penguins, CHAID"]
    scene, _, trace = scene_of(problem, **params)
    step = next(
        s
        for s in trace.steps
        if s.phase == "split" and s.chosen.split.thresholds and s.chosen.test.merges
    )
    frame = next(
        f
        for f in scene.frames
        if f.caption.startswith(("The root", "Node"))
        and "The most similar groups of bill_length_mm" in tables(f)
    )
    groups = [row[0] for row in tables(frame)["The most similar groups of bill_length_mm"].rows]
    assert all(group.startswith(("≤", ">")) or "–" in group for group in groups)
    assert step.chosen.test.edges


def test_the_groups_and_the_cut_of_quest_are_in_the_ledger():
    problem, params = CASES["iris, QUEST"]
    scene, _, trace = scene_of(problem, **params)
    frame, cut = scene.frames[1], trace.steps[0].chosen.test.cut
    table = tables(frame)["Two groups of classes, by their means"]
    assert [row[0] for row in table.rows] == ["setosa", "versicolor, virginica"]
    assert [row[1] for row in table.rows] == pytest.approx(cut.means, rel=1e-3)
    assert any(line.endswith(f"are equal at {cut.place:.4g}") for line in formulas(frame))
    assert any(line.startswith("the class means differ: F = ") for line in formulas(frame))
    problem, params = CASES["heart, QUEST"]
    frame = scene_of(problem, **params)[0].frames[1]
    places = [row[1] for row in tables(frame)["Values on the first discriminant coordinate"].rows]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([1, 2, 3, 4, 6, 8, 10, 12], "are equal at"),
        (
            [1, 1, 1, 1, 2, 3, 4, 6],
            "one group has a single value, and the cut is beside it, at 1.5",
        ),
        ([0, 1e3, 2e3, 3e3, 3000.1, 3000.2, 3000.3, 3000.4], "are equal at"),
    ],
    ids=["equal", "single", "narrow"],
)
def test_why_quest_cuts_there(values, reason):
    frame = pd.DataFrame({"a": np.array(values, float), "k": list("xxxxyyyy")})
    problem = prepare(frame, ["a"], target="k", labelled=True)
    scene, _, trace = scene_of(problem, **params_of(QUEST))
    cut = trace.steps[0].chosen.test.cut
    assert any(reason in line for line in formulas(scene.frames[1]))
    n, means, variances = (
        np.array(values_of_groups) for values_of_groups in (cut.weights, cut.means, cut.variances)
    )
    if "equal" in reason:
        densities = n * np.exp(-((cut.place - means) ** 2) / variances / 2) / np.sqrt(variances)
        assert densities[0] == pytest.approx(densities[1], rel=1e-6)


def test_a_leaf_says_that_nothing_is_significant():
    problem, params = CASES["weather, binary"]
    for params in (params_of(CHAID), params_of(QUEST)):
        scene, _, trace = scene_of(problem, **params)
        assert trace.steps[0].phase == "leaf"
        assert "no column is significant, as the smallest p, " in scene.frames[1].caption
