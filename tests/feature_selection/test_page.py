"""The lesson and the presets of feature selection are true of what is computed."""

import re
import tomllib

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
    SubsetSearch,
    WrapperSearch,
)
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.feature_selection.problems import FIVE, TEN, cars, iris

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
    assert [FIVE[s.moved] for s in (first, second)] == ["cyl", "hp"]
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
        for search in ("forward", "backward", "bidirectional", "best")
    ]
    runs += [
        cars(FilterSelector()),
        cars(ProbeSelector(max_share=0.5, random_state=1)),
        cars(CoverageSelector()),
    ]
    runs += [iris(WrapperSearch(search=s, random_state=0)) for s in ("forward", "backward")] + [
        iris(L0SVM())
    ]
    runs += [cars(RegressorSearch(search=s, random_state=0)) for s in ("forward", "backward")]
    for name, listing in listings.items():
        lines = {phase for _, phase in re.findall(r"^(.+?)  # (\w+)$", listing["text"], re.M)}
        phases = {
            s.phase for run in runs if type(run.model).__name__ == name for s in run.trace.steps
        }
        assert phases == lines, name


def test_nearest_neighbours_choose_for_themselves():
    run = cars(RegressorSearch(random_state=0), TEN)
    assert (names(run), round(run.fitted.value_, 3)) == (["disp", "hp", "wt"], 8.463)
    assert cars(RegressorSearch(regressor="ridge", random_state=0), TEN).fitted.n_selected_ == 10
    assert "8.463" in look_for("Nearest neighbours choose for themselves")


def test_look_fors_quote_what_was_tested():
    assert "62.66" in look_for("The greedy way misses the best set")
    assert "721" in look_for("Branch and bound")
