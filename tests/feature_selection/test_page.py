"""What the lesson, the presets and the figures say of feature selection is what comes out."""

import re
import tomllib
from itertools import pairwise

import numpy as np
import pytest

from dmlib import engine
from dmlib.comparison import Incomparable, compare
from dmlib.datasets import load, make
from dmlib.engine import places
from dmlib.evaluation import models
from dmlib.feature_selection import (
    L0SVM,
    CoverageSelector,
    FilterSelector,
    ProbeSelector,
    RegressorSearch,
    SubsetSearch,
    WrapperSearch,
)
from dmlib.feature_selection.figures.all_filters import all_filters, filter_ranks
from dmlib.feature_selection.figures.by_size import by_size, by_size_data
from dmlib.feature_selection.figures.trust import (
    circularity_data,
    plot_circularity,
    plot_stability,
    stability_data,
)
from dmlib.feature_selection.filters import METHODS
from dmlib.feature_selection.reference import feature_selection_reference
from dmlib.feature_selection.resampling import SelectionStability, circularity
from dmlib.feature_selection.scene import feature_selection_scene
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.motion import computed
from dmlib.pictures.run import Run
from dmlib.pictures.words import num
from dmlib.problem import prepare
from tests.feature_selection.problems import FIVE, TEN, cars, iris
from tests.pictures.examples import at
from tests.runs import stopped
from tests.visit import sound, stage, visit
from ui.presets import PAGES, presets

LESSON = (PAGES / "feature_selection" / "lesson.md").read_text("utf-8")


def names(run):
    return [run.problem.features[j] for j in run.fitted.get_support(indices=True)]


def told(scene, i=-1):
    frame = scene.frames[i]
    blocks = [b.text if isinstance(b, Formula) else f"{b.title} {b.rows}" for b in frame.ledger]
    return frame.caption, " | ".join(blocks)


def look_for(title):
    return next(preset for preset in presets("feature_selection") if preset.title == title).look_for


# --- presets and lesson ---------------------------------------------------------------------------


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
    start, one, two, done = cars(SubsetSearch(search="backward")).trace.steps
    assert [round(s.value, 2) for s in (start, one, two)] == [63.47, 61.52, 61.31]
    assert [FIVE[s.moved] for s in (one, two)] == ["cyl", "hp"]
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
        seen = {
            s.phase for run in runs if type(run.model).__name__ == name for s in run.trace.steps
        }
        assert seen == lines, name


# --- the stage ------------------------------------------------------------------------------------


def test_the_ledger_has_every_candidate_and_the_formula():
    caption, ledger = told(feature_selection_scene(cars(SubsetSearch())), 2)
    assert caption == "cyl joins: AIC falls from 73.22 to 63.2, the best of 4 sets."
    assert all(f"+ {name}" in ledger for name in ("cyl", "hp", "qsec", "am"))
    assert "32 ln(191.172/32) + 2·3 = 63.198" in ledger
    for scoring, formula in (
        ("bic", "ln(32)·4"),
        ("cp", "2·4 ="),
        ("adjusted_r2", "1 − (SSE"),
        ("cv", "fold by fold"),
    ):
        run = cars(SubsetSearch(scoring=scoring, n_features_to_select=3, random_state=0))
        assert formula in told(feature_selection_scene(run))[1]


def test_the_best_of_all_sets_is_ringed_if_it_is_asked_for():
    rings = [
        [
            mark
            for mark in feature_selection_scene(cars(SubsetSearch(), options={"all": on})).marks
            if getattr(mark, "hollow", None) is not None
        ]
        for on in (True, False)
    ]
    assert [len(some) for some in rings] == [1, 0]
    (ring,) = rings[0]
    assert at(ring.y, -1).tolist() == [3.0]


def test_more_columns_have_a_line_each():
    scene = feature_selection_scene(cars(SubsetSearch(search="backward"), TEN))
    assert scene.panels[0].y.ticks == tuple(TEN[::-1])
    bars = scene.marks[0]
    assert len(at(bars.y0, -1)) == 10
    assert all(np.all(np.asarray(a) <= np.asarray(b)) for a, b in pairwise(bars.x1.rows))


