"""The page of association rules: presets and lesson show what they say, rules are selected."""

import re
import sys
from functools import partial

import numpy as np
import pytest

from dmlib.association import (
    AssociationRules,
    MultipleSupportApriori,
    apriori,
    association_rules,
    rule_measures,
)
from dmlib.association.association_rules.figures.rule_graph import rule_graph
from dmlib.association.association_rules.figures.rule_matrix import rule_matrix
from dmlib.association.association_rules.figures.rule_table import rule_table
from dmlib.association.association_rules.reference import rules_reference
from dmlib.comparison import Incomparable, compare
from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.problem import prepare_baskets
from tests.contract.test_lessons import section, text_of
from tests.gestures import move
from tests.visit import (
    linked,
    open_preset,
    panel,
    say,
    sentences_of,
    sound,
    stage,
    technique,
    turn,
    upload,
    visit,
    warnings,
    watched_runs,
)

PRESETS = {preset.title: preset for preset in technique("association_rules").presets}
FIVE = [{1, 2, 3}, {2, 3, 4}, {1, 2, 4}, {1, 2, 5}, {1, 3, 5}]

run_of = partial(open_preset, "association_rules")


def rule(run, a, b):
    rules = run.fitted.rules_
    is_rule = (rules["antecedents"] == a) & (rules["consequents"] == b)
    (record,) = rules[is_rule].to_dict("records")
    return record


# Presets
# --------------------------------------------------------------------------------------------------


def test_by_hand():
    run, _, look_for = run_of("Five baskets by hand")
    assert look_for.startswith(f"{run.fitted.n_rules_} of the {run.fitted.n_tested_} tested rules")
    assert rule(run, ("1",), ("2",))["confidence"] == 0.75
    assert rule(run, ("1",), ("2",))["lift"] < 1
    assert rule(run, ("5",), ("1",))["confidence"] == 1


def test_pruning():
    run, _, look_for = run_of("A failing consequent prunes")
    possible = sum(2 ** len(items) - 2 for items in run.fitted.itemsets_)
    assert f"Of {possible} possible rules {run.fitted.n_tested_} are tested" in look_for
    steps = [s for s in run.trace.steps if getattr(s, "itemset", ()) == (0, 1, 3)]
    first = steps[0]
    (consequent,) = first.consequents[first.confident][:, 0]
    assert run.problem.items[consequent] == "2"
    assert [len(s.consequents) for s in steps] == [3, 0]


def test_tea():
    run, _, look_for = run_of("Tea and coffee")
    coffee_tea = rule(run, ("coffee",), ("tea",))
    share = 100 * coffee_tea["confidence"]
    assert f"Of the 25 who buy coffee, {share / 4:.0f} also buy tea, {share:.0f} %" in look_for
    assert f"of all, {100 * coffee_tea['consequent support']:.0f} % do" in look_for
    assert f"the lift {coffee_tea['lift']:.4f}" in look_for


def test_chance():
    run, _, look_for = run_of("Chance finds rules")
    assert look_for.startswith(f"{run.fitted.n_rules_} of {run.fitted.n_tested_} tested")
    for correction, sentence in (
        ("holm", "Holm's correction at the level 0.05, {} stay"),
        ("none", "without, {}"),
    ):
        model = AssociationRules(0.02, 0.3, significant_only=True, correction=correction)
        assert sentence.format(model.fit(run.problem.data).n_rules_) in look_for


def test_weather():
    run, _, look_for = run_of("Redundant rules in the weather")
    assert look_for.startswith(f"{run.fitted.n_rules_} rules with a confidence of 0.9, as Weka")
    filtered = run_of("Redundant rules in the weather", drop_redundant=True).run
    assert f"Drop redundant rules: {filtered.fitted.n_rules_} say" in look_for


def test_irises():
    run, _, look_for = run_of("Irises in intervals")
    assert look_for.startswith(f"{run.fitted.n_rules_} rules")
    assert "petal_width is cut at 0.8, 1.55, by equal frequency." in run.problem.notes
    assert rule(run, ("petal_width≤0.8",), ("species=setosa",))["confidence"] == 1
    assert rule(run, ("species=setosa",), ("petal_width≤0.8",))["confidence"] == 1


def test_rare():
    run, _, look_for = run_of("A rare item with its own minimum")
    assert type(run.model) is MultipleSupportApriori
    assert run.fitted.min_supports_ == pytest.approx([5 / 17, 5 / 17, 1 / 17])
    assert ("A", "B", "C") in run.fitted.itemsets_
    assert ("A", "B") not in run.fitted.itemsets_
    assert int(run.problem.matrix[:, :2].all(axis=1).sum()) == 4
    assert f"4 of {len(run.problem.matrix)} baskets" in look_for


