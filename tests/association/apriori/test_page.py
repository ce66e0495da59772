"""The page of Apriori: presets and lesson show what they say, the line sets the support."""

import sys
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone

from dmlib.association import AIS, SETM, Apriori, AprioriHybrid, AprioriTid, apriori
from dmlib.association.apriori.figures.candidates_by_method import candidates_by_method
from dmlib.association.apriori.figures.memory_by_method import memory_by_method
from dmlib.association.apriori.reference import apriori_reference
from dmlib.association.figures.itemset_table import itemset_table
from dmlib.association.figures.supports_by_size import supports_by_size
from dmlib.comparison import Incomparable
from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.problem import prepare_baskets
from tests.contract.test_lessons import section, text_of
from tests.gestures import move
from tests.visit import (
    linked,
    open_preset,
    sentences_of,
    sound,
    stage,
    technique,
    visit,
    watched_runs,
)

PRESETS = {preset.title: preset for preset in technique("apriori").presets}
FIVE = [{1, 2, 3}, {2, 3, 4}, {1, 2, 4}, {1, 2, 5}, {1, 3, 5}]

run_of = partial(open_preset, "apriori")


def pruned(run):
    return [((s.missing >= 0).sum(), len(s.missing)) for s in run.trace.steps if s.phase == "prune"]


def support(run, *items):
    return dict(zip(run.fitted.itemsets_, run.fitted.support_, strict=True))[items]


# Presets
# --------------------------------------------------------------------------------------------------


def test_by_hand():
    run, _, look_for = run_of("Five baskets by hand")
    model = run.fitted
    numbers = (
        f"{model.n_candidates_} candidates, {model.n_itemsets_} frequent item sets,"
        f" {model.n_passes_} passes"
    )
    assert look_for.startswith(numbers)
    assert pruned(run) == [(3, 4)]
    assert "leaves 1 of 4" in look_for


def test_bread_milk_and_nappies():
    run, scene, look_for = run_of("Bread, milk and nappies")
    support = dict(zip(run.fitted.itemsets_, run.fitted.support_, strict=True))
    n_frequent = len(support)
    lower = run_of("Bread, milk and nappies", min_support=0.4)[0].fitted
    assert f"to 0.4: {lower.n_itemsets_} item sets are frequent instead of {n_frequent}" in look_for
    baskets = run.problem.transactions
    items = [{"bread"}, {"milk"}, {"nappies"}]
    assert [sum(item <= set(basket) for basket in baskets) for item in items] == [4, 4, 4]
    assert sum(set.union(*items) <= set(basket) for basket in baskets) == 2
    texts = [text for mark in scene["marks"] for text in mark.get("text", ())]
    assert "bread milk nappies  0.4" in texts


def test_a_missing_subset():
    run, _, look_for = run_of("A missing subset prunes")
    assert pruned(run) == [(3, 10), (3, 3)]
    assert "3 of 10 candidates are pruned for {4, 5}; at level 4 all 3" in look_for
    step = next(step for step in run.trace.steps if step.phase == "prune")
    lacking = {
        tuple(np.delete(c, j) + 1)
        for c, j in zip(step.candidates, step.missing, strict=True)
        if j >= 0
    }
    assert lacking == {(4, 5)}
    assert run.fitted.n_passes_ == 3


def test_1994():
    run, _, look_for = run_of("The baskets of 1994")
    assert type(run.model) is AIS
    assert f"AIS counts {run.fitted.n_candidates_} candidates" in look_for
    assert f"Apriori: {Apriori(0.5).fit(run.problem.data).n_candidates_}," in look_for
    ais, ours = (
        {tuple(c) for step in method(0.5).steps(run.problem.data) for c in step.candidates.tolist()}
        for method in (AIS, Apriori)
    )
    assert {tuple(run.problem.items[j] for j in c) for c in ais - ours} == {("1", "3", "5")}
    assert "without {1, 3, 5}" in look_for


def test_one_pass():
    run, _, look_for = run_of("One pass with AprioriTid")
    assert type(run.model) is AprioriTid
    assert run.fitted.n_passes_ == 1
    assert Apriori(0.6).fit(run.problem.data).n_passes_ == 4
    assert "One pass instead of four" in look_for
    n_baskets = [int(step.remaining.sum()) for step in run.trace.steps if step.phase == "count"]
    assert n_baskets == [5, 5, 3, 3]
    assert "After level 2, 3 of the 5 baskets" in look_for


