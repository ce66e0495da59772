"""The picture of association rules: frames, places of rules, 2 × 2 tables, and arithmetic."""

import numpy as np
import pytest

from dmlib.association import AssociationRules, MultipleSupportApriori
from dmlib.association.association_rules.ledger import Rules
from dmlib.association.association_rules.scene import NEGATIVE, POSITIVE, rules_scene
from dmlib.association.association_rules.shots import MAX_TESTED
from dmlib.datasets import load
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.run import Run
from dmlib.problem import prepare_baskets
from tests.pictures.examples import at
from tests.runs import stopped

NAMES = ("five_baskets", "tea_and_coffee", "zoo_baskets", "titanic_baskets", "planted_baskets")
MODELS = (
    AssociationRules(0.1),
    AssociationRules(0.4, 1.0),
    AssociationRules(1.0),
    MultipleSupportApriori(beta=0.8),
)

LABELS = {
    "support": "support",
    "confidence": "confidence",
    "lift": "lift",
    "leverage": "leverage",
    "conviction": "conviction",
    "Zhang": "zhangs_metric",
    "Kulczynski": "kulczynski",
    "imbalance ratio": "imbalance_ratio",
}


def run_of(name, model, **options):
    return Run.of(prepare_baskets(load(name).transactions), model, **options)


@pytest.fixture(scope="module")
def five():
    return rules_scene(run_of("five_baskets", AssociationRules(0.2, 0.6)))


