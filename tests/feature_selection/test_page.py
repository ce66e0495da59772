"""The lesson and the presets of feature selection are true of what is computed."""

import re
import tomllib

import networkx as nx
import numpy as np
import pytest

from dashboard.presets import PAGES, presets
from dmlib.datasets import load, make
from dmlib.feature_selection import (
    L0SVM,
    CoverageSelector,
    FilterSelector,
    ProbeSelector,
    RegressorSearch,
    SensorPlacement,
    SubsetSearch,
    WrapperSearch,
)
from dmlib.feature_selection.coverage import best_coverage
from dmlib.feature_selection.figures.all_filters import filter_ranks
from dmlib.feature_selection.filters import METHODS, UNSUPERVISED
from dmlib.feature_selection.scene import feature_selection_scene
from dmlib.pictures.run import Run
from dmlib.problem import prepare, prepare_graph
from tests.contract.test_lessons import text_of
from tests.feature_selection.problems import FIVE, TEN, cars, iris
from tests.visit import open_preset

LESSON = (PAGES / "feature_selection" / "lesson.md").read_text("utf-8")


def names(run):
    return [run.problem.features[j] for j in run.fitted.get_support(indices=True)]


def look_for(title):
    return next(preset for preset in presets("feature_selection") if preset.title == title).look_for


def test_the_greedy_way_misses_the_best_set():
    run = cars(SubsetSearch())
    assert names(run) == ["wt", "cyl", "hp"]
    assert run.fitted.value_ == pytest.approx(62.66, abs=0.005)
    best = cars(SubsetSearch(search="best"))
    assert names(best) == ["wt", "qsec", "am"]
    assert best.fitted.value_ == pytest.approx(61.31, abs=0.005)
    score = run.model.scorer(run.problem.X, run.problem.y)
    assert sorted(range(5), key=lambda j: score((j,)))[-1] == FIVE.index("qsec")


def test_backward_finds_it():
    start, first, second, done = cars(SubsetSearch(search="backward")).trace.steps
    assert [round(s.value, 2) for s in (start, first, second)] == [63.47, 61.52, 61.31]
    assert [FIVE[s.moved[0]] for s in (first, second)] == ["cyl", "hp"]
    assert names(cars(SubsetSearch(search="backward", scoring="bic"))) == ["wt", "qsec", "am"]
    assert done.phase == "done"


def test_branches_are_cut():
    assert cars(SubsetSearch(search="best"), TEN).trace.steps[-1].n_cut == 721
    assert "cut" in {step.phase for step in cars(SubsetSearch(search="best")).trace.steps}


def test_useless_alone_useful_together():
    table = make("xor", random_state=0)
    problem = prepare(table.frame, ["x", "y"], target=table.target, labelled=True)
    run = Run.of(problem, WrapperSearch(classifier="knn", random_state=0))
    score = run.model.scorer(problem.X, problem.y)
    assert names(run) == []
    assert max(score((0,)), score((1,))) == pytest.approx(0.52, abs=0.005)
    assert score((0, 1)) == pytest.approx(0.99, abs=0.005)
    assert names(
        Run.of(problem, WrapperSearch(search="backward", classifier="knn", random_state=0))
    ) == ["x", "y"]


def test_a_filter_picks_what_says_the_same():
    run = cars(FilterSelector(), TEN)
    assert names(run) == ["cyl", "disp", "wt"]
    r = np.abs(np.corrcoef(run.problem.X[:, [0, 1, 4]].T))
    assert r.min() > 0.78