def test_hybrid_and_setm():
    run, _, look_for = run_of("AprioriHybrid changes over")
    by_apriori = Apriori(run.model.min_support).fit(run.problem.data)
    by_tid = AprioriTid(run.model.min_support).fit(run.problem.data)
    assert look_for.startswith(
        f"{run.fitted.n_passes_} passes instead of {by_apriori.n_passes_}: after level 5 "
    )
    memory = f"at most {run.fitted.peak_memory_} numbers, AprioriTid {by_tid.peak_memory_}."
    assert memory in look_for
    run, _, look_for = run_of("SETM keeps every row")
    ais = AIS(run.model.min_support).fit(run.problem.data)
    assert run.fitted.n_candidates_ == ais.n_candidates_
    assert f"up to {run.fitted.peak_memory_} numbers, AIS {ais.peak_memory_}." in look_for


def test_titanic():
    run, _, look_for = run_of("On board the Titanic")
    model = run.fitted
    d = len(run.problem.items)
    assert (
        f"{model.n_candidates_} candidates of {d} items, {model.n_itemsets_} frequent" in look_for
    )
    triples = [s for s in model.itemsets_ if len(s) == 3]
    best = max(triples, key=lambda s: support(run, *s))
    assert best == ("age=adult", "class=crew", "sex=male")
    assert f"with {support(run, *best):.3f}" in look_for


def test_what_pruning_saves():
    run, _, look_for = run_of("What pruning saves")
    assert pruned(run)[0] == (29, 38)
    assert "Of 38 candidates of three traits, 29 are pruned" in look_for
    ais = AIS(0.4).fit(run.problem.data)
    assert f"counts {run.fitted.n_candidates_} in all, AIS {ais.n_candidates_}" in look_for


def test_a_support_too_low_is_refused():
    preset = PRESETS["A support too low"]
    page = sound(visit("apriori", **linked("apriori", preset.settings)))
    (sentence,) = sentences_of(page)
    assert sentence.startswith(
        "A set of 20 items is frequent, and with it its 1,048,575 subsets: there would be 125,970 "
    )
    assert "candidates of 8 items, more than 100,000. Raise min_support to 0.5" in sentence
    works = visit("apriori", **linked("apriori", {**preset.settings, "min_support": 0.5}))
    assert len(stage(sound(works))["frames"]) > 1
    with watched_runs() as runs:
        visit("apriori", **linked("apriori", {**preset.settings, "min_support": 0.5}))
    second, largest = np.sort(runs[-1].problem.matrix.sum(axis=1))[-2:]
    assert second == 20
    assert largest > 20


def test_frequent_but_unrelated():
    run, _, look_for = run_of("Frequent, but unrelated")
    assert f"({support(run, 'bread', 'milk'):.3f})" in look_for
    assert f"({support(run, 'coffee', 'milk', 'sugar'):.2g})" in look_for
    later = clone(run.model).set_params(min_support=0.15).fit(run.problem.data)
    assert ("bread", "milk") in later.itemsets_
    assert ("coffee", "milk", "sugar") not in later.itemsets_


# Lesson
# --------------------------------------------------------------------------------------------------


def cells(text, name):
    return [
        [cell.strip() for cell in line.split("|")[2:-1]]
        for line in text.splitlines()
        if line.startswith(f"| {name} |")
    ]


def test_lesson_counts():
    text = section(text_of("apriori"), "By hand")
    steps = list(Apriori(0.4).steps(prepare_baskets([set(map(str, b)) for b in FIVE]).data))
    counted = [step for step in steps if step.phase == "count"]
    assert cells(text, "items") == [[" ".join(map(str, sorted(basket))) for basket in FIVE]]
    assert cells(text, "baskets") == [[str(n) for n in step.counts] for step in counted[:2]]
    assert cells(text, "pair") == [
        ["".join(str(j + 1) for j in pair) for pair in counted[1].candidates]
    ]
    joined = next(step for step in steps if step.phase == "join" and step.level == 3)
    assert cells(text, "candidate") == [["".join(str(j + 1) for j in c) for c in joined.candidates]]
    missing = next(step.missing for step in steps if step.phase == "prune")
    assert cells(text, "frequent?") == [["no" if place >= 0 else "yes" for place in missing]]
    end = steps[-1]
    assert (
        f"**{end.n_itemsets}** frequent sets from 5 + 10 + 1 = **{end.n_candidates}** candidates"
        in text
    )
    assert f"**{end.n_passes}** passes, out of {2**5 - 1} possible sets" in text