def test_no_rule():
    run = run_of("No rule at this confidence").run
    assert run.fitted.n_rules_ == 0
    settings = PRESETS["No rule at this confidence"].settings
    page = visit("association_rules", **linked("association_rules", settings))
    assert "the highest is 0.75" in stage(page)["frames"][-1]["caption"]


# Lesson
# --------------------------------------------------------------------------------------------------


def cells(text, name):
    return [
        [cell.strip() for cell in line.split("|")[2:-1]]
        for line in text.splitlines()
        if line.startswith(f"| {name} |")
    ]


def test_lesson_rules():
    text = section(text_of("association_rules"), "By hand")
    rules = association_rules(apriori(FIVE, 0.4), 0.0)
    sides = zip(rules["antecedents"], rules["consequents"], strict=True)
    names = [f"{a[0]} → {b[0]}" for a, b in sides]
    assert cells(text, "rule") == [names]
    assert cells(text, "with both") == [[f"{5 * s:.0f}" for s in rules["support"]]]
    assert cells(text, "with antecedent") == [[f"{5 * s:.0f}" for s in rules["antecedent support"]]]
    assert cells(text, "confidence")[0] == [f"{c:.3g}" for c in rules["confidence"]]
    assert cells(text, "lift") == [[f"{lift:.4g}" for lift in rules["lift"]]]
    assert f"**{(rules['confidence'] >= 0.7).sum()}** of **{len(rules)}** rules" in text


def test_lesson_pruning():
    text = section(text_of("association_rules"), "By hand")
    X = prepare_baskets([set(map(str, b)) for b in FIVE]).data
    model = AssociationRules(0.2, 0.6).fit(X)
    steps = AssociationRules(0.2, 0.6).steps(X)
    step = next(s for s in steps if s.phase == "single" and s.itemset == (0, 1, 3))
    assert cells(text, "consequent") == [[str(c + 1) for c in step.consequents.ravel()]]
    assert cells(text, "baskets with it") == [[f"{n:.0f}" for n in step.antecedent_counts]]
    assert cells(text, "confidence")[1] == [f"{step.count / n:.3g}" for n in step.antecedent_counts]
    possible = sum(2 ** len(items) - 2 for items in model.itemsets_)
    assert f"**{model.n_tested_}** of **{possible}** rules are tested" in text


def test_lesson_measures():
    text = section(text_of("association_rules"), "Further measures")
    values = {name: float(v[0]) for name, v in rule_measures(0.2, 0.25, 0.9).items()}
    labels = {
        "leverage": "leverage",
        "conviction": "conviction",
        "Zhang's metric": "zhangs_metric",
        "Kulczynski": "kulczynski",
        "imbalance ratio": "imbalance_ratio",
    }
    for label, name in labels.items():
        (row,) = cells(text.replace("\\lvert", "").replace("\\rvert", ""), label)
        assert float(row[-1]) == pytest.approx(values[name], abs=5e-4)
    assert f"**{values['lift']:.3f}**" in section(text_of("association_rules"), "Tea and coffee")


def test_lesson_answers():
    rules = association_rules(apriori(FIVE, 0.4), 0.0).to_dict("records")
    (three,) = (r for r in rules if (r["antecedents"], r["consequents"]) == ((3,), (1,)))
    text = section(text_of("association_rules"), "Answers")
    assert f"2/3 = {three['confidence']:.3f}, and 0.667/0.8 = {three['lift']:.3f}" in text


# Data, selection, lines
# -----------------------------------------------------------------------------------------------


def test_a_table_of_ones_own_becomes_baskets():
    page = visit("association_rules", source="table", data="file")
    assert "Choose a file" in sentences_of(page)[0]
    page.file_uploader[0].upload(
        "own.csv", b"size,colour\n1,red\n2,red\n8,blue\n9,blue\n7,blue\n", "text/csv"
    )
    with watched_runs() as runs:
        sound(page.run())
    assert set(runs[-1].problem.items) >= {"colour=red", "colour=blue"}
    assert any(re.match("size is cut at", note) for note in runs[-1].problem.notes)


def test_intervals_are_the_readers_choice():
    with watched_runs() as runs:
        sound(visit("association_rules", source="table", data="iris", rule="natural", bins="2"))
    assert "petal_width is cut at 1.3, by equal width." in runs[-1].problem.notes