def test_probes_say_when_to_stop():
    columns = ["age", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"]
    problem = prepare(
        load("diabetes").frame, columns, target="progression", labelled=True, numeric_target=True
    )
    strict = Run.of(problem, ProbeSelector(random_state=0))
    assert len(names(strict)) == 4
    assert strict.fitted.explained_ == pytest.approx(0.492, abs=5e-4)
    assert names(Run.of(problem, SubsetSearch(scoring="bic"))) == names(strict)
    tolerant = Run.of(problem, ProbeSelector(max_share=0.25, random_state=0))
    assert [j >= 9 for j in tolerant.fitted.taken_] == [False] * 4 + [True, False]
    assert columns[tolerant.fitted.taken_[-1]] == "s2"
    assert {step.phase for step in tolerant.trace.steps} == {"probes", "add", "probe", "done"}


def test_few_columns_stand_for_all():
    run = cars(CoverageSelector(), TEN)
    assert [TEN[j] for j in run.fitted.chosen_] == ["disp", "hp", "am"]
    assert run.fitted.covered_.all()


def test_thirty_columns_become_three():
    table = load("breast_cancer")
    problem = prepare(table.frame, list(table.numeric), target="diagnosis", labelled=True)
    run = Run.of(problem, L0SVM(C=0.1))
    assert (len(table.numeric), len(names(run))) == (30, 3)
    assert run.fitted.score(*problem.arguments) == pytest.approx(0.96, abs=0.006)


def test_by_hand():
    score = SubsetSearch().scorer(*cars(SubsetSearch()).problem.arguments)
    rows = re.findall(r"^\| ([\w, ]+) \| ([\d.]+) \| ([\d.]+) \|$", LESSON, re.M)
    assert len(rows) == 6
    for columns, sse, aic in rows:
        subset = tuple(FIVE.index(name) for name in columns.split(", ") if name != "none")
        assert score.sse(subset) == pytest.approx(float(sse), abs=0.005)
        assert score(subset) == pytest.approx(float(aic), abs=0.005)


def test_sizes_of_the_questions():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 10)), rng.normal(size=40)
    *_, last = SubsetSearch(n_features_to_select=10).steps(X, y)
    assert last.n_evaluated == 56


def test_every_phase_has_a_line_that_is_lit():
    listings = tomllib.loads((PAGES / "feature_selection" / "pseudocode.toml").read_text("utf-8"))
    runs = [
        cars(SubsetSearch(search=search))
        for search in ("forward", "backward", "bidirectional", "local", "best")
    ]
    runs += [
        cars(FilterSelector()),
        cars(ProbeSelector(max_share=0.5, random_state=1)),
        cars(CoverageSelector()),
    ]
    searches = ("forward", "backward", "local", "annealing", "genetic")
    runs += [cars(SubsetSearch(search=s, random_state=0)) for s in ("annealing", "genetic")]
    runs += [iris(L0SVM())]
    runs += [sensors(lazy) for lazy in (False, True)]
    runs += [iris(WrapperSearch(search=s, random_state=0)) for s in searches]
    runs += [cars(RegressorSearch(search=s, random_state=0)) for s in searches]
    for name, listing in listings.items():
        lines = {phase for _, phase in re.findall(r"^(.+?)  # (\w+)$", listing["text"], re.M)}
        phases = {
            s.phase for run in runs if type(run.model).__name__ == name for s in run.trace.steps
        }
        assert phases == lines, name


def test_two_columns_at_once():
    run, _, text = open_preset("feature_selection", "Two columns at once")
    start, change, _ = run.trace.steps
    assert start.value < 0.54
    assert change.moved == (0, 1)
    assert change.value == pytest.approx(0.99, abs=0.005)
    assert max(v for v, s in zip(change.values, change.candidates, strict=True) if len(s) == 1) == (
        pytest.approx(0.52, abs=0.005)
    )
    assert "0.52" in text
    run, _, _ = open_preset("feature_selection", "Two columns at once", n_changes=1)
    assert [step.phase for step in run.trace.steps] == ["start", "done"]