@pytest.mark.parametrize("method", METHODS)
def test_every_filter_writes_out_its_score(method):
    run = cars(FilterSelector(score_func=method))
    scene = feature_selection_scene(run)
    for j in range(5):
        caption, ledger = told(scene, j)
        assert FIVE[j] in caption
        (value,) = re.findall(rf"{FIVE[j]}: ([\d.e+−]+?)\.$", caption)
        assert float(value.replace("−", "-")) == pytest.approx(
            run.fitted.scores_[j], rel=1e-3, abs=1e-9
        )
        assert "=" in ledger


@pytest.mark.parametrize(
    "model", [SubsetSearch(), FilterSelector(), ProbeSelector(random_state=0), CoverageSelector()]
)
def test_a_row_that_is_selected_is_told(model):
    usual, chosen = (
        feature_selection_scene(cars(model)),
        feature_selection_scene(cars(model, selected=3)),
    )
    assert "row 4" in told(chosen)[1].lower()
    assert "row 4" not in told(usual)[1].lower()


def test_a_stopped_run_still_shows_its_data():
    run = cars(SubsetSearch())
    assert len(feature_selection_scene(stopped(run, 0)).frames) == 1
    assert len(feature_selection_scene(stopped(run, 2)).frames) == 2
    search = cars(SubsetSearch(search="best"))
    assert len(feature_selection_scene(stopped(search, 4)).frames) == 4


def test_tables_of_the_ledger_are_narrow():
    for run in (
        cars(SubsetSearch(search="best")),
        cars(ProbeSelector(random_state=0)),
        iris(L0SVM()),
    ):
        for frame in feature_selection_scene(run).frames:
            assert all(
                len(block.head) <= 3 for block in frame.ledger if isinstance(block, LedgerTable)
            )


# --- figures and references -----------------------------------------------------------------------


def test_the_error_by_size_falls_in_training_alone():
    data = by_size_data(cars(SubsetSearch(), TEN))
    assert data.sizes == tuple(range(11))
    assert (np.diff(data.training) <= 1e-9).all()
    assert 0 < data.sizes[data.validated.argmin()] < 10
    judged = by_size_data(cars(RegressorSearch(cv=4, random_state=0)))
    assert judged.training[0] == pytest.approx(np.var(cars(RegressorSearch()).problem.y))
    for run in (
        iris(WrapperSearch(random_state=0)),
        iris(WrapperSearch(classifier="decision_tree")),
        iris(L0SVM()),
        cars(FilterSelector()),
        cars(CoverageSelector()),
    ):
        assert by_size_data(run).sizes == tuple(range(len(run.problem.features) + 1))
        assert by_size(run).data


def test_stability_is_1_if_all_agree_and_0_by_chance():
    same = np.tile([True, False, False, True], (20, 1))
    assert SelectionStability(same).stability == pytest.approx(1)
    rng = np.random.default_rng(0)
    chance = np.array([rng.permutation(10) < 4 for _ in range(500)])
    assert SelectionStability(chance).stability == pytest.approx(0, abs=0.02)


def test_the_sweeps_have_numbers_and_report_progress():
    done = []
    found = stability_data(cars(SubsetSearch()), done.append)
    assert len(done) == 50
    assert found[0].shares[FIVE.index("wt")] > 0.6
    assert "of the resamples" in plot_stability(found).layout.title.text
    for run in (cars(SubsetSearch()), iris(FilterSelector(k=2))):
        data = circularity_data(run, done.append)
        assert data.noise_outside.mean() > data.chance + 0.1 > data.noise_inside.mean()
        assert plot_circularity(data).data


def test_selection_inside_the_fold_is_what_a_pipeline_does():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 8)), rng.integers(2, size=60)
    data = circularity(FilterSelector(k=2), X, y, classes=True, n_repetitions=12)
    assert abs(data.inside.mean() - 0.5) < 0.15
    assert data.outside.mean() > data.inside.mean()


def test_filters_disagree():
    data = filter_ranks(cars(SubsetSearch(), TEN))
    assert data.ranks.shape == (10, 10)
    assert (np.sort(data.ranks, axis=0) == np.arange(1, 11)[:, None]).all()
    assert all_filters(iris(FilterSelector())).data


