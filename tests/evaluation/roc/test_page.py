"""The page of ROC: scores of a column or of a model, presets and the code."""

import runpy

import pytest

from dashboard.tools.pick_model import MODELS
from dmlib.evaluation.scores import classifiers
from tests.visit import (
    linked,
    open_part,
    panel,
    picture,
    reopened,
    sound,
    stage,
    technique,
    visit,
    warnings,
    watched_runs,
    widgets,
)

NAMED = "fold,label,p_hat\n1,yes,0.91\n1,no,0.20\n2,yes,0.55\n2,no,0.60\n1,yes,0.77\n2,no,0.05\n"
CODES = "y,prob\n1,0.9\n1,0.8\n0,0.7\n1,0.65\n0,0.4\n0,0.35\n1,0.3\n0,0.1\n"


def upload(slug, content, **link):
    page = visit(slug, source="upload", **{f"{slug}.model": "column"}, **link)
    page.file_uploader[0].upload("scores.csv", content.encode(), "text/csv")
    return sound(page.run())


def caption(page):
    return stage(page)["frames"][-1]["caption"]


def test_the_column_of_the_scores_is_chosen_by_name():
    page = upload("roc", NAMED, **{"roc.column": "p_hat"})
    assert (
        stage(page)["frames"][0]["caption"] == "The column p_hat is the score: no model is trained."
    )
    assert "the area is 0.8889" in caption(page)
    assert warnings(page) == []
    assert "roc.column" in widgets(page)


def test_what_means_nothing_for_a_column_has_no_control():
    assert {"roc.folds", "roc.scoring"} <= widgets(visit("roc"))
    assert {"roc.test_size", "roc.scoring"} <= widgets(visit("roc", **{"roc.scoring": "held_out"}))
    assert "roc.test_size" not in widgets(visit("roc"))
    assert not {"roc.folds", "roc.scoring", "roc.test_size"} & widgets(upload("roc", NAMED))
    assert "roc.column" not in widgets(visit("roc"))


@pytest.mark.parametrize("slug", ["roc", "classifier_metrics"])
def test_classes_may_be_written_as_numbers(slug):
    page = upload(slug, CODES)
    assert ("the area is 0.75" if slug == "roc" else "accuracy is 0.75") in caption(page)
    assert warnings(page) == []


@pytest.mark.parametrize("slug", ["roc", "classifier_metrics"])
def test_a_chosen_column_travels_with_the_code_and_the_checks(slug):
    page = upload(slug, NAMED, **{f"{slug}.column": "p_hat"})
    open_part(page, **{f"{slug}.tab": "Checked against", "bar.code": True})
    (table,) = page.table
    assert len(table.value) == len(technique(slug).check.compare)
    assert (table.value["largest difference"].astype(float) < 1e-6).all()
    assert "column=2" in page.code[0].value


def test_an_unknown_column_becomes_the_first():
    page = upload("roc", NAMED, **{"roc.column": "nobody"})
    assert (
        stage(page)["frames"][0]["caption"] == "The column fold is the score: no model is trained."
    )


SETTINGS = {
    "naive_bayes": {"laplace": "1.0"},
    "logistic_regression": {"C": "inf"},
    "decision_tree": {"max_depth": "2"},
    "knn": {"n_neighbors": "15"},
    "svm": {"kernel": "poly", "C": "0.5"},
}


@pytest.mark.parametrize("slug", ["roc", "classifier_metrics"])
@pytest.mark.parametrize("name", SETTINGS)
def test_a_model_has_the_settings_of_its_page(slug, name, tmp_path):
    link = {f"{name}.{setting}": value for setting, value in SETTINGS[name].items()}
    with watched_runs() as runs:
        page = sound(visit(slug, **{f"{slug}.model": name}, **link))
    model, *_ = (run.model.model for run in runs)
    assert type(model) is classifiers()[name]
    for setting, value in SETTINGS[name].items():
        assert str(getattr(model, setting)) == value
    assert warnings(page) == []
    assert link.items() <= dict(page.query_params).items()
    assert picture(reopened(page)) == picture(page)
    assert any("Settings of the model" in caption.value for caption in page.caption)
    open_part(page, **{"bar.code": True})
    (tmp_path / "code.py").write_text(page.code[0].value, "utf-8")
    done = runpy.run_path(str(tmp_path / "code.py"))
    result = "auc_" if slug == "roc" else "kappa_"
    assert getattr(done["model"], result) == getattr(runs[0].fitted, result)


def test_settings_are_shown_of_the_model_that_is_chosen():
    controls = list(panel(visit("roc", **{"roc.model": "knn"})))
    assert controls.index("knn.n_neighbors") > controls.index("roc.model.open")
    assert "svm.C" not in controls
    assert "roc.model.open" not in panel(visit("roc", **{"roc.model": "zero_r"}))


def test_every_setting_is_a_parameter():
    for name, labels in MODELS.items():
        assert set(labels) <= set(classifiers()[name].PARAMS)


def preset(title, **settings):
    """Open a preset, with further settings, as a new visitor; return the last ledger's values."""
    (chosen,) = (preset for preset in technique("roc").presets if preset.title == title)
    link = linked("roc", {**chosen.settings, **settings})
    ledger = stage(sound(visit("roc", **link)))["frames"][-1]["ledger"]
    return {
        row[0]: row[1]
        for block in ledger
        if "rows" in block and len(block["head"]) == 2
        for row in block["rows"]
    }


@pytest.mark.parametrize(
    ("title", "settings", "facts"),
    [
        ("A good ROC curve, a poor precision", {}, {"Area under ROC, AUC": 0.97}),
        ("Scoring what was learned", {}, {"Area under ROC, AUC": 0.84}),
        (
            "Scoring what was learned",
            {"scoring": "cross_validation"},
            {"Area under ROC, AUC": 0.71},
        ),
        ("A measurement as a score", {}, {"Area under ROC, AUC": 0.74}),
        ("Below the diagonal", {}, {"Area under ROC, AUC": 0.255}),
        ("A miss costs three alarms", {}, {"Threshold optimal": 0.21}),
        ("The threshold that costs least", {}, {"Threshold optimal": 0.53}),
        ("The threshold that costs least", {"cost_fn": 3.0}, {"Threshold optimal": 0.21}),
        (
            "A miss costs three alarms",
            {"cost_fn": 1.0, "cost_fp": 1.0},
            {"Threshold optimal": 0.53},
        ),
        (
            "Few will answer",
            {},
            {
                "Threshold optimal": 0.55,
                "Profit per row there": 0.08,
                "predicting all positive": -0.5,
            },
        ),
    ],
)
def test_presets_show_what_they_say(title, settings, facts):
    results = preset(title, **settings)
    assert {name: results[name] for name in facts} == pytest.approx(facts, abs=0.006)


def test_it_opens_at_the_optimal_threshold_with_both_costs_first():
    page = sound(visit("roc"))
    shown = stage(page)
    assert shown["frames"][113]["caption"].endswith("The profit is largest here.")
    assert [*panel(page)][:3] == ["roc.cost_fp", "roc.cost_fn", "roc.beside"]
    assert {"roc.cost_fp", "roc.cost_fn", "roc.beside"} <= {*panel(visit("roc", projector="true"))}


def test_a_single_curve_beside_is_large():
    def large(**link):
        return [each["name"] for each in stage(visit("roc", **link))["panels"] if not each["side"]]

    assert large() == ["data", "scores"]
    assert large(**{"roc.beside": "profit"}) == ["data", "scores", "profit"]