def test_annealing_leaves_the_local_optimum():
    run, _, text = open_preset("feature_selection", "Annealing leaves the local optimum")
    steps = run.trace.steps
    trap, best = (FIVE.index("wt"), 1, 2), (0, 3, 4)
    assert steps[13].subset == trap == cars(SubsetSearch()).trace.steps[-1].subset
    assert next(i for i, step in enumerate(steps) if step.subset == best) == 23
    (worse,) = (i for i in range(14, 24) if steps[i].phase == "accept" and steps[i].chance < 1)
    assert (worse, round(steps[worse].chance, 2)) == (17, 0.63)
    assert steps[-1].value == pytest.approx(61.31, abs=0.005)
    assert "62.66" in text
    assert round(np.exp(-2 / 4), 2) == 0.61
    assert round(np.exp(-2 / 0.5), 2) == 0.02


def test_sets_with_children():
    run, scene, text = open_preset("feature_selection", "Sets with children")
    steps = run.trace.steps
    trap, best = (0, 1, 2), (0, 3, 4)
    assert steps[2].subset == trap == cars(SubsetSearch()).trace.steps[-1].subset
    assert [step.subset == best for step in steps].index(True) == 5
    (child,) = {each for each in steps[5].children if each.subset == best}
    assert (child.parents, child.cut, child.mutated) == ((trap, (0, 1, 3, 4)), 1, (1,))
    assert steps[5].value == pytest.approx(61.31, abs=0.005)
    assert "61.31" in text
    lines = [block["text"] for block in scene["frames"][5]["ledger"] if "text" in block]
    assert lines[0] == (
        "best child: column 1 of {wt, cyl, hp}, columns 2 to 5 of {wt, cyl, qsec, am}:"
        " {wt, cyl, qsec, am}"
    )
    assert lines[1] == "mutated: − cyl"
    assert "with probability $0.8^5$ = 33 %" in text_of("feature_selection")
    assert round(0.8**5, 2) == 0.33


def test_twenty_generations_of_ten_columns():
    run, _, text = open_preset("feature_selection", "Twenty generations, ten columns")
    assert names(run) == ["wt", "qsec", "am"]
    assert f"Of 1,024 sets {run.fitted.n_evaluated_} are scored" in text
    exact = cars(SubsetSearch(search="best"), TEN).fitted
    assert exact.value_ == run.fitted.value_
    assert f"after {exact.n_evaluated_}," in text


def test_twenty_equal_sets():
    run, scene, text = open_preset("feature_selection", "Twenty equal sets")
    sizes = [len({*step.candidates}) for step in run.trace.steps[:-1]]
    assert [size == 1 for size in sizes].index(True) == 16
    assert {*sizes[16:]} == {1}
    (population,) = (b for b in scene["frames"][-1]["ledger"] if "rows" in b)
    assert [row[1] for row in population["rows"]] == [20]
    assert ", ".join(names(run)) in text
    assert run.fitted.value_ == pytest.approx(63.97, abs=0.005)
    run, _, _ = open_preset("feature_selection", "Twenty equal sets", mutation=0.1)
    assert run.fitted.value_ == pytest.approx(61.31, abs=0.005)


def test_nearest_neighbours_choose_for_themselves():
    run = cars(RegressorSearch(random_state=0), TEN)
    assert (names(run), round(run.fitted.value_, 3)) == (["disp", "hp", "wt"], 8.463)
    assert cars(RegressorSearch(regressor="ridge", random_state=0), TEN).fitted.n_selected_ == 10
    assert "8.463" in look_for("Nearest neighbours choose for themselves")


def sensors(lazy):
    return Run.of(prepare_graph(nx.karate_club_graph()), SensorPlacement(lazy=lazy))


def test_two_sensors_by_hand():
    run, scene, text = open_preset("feature_selection", "Two sensors by hand")
    assert [run.problem.names[j] for j in run.fitted.sensors_] == ["3", "1"]
    assert run.fitted.n_covered_ == 10
    joined = run.model.neighbourhoods(run.problem.graph)
    assert joined[:3].sum(axis=1).tolist() == [6, 6, 7]
    assert (joined[0] | joined[1]).sum() == best_coverage(joined, 2) == 12
    assert [(joined[j] & ~joined[2]).sum() for j in (0, 1)] == [3, 3]
    assert "best of 2 = 12: greedy reaches 83.3 %" in str(scene["frames"][-1]["ledger"])
    assert "10 of 13" in text


