"""The page on measures shows the numbers that its presets promise."""

import pytest

from tests.visit import linked, sound, stage, technique, visit, watched_runs

FACTS = {
    "Accuracy says nothing": {"Accuracy": 0.9525, "Recall": 6 / 19, "Cohen's kappa": 0.36},
    "A model that looks at nothing": {"Accuracy": 0.54, "Precision": "0 / 0", "Cohen's kappa": 0.0},
    "A miss costs ten alarms": {"Cost per row": 0.89},
    "Right, but far too sure": {"Accuracy": 0.905, "Informational loss, bits": 1.25},
    "One sure mistake is infinitely bad": {"Informational loss, bits": "∞", "Quadratic loss": 0.07},
    "Rare classes vanish in the mean": {"Accuracy": 0.89, "Recall": 0.75},
    "Scored on what was learned": {"Accuracy": 0.98},
    "A measurement as the answer": {
        "Accuracy": 0.70,
        "Cohen's kappa": 0.39,
        "Quadratic loss": "no probabilities",
    },
    "Two thresholds": {"Accuracy": 0.594},
    "Twenty people by hand": {"Accuracy": 0.75, "Cohen's kappa": 0.4898, "Cost per row": 0.65},
    "A matrix of your own": {"Precision": 0.7143, "Recall": 0.625, "Accuracy": 8 / 13},
    "598 households": {
        "Recall": 0.8655,
        "Precision": 0.8879,
        "Accuracy": 0.9515,
        "Cohen's kappa": 0.8463,
    },
    "Three classes of your own": {"Recall": 0.7667, "Accuracy": 0.8333, "Cohen's kappa": 0.6721},
    "More accurate, and dearer": {"Accuracy": 0.9, "Cost per row": 8.51},
}


def open_page(title, **settings):
    """Open a preset, with further settings, as a new visitor."""
    (preset,) = (
        preset for preset in technique("classifier_metrics").presets if preset.title == title
    )
    return sound(
        visit("classifier_metrics", **linked("classifier_metrics", {**preset.settings, **settings}))
    )


def measures(page):
    (table,) = (
        block
        for block in stage(page)["frames"][-1]["ledger"]
        if block.get("title", "").startswith("All meas")
    )
    return dict(map(tuple, table["rows"]))


@pytest.mark.parametrize("title", FACTS)
def test_presets_show_what_they_say(title):
    table = measures(open_page(title))
    for name, value in FACTS[title].items():
        assert table[name] == (value if isinstance(value, str) else pytest.approx(value, abs=0.006))


def test_every_preset_is_checked():
    assert set(FACTS) == {preset.title for preset in technique("classifier_metrics").presets}


@pytest.mark.parametrize(
    ("title", "settings", "name", "value"),
    [
        ("A miss costs ten alarms", {"threshold": 0.12}, "Cost per row", 0.355),
        (
            "Right, but far too sure",
            {"model": "logistic_regression"},
            "Informational loss, bits",
            0.22,
        ),
        ("Scored on what was learned", {"scoring": "cross_validation"}, "Accuracy", 0.57),
        (
            "More accurate, and dearer",
            {
                "confusion_counts.tp": 150,
                "confusion_counts.fn": 40,
                "confusion_counts.fp": 60,
                "confusion_counts.tn": 250,
            },
            "Cost per row",
            7.82,
        ),
        (
            "A matrix of your own",
            {
                "classifier_metrics.weights.positive, predicted positive": 4.0,
                "classifier_metrics.weights.positive, predicted negative": 3.0,
                "classifier_metrics.weights.negative, predicted positive": 2.0,
            },
            "Weighted accuracy",
            (4 * 5 + 3) / (4 * 5 + 3 * 3 + 2 * 2 + 3),
        ),
        (
            "Rare classes vanish in the mean",
            {"classifier_metrics.costs.amphibian, predicted mammal": 12.0},
            "Cost per row",
            (11 + 3 * 11) / 101,
        ),
    ],
)
def test_what_the_presets_ask_to_try(title, settings, name, value):
    assert measures(open_page(title, **settings))[name] == pytest.approx(value, abs=0.006)


def test_all_mistakes_of_the_rare_classes_are_mammals():
    with watched_runs() as runs:
        open_page("Rare classes vanish in the mean")
    problem, matrix = runs[-1].problem, runs[-1].fitted.confusion_.matrix
    mammal, amphibian = (problem.classes.index(name) for name in ("mammal", "amphibian"))
    assert matrix[:, mammal].sum() - matrix[mammal, mammal] == matrix.sum() - matrix.trace() == 11
    assert matrix[amphibian].tolist()[mammal] == 3


def test_the_data_tab_tells_the_predictions_that_were_counted():
    page = visit("classifier_metrics", test="0.2")
    page.session_state["classifier_metrics.tab"] = "Data"
    with watched_runs() as runs:
        page.run()
    table, run = page.dataframe[0].value, runs[-1]
    counted = table[~table["test set"]]
    assert (counted["out-of-fold prediction"] == counted["known class"]).mean() == pytest.approx(
        run.fitted.accuracy_
    )
    assert table.loc[table["test set"], "out-of-fold prediction"].isna().all()


@pytest.mark.parametrize(
    ("name", "number"), [("setosa", 1), ("versicolor", 2), ("virginica", 0), ("nobody", 0)]
)
def test_the_positive_class_is_chosen_by_name(name, number):
    with watched_runs() as runs:
        page = sound(
            visit("classifier_metrics", data="iris", **{"classifier_metrics.positive": name})
        )
    assert runs[-1].model.positive == number
    frame = next(frame for frame in stage(page)["frames"] if frame["caption"].startswith("Recall"))
    (rates,) = (
        block for block in frame["ledger"] if block.get("title") == "Each class against the rest"
    )
    assert rates["emphasis"] == [(number or 3) - 1]
