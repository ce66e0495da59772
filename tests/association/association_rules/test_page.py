"""What is special on the page of association rules: presets and lesson show what they say, rules are selected."""

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
from dmlib.association.association_rules.reference import rules_code, rules_reference
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
    sound,
    stage,
    technique,
    told,
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
    (found,) = (
        r for r in rules.to_dict("records") if (r["antecedents"], r["consequents"]) == (a, b)
    )
    return found


# Presets
# --------------------------------------------------------------------------------------------------------------


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
    assert [
        run.problem.items[s.consequents[i][0]]
        for s in steps[:1]
        for i in np.flatnonzero(s.confident)
    ] == ["2"]
    assert [len(s.consequents) for s in steps] == [3, 0]


def test_tea():
    run, _, look_for = run_of("Tea and coffee")
    found = rule(run, ("coffee",), ("tea",))
    assert f"Of 100 who buy coffee, {100 * found['confidence']:.0f} also buy tea" in look_for
    assert f"of all, {100 * found['consequent support']:.0f} do" in look_for
    assert f"the lift {found['lift']:.4f}" in look_for


def test_chance():
    run, _, look_for = run_of("Chance finds rules")
    assert look_for.startswith(f"{run.fitted.n_rules_} of {run.fitted.n_tested_} tested")
    for correction, told_ in (
        ("holm", "Holm's correction at the level 0.05, {} stay"),
        ("none", "without, {}"),
    ):
        kept = (
            AssociationRules(0.02, 0.3, significant_only=True, correction=correction)
            .fit(run.problem.data)
            .n_rules_
        )
        assert told_.format(kept) in look_for


def test_weather():
    run, _, look_for = run_of("Redundant rules in the weather")
    assert look_for.startswith(f"{run.fitted.n_rules_} rules with a confidence of 0.9, as Weka")
    less = run_of("Redundant rules in the weather", drop_redundant=True).run
    assert f"Drop redundant rules: {less.fitted.n_rules_} say" in look_for


def test_irises():
    run, _, look_for = run_of("Irises in intervals")
    assert look_for.startswith(f"{run.fitted.n_rules_} rules")
    assert "petal_width is cut at 0.8, 1.55, by equal frequency." in run.problem.notes
    both = (
        rule(run, ("petal_width≤0.8",), ("species=setosa",)),
        rule(run, ("species=setosa",), ("petal_width≤0.8",)),
    )
    assert [found["confidence"] for found in both] == [1, 1]


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
    page = visit(
        "association_rules",
        **linked("association_rules", PRESETS["No rule at this confidence"].settings),
    )
    assert "the highest is 0.75" in stage(page)["frames"][-1]["caption"]


# Lesson
# ---------------------------------------------------------------------------------------------------------------


def cells(text, name):
    return [
        [cell.strip() for cell in line.split("|")[2:-1]]
        for line in text.splitlines()
        if line.startswith(f"| {name} |")
    ]


def test_lesson_rules():
    text = section(text_of("association_rules"), "By hand")
    rules = association_rules(apriori(FIVE, 0.4), 0.0)
    names = [
        f"{a[0]} → {b[0]}" for a, b in zip(rules["antecedents"], rules["consequents"], strict=True)
    ]
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
    step = next(
        s
        for s in AssociationRules(0.2, 0.6).steps(X)
        if s.phase == "single" and s.itemset == (0, 1, 3)
    )
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
    found = association_rules(apriori(FIVE, 0.4), 0.0).to_dict("records")
    (three,) = (r for r in found if (r["antecedents"], r["consequents"]) == ((3,), (1,)))
    text = section(text_of("association_rules"), "Answers")
    assert f"2/3 = {three['confidence']:.3f}, and 0.667/0.8 = {three['lift']:.3f}" in text


# Data, selection, lines
# -----------------------------------------------------------------------------------------------