def lines(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def tables(frame):
    return [
        [tuple(row) for row in block.rows]
        for block in frame.ledger
        if isinstance(block, LedgerTable)
    ]


def frame_of(scene, beginning):
    (frame,) = [frame for frame in scene.frames if frame.caption.startswith(beginning)]
    return frame


def points(scene):
    return next(mark for mark in scene.marks if getattr(mark, "data", False))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_every_run_can_be_drawn(name, model):
    scene = rules_scene(run_of(name, model))
    assert 1 < len(scene.frames) <= 3 * MAX_TESTED + 20
    assert scene.frames[-1].phase == "done"
    assert len(encode(scene)) < 150_000
    for frame in scene.frames:
        assert frame.caption.endswith(".")
        assert frame.ledger
    for mark in scene.marks:
        for channel in mark.CHANNELS:
            values = getattr(mark, channel)
            assert not isinstance(values, PerFrame) or len(values.rows) == len(scene.frames)


@pytest.mark.parametrize("model", [AssociationRules(0.2), MultipleSupportApriori()], ids=str)
def test_any_part_of_a_run_can_be_drawn(model):
    run = run_of("five_baskets", model)
    for n in range(len(run.trace.steps) + 1):
        assert encode(rules_scene(stopped(run, n)))


def test_the_ledger_of_a_rule_is_its_arithmetic(five):
    frame = frame_of(five, "{1} → {2} ")
    assert (
        frame.caption
        == "{1} → {2} holds in 3 of 4 baskets: confidence 0.75 ≥ 0.6, a rule, lift 0.9375."
    )
    assert lines(frame)[:4] == [
        "Of 100 baskets with {1}, 75 also have {2}; of 100 of all baskets, 80 do.",
        "support = 3 / 5 = 0.6",
        "confidence = 3 / 4 = 0.75 ≥ 0.6",
        "lift = 0.75 / 0.8 = 0.9375",
    ]
    assert "corrected p (Holm, 33 tests) = 1" in lines(frame)
    assert tables(frame) == [[("with {1}", 3, 1, 4), ("without {1}", 1, 0, 1), ("all", 4, 1, 5)]]
    assert "conviction = (1 − 0.8) / (1 − 1) = ∞" in lines(frame_of(five, "{5} → {1} "))


def test_formulas_say_what_the_measures_are():
    run = run_of("titanic_baskets", AssociationRules(0.1, 0.3))
    rules = Rules(run.problem, run.trace.steps, run.model)
    (t,) = [t for t in range(len(rules.places)) if rules.text(t) == "{sex=female} → {survived}"]
    (expected,) = (
        rule
        for rule in run.fitted.rules_.to_dict("records")
        if (rule["antecedents"], rule["consequents"]) == (("sex=female",), ("survived",))
    )
    formulas = dict(line.split(" = ", 1) for line in lines_of(rules, t))
    for label, name in LABELS.items():
        number = formulas[label].split("= ")[-1].split(" ")[0].replace("−", "-")
        assert float(number) == pytest.approx(expected[name], rel=1e-5)


def lines_of(rules, t):
    return [block.text for block in rules.blocks(t)[2:] if " = " in block.text]


def test_what_was_pruned_names_the_smaller_consequent(five):
    frame = frame_of(five, "{1, 2, 4}: 0 consequents of 2 items left to test, 3 pruned")
    assert tables(frame)[0] == [
        ("{1, 2}", None, "pruned: {1} failed"),
        ("{1, 4}", None, "pruned: {1} failed"),
        ("{2, 4}", None, "pruned: {4} failed"),
    ]
    assert lines(frame) == ["3 − 3 = 0 to be tested"]
    assert tables(frame_of(five, "{1, 2, 4} is in 1 basket: each of its 3 items"))[0][0] == (
        "{1}",
        None,
        "to be tested",
    )


def test_with_a_frame_for_each_size_the_verdicts_are_in_its_table():
    scene = rules_scene(run_of("zoo_baskets", AssociationRules(0.4, 0.9)))
    frames = [frame for frame in scene.frames if frame.phase in {"single", "join"}]
    rows = [row for frame in frames for row in tables(frame)[0]]
    assert {row[2].split(":")[0] for row in rows} == {"rule", "fails", "pruned"}
    assert all((row[1] >= 0.9) == (row[2] == "rule") for row in rows if row[1] is not None)


def test_rules_come_where_their_support_and_confidence_are(five):
    mark, last = points(five), five.frames[-1]
    model = AssociationRules(0.2, 0.6).fit(prepare_baskets(load("five_baskets").transactions).data)
    n_points = [int(np.isfinite(np.asarray(row, float)).sum()) for row in mark.x.rows]
    assert n_points == sorted(n_points)
    assert (n_points[0], n_points[-1]) == (0, model.n_tested_)
    filled = np.asarray(mark.hollow.rows[-1]) == 0
    assert sorted(at(mark.y, -1)[filled]) == pytest.approx(sorted(model.rules_["confidence"]))
    colors = np.where(model.rules_["lift"] > 1, POSITIVE, NEGATIVE)
    assert sorted(at(mark.color, -1)[filled]) == sorted(colors)
    assert last.caption == "Done: 10 rules of 33 tested; {5} → {1} has the highest lift, 1.25."
    assert tables(last)[0][0][2:] == (1.0, 1.25)


def test_rules_at_one_place_lie_side_by_side(five):
    mark = points(five)
    places = {*zip(np.asarray(mark.x.rows[-1]).round(6), at(mark.y, -1).round(6), strict=True)}
    assert len(places) == len(mark.labels)


def test_both_thresholds_are_handles(five):
    handles = {handle.name: handle for handle in five.handles}
    assert (handles["min_confidence"].kind, handles["min_confidence"].y) == ("y", 0.6)
    assert (handles["min_support"].kind, handles["min_support"].x) == ("x", 0.2)
    several = rules_scene(run_of("five_baskets", MultipleSupportApriori(least_support=0.3)))
    assert {handle.name: handle.x for handle in several.handles}["least_support"] == 0.3


def test_the_table_is_that_of_the_selected_rule():
    run = run_of("tea_and_coffee", AssociationRules(0.1, 0.6))
    scene = rules_scene(run)
    label = "{tea} → {coffee}: lift 0.8889"
    place = points(scene).labels.index(label)
    chosen = rules_scene(run_of("tea_and_coffee", AssociationRules(0.1, 0.6), selected=place))
    assert lines(chosen.frames[-1])[0].startswith(
        "Of 100 baskets with {tea}, 22.22 also have {coffee}; of 100 of all"
    )
    assert lines(scene.frames[-1])[0].startswith("Of 100 baskets with {coffee}, 80 also have {tea}")
    bars = next(mark for mark in chosen.marks if isinstance(mark, Rects) and mark.panel == "table")
    assert np.asarray(bars.x1.rows[-1])[:2].tolist() == pytest.approx([0.9, 1.0])
    assert np.asarray(bars.y1.rows[-1])[:2].tolist() == pytest.approx([20 / 90, 5 / 10])


def test_a_selected_rule_that_is_not_there_is_none():
    run = run_of("tea_and_coffee", AssociationRules(0.1, 0.6), selected=10**6)
    assert encode(rules_scene(run))


def test_a_selected_rule_stays_while_the_lines_are_dragged():
    labels = []
    for thresholds in [(0.1, 0.5), (0.1, 0.6), (0.1, 0.7), (0.07, 0.6), (0.03, 0.6)]:
        scene = rules_scene(run_of("planted_baskets", AssociationRules(*thresholds)))
        labels.append(points(scene).labels)
    n = sum(1 for label in labels[0] if "," not in label.split("→")[1])
    assert n > 20
    assert all(names[:n] == labels[0][:n] for names in labels)


def test_filtered_rules_are_outlined_at_the_end():
    scene = rules_scene(run_of("five_baskets", AssociationRules(0.2, 0.6, drop_redundant=True)))
    hollow = points(scene).hollow
    assert int((np.asarray(hollow.rows[-1]) == 0).sum()) == 6
    assert int((np.asarray(hollow.rows[-2]) == 0).sum()) == 10
    assert "4 of 10 rules are filtered out" in lines(scene.frames[-1])


# --- several minimum supports ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def rare():
    baskets = [["A", "B", "C"], *3 * [["A", "B"]], *6 * [["A"]], *6 * [["B"]], ["C"]]
    return rules_scene(Run.of(prepare_baskets(baskets), MultipleSupportApriori()))


def test_where_the_downward_closure_fails_there_is_an_arrow(rare):
    arrows = next(mark for mark in rare.marks if isinstance(mark, Segments))
    start, end = (arrows.x0.rows[-1], at(arrows.y0, -1)), (at(arrows.x1, -1), at(arrows.y1, -1))
    assert np.ravel(start).tolist() == pytest.approx([5 / 17, 4 / 17])  # {A, B}, infrequent
    assert np.ravel(end).tolist() == pytest.approx([1 / 17, 1 / 17])  # {A, B, C}, frequent
    points = [mark for mark in rare.marks if isinstance(mark, Points)]
    nodes = next(mark for mark in points if mark.panel == "thresholds")
    named = [name for mark in rare.marks if isinstance(mark, Texts) for name in mark.text]
    assert sorted(named) == sorted(nodes.labels)
    hollow = dict(zip(nodes.labels, at(nodes.hollow, -1).tolist(), strict=True))
    assert (hollow["{A, B}"], hollow["{A, B, C}"]) == (1, 0)


def test_the_ledger_of_msapriori_says_why(rare):
    assert [frame.phase for frame in rare.frames[:8]] == [
        "sort",
        "seed",
        "pair",
        "count",
        "join",
        "count",
        "join",
        "itemsets",
    ]
    sort, _, pair, count, join = rare.frames[:5]
    assert sort.caption == "The items are sorted by minimum support: {C} is first, with 0.05882."
    assert [row[0] for row in tables(pair)[0]] == ["{C, A}", "{C, B}", "{A, B}"]
    assert tables(count)[0][2] == (
        "{A, B}",
        pytest.approx(4 / 17),
        pytest.approx(5 / 17),
        "infrequent",
    )
    assert tables(join) == [[("{C, A, B}", "{A, B} need not be frequent", "stays")]]