def test_four_sensors_watch_the_karate_club():
    run, _, _ = open_preset("feature_selection", "Four sensors watch the karate club")
    assert [run.problem.names[j] for j in run.fitted.sensors_[:2]] == ["33", "0"]
    assert (len(run.fitted.sensors_), run.fitted.n_covered_) == (4, 34)
    steps = run.trace.steps
    assert (steps[2].n_covered, steps[0].gains[32], steps[2].gains[32]) == (31, 13, 1)
    joined = run.model.neighbourhoods(run.problem.graph)
    assert (joined[32] & ~steps[2].covered).sum() == 0


def test_lazy_gains_in_a_novel():
    run, _, text = open_preset("feature_selection", "Lazy gains in a novel")
    every, _, _ = open_preset("feature_selection", "Lazy gains in a novel", lazy=False)
    assert run.fitted.sensors_ == every.fitted.sensors_
    assert (len(run.fitted.sensors_), run.fitted.n_covered_) == (10, 77)
    assert (run.fitted.n_evaluated_, every.fitted.n_evaluated_) == (185, 725)
    assert "185" in text


def test_look_fors_quote_what_was_tested():
    assert "62.66" in look_for("The greedy way misses the best set")
    assert "721" in look_for("Branch and bound")


def test_one_locus_at_a_time():
    run, _, text = open_preset("feature_selection", "One locus at a time")
    steps = run.trace.steps
    chosen = [run.problem.features[step.moved[0]] for step in steps if step.phase == "add"]
    assert chosen == ["locus_12", "locus_2", "locus_11"]
    assert run.fitted.value_ == 0.6075
    score = run.model.scorer(run.problem.X, run.problem.y)
    assert (score((5,)), score((12,))) == (0.515, 0.5175)
    ranks = filter_ranks(run)
    pair = [ranks.columns.index(name) for name in ("locus_6", "locus_13")]
    relief = ranks.methods.index("ReliefF")
    assert {*ranks.ranks[pair, relief]} == {1, 2}
    judging = [j for j, name in enumerate(METHODS) if name not in UNSUPERVISED and j != relief]
    assert (ranks.ranks[pair][:, judging] > 10).all()
    assert ranks.ranks[pair, ranks.methods.index("Mutual information")].tolist() == [20, 13]
    for number in ("0.515", "0.5175", "0.6075"):
        assert number in text
        assert f"**{number}**" in LESSON
    assert "rank 20th and 13th of 20" in LESSON
    assert "takes loci 12, 2 and 11" in LESSON


def test_all_pairs_of_loci():
    run, _, text = open_preset("feature_selection", "All pairs of loci")
    (change,) = (step for step in run.trace.steps if step.phase == "change")
    assert len(change.candidates) == 20 * 19 / 2 == 190
    assert names(run) == ["locus_6", "locus_13"]
    assert run.fitted.value_ == 0.735
    assert "Of 190 pairs" in text
    assert "0.735" in text
    assert "have 190 pairs. The best is 6 and 13, at **0.735**" in LESSON
    assert round(10**6 * (10**6 - 1) / 2, -9) == 500e9
    assert "500 billion pairs" in LESSON


def test_a_generation_of_a_single_column_has_one_parent_to_tell_of():
    run = cars(SubsetSearch(search="genetic", random_state=0), ["wt"])
    scene = feature_selection_scene(run)
    texts = [b.text for frame in scene.frames for b in frame.ledger if hasattr(b, "text")]
    assert "best child: column 1 of {wt}: {wt}" in texts
    assert scene.panels[1].x.high < 22  # the end is that of the last generation