def test_a_rule_beyond_the_number_of_baskets_can_be_selected():
    settings = PRESETS["A failing consequent prunes"].settings
    page = visit("association_rules", **linked("association_rules", settings))
    page = sound(say(page, selected={"value": 20}))
    assert page.query_params["point"] == "21"
    assert stage(page)["selected"] == 20


def test_an_item_gets_its_own_minimum_support():
    settings = PRESETS["A rare item with its own minimum"].settings
    own = {"association_rules.item": "C", "association_rules.min_supports.C": "0.2"}
    link = linked("association_rules", settings) | own
    with watched_runs() as runs:
        page = sound(visit("association_rules", **link))
    assert runs[-1].model.min_supports == {"C": 0.2}
    assert ("A", "B", "C") not in runs[-1].fitted.itemsets_
    slider = panel(page)["association_rules.min_supports.C"]
    assert slider["value"] == "0.2"
    with watched_runs() as runs:
        sound(turn(page, "association_rules.min_supports.C", "usual"))
    assert runs[-1].model.min_supports is None


def test_an_uploaded_basket_file_is_read_as_on_the_page_of_apriori():
    page = sound(upload("association_rules", "own.csv", "milk,bread\nmilk,bread\nmilk\n"))
    assert warnings(page) == []
    assert len(stage(page)["frames"]) > 1


def test_the_lines_set_the_thresholds():
    page = technique("association_rules")
    for name, message in (
        ("min_confidence", {"x": None, "y": 0.51234}),
        ("min_support", {"x": 0.51234, "y": None}),
    ):
        assert move({"name": name, **message}, page) == {f"association_rules.{name}": ["0.5123"]}


# Figures, the check
# --------------------------------------------------------------------------------------------------

MODELS = (
    AssociationRules(0.2, 0.5),
    AssociationRules(0.1, 0.5, metric="leverage", min_threshold=0.01),
    AssociationRules(0.2, 0.3, max_length=2),
    AssociationRules(1.0),
    MultipleSupportApriori(beta=0.7),
)


@pytest.fixture(params=MODELS, ids=str)
def run(request):
    return Run.of(prepare_baskets(load("planted_baskets").transactions), request.param)


def test_figures_show_the_rules(run):
    if not run.fitted.n_rules_:
        for figure in (rule_table, rule_matrix, rule_graph):
            with pytest.raises(ValueError, match="There is no rule"):
                figure(run)
        return
    rules = run.fitted.rules_
    (drawn_table,) = rule_table(run).data
    table = dict(zip(drawn_table.header["values"], drawn_table.cells["values"], strict=True))
    lifts = sorted(rules["lift"], reverse=True)
    assert [float(lift) for lift in table["lift"]] == pytest.approx(lifts, rel=1e-3)
    (heatmap,) = rule_matrix(run).data
    assert sorted(heatmap.z[np.isfinite(heatmap.z)]) == pytest.approx(sorted(rules["lift"])[-80:])
    graph = rule_graph(run)
    assert len(graph.data[0].x) == min(20, len(rules))
    best = rules.sort_values(["lift", "confidence"], ascending=False, kind="stable").head(20)
    n_arrows = sum(map(len, best["antecedents"])) + sum(map(len, best["consequents"]))
    assert len(graph.layout.annotations) == n_arrows


def test_mlxtend_finds_the_same(run):
    names = {"model": run.fitted, "X": run.problem.data}
    exec(rules_reference(run).code, names)
    attributes = ("n_itemsets_", "n_rules_", "measures_")
    for reference in (rules_reference(run).answer(run), names["reference"]):
        assert all(row.agrees for row in compare(run.fitted, reference, attributes))


def test_what_mlxtend_does_not_know_is_said(monkeypatch):
    problem = prepare_baskets(load("five_baskets").transactions)
    for model in (AssociationRules(drop_redundant=True), AssociationRules(significant_only=True)):
        with pytest.raises(Incomparable, match="no filter of redundant or insignificant rules"):
            rules_reference(Run.of(problem, model))
        code = technique("association_rules").check.code(Run.of(problem, model))
        assert code.startswith("# Not comparable: mlxtend has no filter of redundant")
    monkeypatch.setitem(sys.modules, "mlxtend.frequent_patterns", None)
    run = Run.of(problem, AssociationRules())
    with pytest.raises(Incomparable, match="mlxtend is not installed here"):
        rules_reference(run).answer(run)