@pytest.mark.parametrize(
    "run",
    [
        cars(SubsetSearch(search="backward", scoring="bic"), TEN),
        cars(SubsetSearch(scoring="cv", cv=4, random_state=0), TEN),
        cars(ProbeSelector(max_share=0.4, random_state=2), TEN),
        cars(CoverageSelector(threshold=0.6), TEN),
        iris(WrapperSearch(n_features_to_select=2, random_state=0)),
        iris(WrapperSearch(classifier="decision_tree", n_features_to_select=2, random_state=0)),
        iris(
            WrapperSearch(
                classifier="lda_classifier",
                search="backward",
                n_features_to_select=1,
                random_state=0,
            )
        ),
        cars(RegressorSearch(n_features_to_select=3, random_state=0), TEN),
        cars(
            RegressorSearch(
                regressor="ridge", search="backward", cv=8, n_features_to_select=2, random_state=0
            )
        ),
        iris(L0SVM(C=0.05)),
        *(
            cars(FilterSelector(score_func=m), TEN)
            for m in ("correlation", "chi2", "mutual_information", "variance")
        ),
        *(cars(FilterSelector(score_func=m), TEN) for m in ("entropy", "density")),
    ],
    ids=lambda run: type(run.model).__name__,
)
def test_references_agree(run):
    training = run.problem.training
    found = compare(
        run.fitted, feature_selection_reference(run), ("support_",), training.data, training.y
    )
    assert all(each.agrees for each in found)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (SubsetSearch(search="best"), "no best-subset search"),
        (FilterSelector(score_func="hsic"), "no library"),
        (SubsetSearch(scoring="cv", random_state=0), "different sizes"),
    ],
)
def test_what_no_library_has_is_said(model, reason):
    with pytest.raises(Incomparable, match=reason):
        feature_selection_reference(cars(model))


def test_nearest_neighbours_choose_for_themselves():
    run = cars(RegressorSearch(random_state=0), TEN)
    assert (names(run), round(run.fitted.value_, 3)) == (["disp", "hp", "wt"], 8.463)
    assert cars(RegressorSearch(regressor="ridge", random_state=0), TEN).fitted.n_selected_ == 10
    assert "8.463" in look_for("Nearest neighbours choose for themselves")


def test_a_search_with_any_model_tells_its_folds():
    caption, ledger = told(feature_selection_scene(cars(RegressorSearch(cv=4, random_state=0))), 1)
    assert "joins: cross-validated MSE falls from" in caption
    assert "MSE = (" in ledger
    caption, ledger = told(
        feature_selection_scene(iris(WrapperSearch(classifier="decision_tree", random_state=0))), 1
    )
    assert "joins: cross-validated accuracy rises from" in caption
    assert "accuracy = (" in ledger


def test_look_fors_quote_what_was_tested():
    assert "62.66" in look_for("The greedy way misses the best set")
    assert "721" in look_for("Branch and bound")


# --- slow models ----------------------------------------------------------------------------------


@pytest.fixture
def fits(monkeypatch):
    """Count the fits of models to folds."""
    fits, fit = [], models.predictions

    def counted(*arguments):
        fits.append(arguments)
        return fit(*arguments)

    monkeypatch.setattr(models, "predictions", counted)
    return fits


@pytest.mark.parametrize("classifier", ["random_forest", "decision_tree"])
def test_the_picture_of_a_search_fits_no_more_than_it_can_afford(classifier, fits):
    with engine.brief():
        run = iris(WrapperSearch(classifier=classifier, random_state=0))
    n_scored = run.trace.steps[-1].n_evaluated
    assert len(fits) == 5 * (n_scored - 1)  # without any column nothing is fitted
    fits.clear()
    scene = computed(feature_selection_scene(run))
    slow = classifier == "random_forest"
    assert len(fits) == (0 if slow else 5 * (2**4 - n_scored))
    assert any("too long for all" in note for note in scene.notes) == slow
    accuracy = run.trace.steps[-1].value
    assert f"/ 150 = {num(accuracy)}" in told(scene)[1]


def test_a_run_of_a_page_starts_no_processes(monkeypatch):
    """They take as long to start as a run may take."""
    monkeypatch.setattr(places, "_to_a_process", None)
    link = {"method": "Search, classifier", "classifier": "random_forest"}
    page = sound(
        visit(
            "feature_selection",
            **{f"feature_selection.{name}": text for name, text in link.items()},
        )
    )
    assert len(stage(page)["frames"]) > 1