def test_lesson_on_maximal_closed_and_ais():
    X = prepare_baskets([set(map(str, b)) for b in FIVE]).data
    model = Apriori(0.4).fit(X)
    maximal = [s for s, yes in zip(model.itemsets_, model.maximal_, strict=True) if yes]
    assert maximal == [s for s in model.itemsets_ if len(s) == 2]
    assert [s for s, yes in zip(model.itemsets_, model.closed_, strict=True) if not yes] == [
        ("4",),
        ("5",),
    ]
    assert f"{AIS(0.4).fit(X).n_candidates_} in the example" in text_of("apriori")
    assert 2**20 - 1 == 1048575


@pytest.mark.parametrize("method", [Apriori, AprioriTid, AprioriHybrid, AIS, SETM])
def test_lesson_on_memory(method):
    model = method(0.4).fit(prepare_baskets([set(map(str, b)) for b in FIVE]).data)
    numbers = [model.n_candidates_, model.n_passes_, *model.memory_per_level_.tolist()]
    assert cells(text_of("apriori"), method.__name__) == [list(map(str, numbers))]


def test_lesson_answers():
    counts = {items: support * 5 for items, support in apriori(FIVE, 0.6).items()}
    assert counts == pytest.approx({(1,): 4, (2,): 4, (3,): 3, (1, 2): 3})


# The line, figures, the check
# -----------------------------------------------------------------------------------------


def test_the_line_sets_the_support():
    page = technique("apriori")
    assert move({"name": "min_support", "x": None, "y": 0.312345}, page) == {
        "apriori.min_support": ["0.3123"]
    }
    assert move({"name": "min_support", "x": None, "y": 7.0}, page) == {
        "apriori.min_support": ["1.0"]
    }


@pytest.fixture(
    params=[
        Apriori(0.4),
        AprioriTid(0.2),
        AIS(0.2, max_length=2),
        AprioriHybrid(0.2),
        SETM(),
        Apriori(1.0),
    ],
    ids=str,
)
def run(request):
    return Run.of(prepare_baskets(load("five_baskets").transactions), request.param)


def test_figures_show_the_run(run):
    model = run.fitted
    points = supports_by_size(run).data[0]
    assert sorted(points.y) == sorted(model.support_)
    order = np.argsort(-model.support_, kind="stable")
    assert np.round(points.x).tolist() == model.membership_[order].sum(axis=1).tolist()
    bars = {bar.name: list(bar.y) for bar in candidates_by_method(run).data}
    methods = "AIS, SETM" if isinstance(model, AIS) else "Apriori, AprioriTid, AprioriHybrid"
    assert sum(bars[methods]) == model.n_candidates_
    assert sum(bars["frequent"]) == model.n_itemsets_
    method = f"{type(model).__name__}: "
    (line,) = [each for each in memory_by_method(run).data if each.name.startswith(method)]
    assert list(line.y) == model.memory_per_level_.tolist()
    assert f": {model.n_candidates_} candidates, {model.n_passes_} pass" in line.name
    if model.n_itemsets_:
        _, _, supports, is_maximal, is_closed = itemset_table(run).data[0].cells["values"]
        assert [float(s) for s in supports] == sorted(model.support_, reverse=True)
        assert list(is_maximal).count("yes") == model.maximal_.sum()
        assert list(is_closed).count("yes") == model.closed_.sum()
    else:
        with pytest.raises(ValueError, match="Lower min_support"):
            itemset_table(run)


def test_mlxtend_finds_the_same(run):
    model = run.fitted
    names = {"model": model, "X": run.problem.data}
    exec(apriori_reference(run).code, names)
    for reference in (apriori_reference(run).answer(run), names["reference"]):
        for attribute in ("n_itemsets_", "n_candidates_", "n_passes_"):
            assert getattr(reference, attribute) == getattr(model, attribute)
        assert reference.membership_.tolist() == model.membership_.tolist()
        assert reference.support_.tolist() == model.support_.tolist()


def test_without_mlxtend_the_page_says_so(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlxtend.frequent_patterns", None)
    with pytest.raises(Incomparable, match="mlxtend is not installed here"):
        apriori_reference(run).answer(run)