def test_a_table_of_ones_own_becomes_baskets():
    page = visit("association_rules", source="table", data="file")
    assert "Choose a file" in told(page)[0]
    page.file_uploader[0].upload(
        "own.csv", b"size,colour\n1,red\n2,red\n8,blue\n9,blue\n7,blue\n", "text/csv"
    )
    with watched_runs() as seen:
        sound(page.run())
    assert set(seen[-1].problem.items) >= {"colour=red", "colour=blue"}
    assert any(re.match("size is cut at", note) for note in seen[-1].problem.notes)


def test_intervals_are_the_readers_choice():
    with watched_runs() as seen:
        sound(visit("association_rules", source="table", data="iris", rule="natural", bins="2"))
    assert "petal_width is cut at 1.3, by equal width." in seen[-1].problem.notes


def test_a_rule_beyond_the_number_of_baskets_can_be_selected():
    page = visit(
        "association_rules",
        **linked("association_rules", PRESETS["A failing consequent prunes"].settings),
    )
    page = sound(say(page, selected={"value": 20}))
    assert page.query_params["point"] == "21"
    assert stage(page)["selected"] == 20


def test_an_item_gets_its_own_minimum_support():
    settings = PRESETS["A rare item with its own minimum"].settings
    own = {"association_rules.item": "C", "association_rules.min_supports.C": "0.2"}
    link = linked("association_rules", settings) | own
    with watched_runs() as seen:
        page = sound(visit("association_rules", **link))
    assert seen[-1].model.min_supports == {"C": 0.2}
    assert ("A", "B", "C") not in seen[-1].fitted.itemsets_
    slider = panel(page)["association_rules.min_supports.C"]
    assert slider["value"] == "0.2"
    with watched_runs() as seen:
        sound(turn(page, "association_rules.min_supports.C", "usual"))
    assert seen[-1].model.min_supports is None


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
        assert move({"name": name, **message}, page)[0] == {f"association_rules.{name}": 0.5123}


# Figures, the check
# ---------------------------------------------------------------------------------------------------

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
    table = dict(
        zip(
            rule_table(run).data[0].header["values"],
            rule_table(run).data[0].cells["values"],
            strict=True,
        )
    )
    assert [float(lift) for lift in table["lift"]] == pytest.approx(
        sorted(rules["lift"], reverse=True), rel=1e-3
    )
    (cells_,) = rule_matrix(run).data
    assert sorted(cells_.z[np.isfinite(cells_.z)]) == pytest.approx(sorted(rules["lift"])[-80:])
    graph = rule_graph(run)
    assert len(graph.data[0].x) == min(20, len(rules))
    best = rules.sort_values(["lift", "confidence"], ascending=False, kind="stable").head(20)
    assert len(graph.layout.annotations) == sum(map(len, best["antecedents"])) + sum(
        map(len, best["consequents"])
    )


def test_mlxtend_finds_the_same(run):
    names = {"model": run.fitted, "X": run.problem.data}
    exec(rules_code(run), names)
    attributes = ("n_itemsets_", "n_rules_")
    assert all(
        getattr(names["reference"], name) == getattr(run.fitted, name) for name in attributes
    )
    assert all(
        row.agrees for row in compare(run.fitted, rules_reference(run), (*attributes, "measures_"))
    )


def test_what_mlxtend_does_not_know_is_said(monkeypatch):
    problem = prepare_baskets(load("five_baskets").transactions)
    for model in (AssociationRules(drop_redundant=True), AssociationRules(significant_only=True)):
        with pytest.raises(Incomparable, match="no filter of redundant or insignificant rules"):
            rules_reference(Run.of(problem, model))
        assert "which keeps redundant" in rules_code(Run.of(problem, model))
    monkeypatch.setitem(sys.modules, "mlxtend.frequent_patterns", None)
    with pytest.raises(Incomparable, match="mlxtend is not installed here"):
        rules_reference(Run.of(problem, AssociationRules()))
