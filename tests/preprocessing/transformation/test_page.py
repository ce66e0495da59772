"""The page of transformations: presets show what they say, figures their numbers."""

import numpy as np
import pytest

from dashboard.presets import link_of, presets
from dmlib.datasets import load
from dmlib.pictures.marks import NO_CLASS
from dmlib.pictures.run import Run
from dmlib.preprocessing import Rescaler
from dmlib.preprocessing.transformation.allocation import allocate, spreads, variance
from dmlib.preprocessing.transformation.figures.effects import (
    effects,
    effects_data,
    outlier_strips,
    training_rows,
)
from dmlib.problem import prepare
from tests.visit import stage, visit

SLUG = "transformation"


def wine():
    table = load("wine")
    return prepare(table.frame, list(table.numeric), target=table.target)


def scene_of(title, **link):
    (preset,) = (preset for preset in presets(SLUG) if preset.title == title)
    return stage(visit(SLUG, **{**link_of(SLUG, preset), **link}))


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("Thirteen columns of wine", "all columns have the same spread"),
        ("Each class has its share", "30 rows of 178"),
        ("Grow until the error stays", "320 rows of 569"),
        ("Five rows become one", "36 rows represent all, 63 % of the variance is lost"),
    ],
)
def test_a_preset_shows_what_it_says(title, says):
    assert says in scene_of(title)["frames"][-1]["caption"]


def test_an_outlier_leaves_the_rows_a_fifth():
    title = "An outlier squeezes the rest"
    assert "keep 20 % of the width" in " ".join(scene_of(title)["notes"])
    ranks = scene_of(title, **{f"{SLUG}.scale": "rank"})
    assert "keep 97.5 % of the width" in " ".join(ranks["notes"])


def test_what_the_presets_say_of_wine_and_arrests():
    data = effects_data(Run.of(wine(), Rescaler()))
    assert [round(100 * effect.error) for effect in data] == [31, 4]
    assert round(100 * data[0].largest_share, 2) == 99.96
    problem = wine()
    assert round((problem.X.std(0).max() / problem.X.std(0).min()), 0) == 2530
    table = load("us_arrests")
    arrests = table.frame[list(table.numeric)].to_numpy(float)
    assert round(Rescaler("box_cox").fit(arrests).lambdas_[0], 2) == 0.49
    assert round(Rescaler("z_score").fit(arrests).skewness_, 2) == 0.78
    assert round(Rescaler("box_cox").fit(arrests).skewness_, 2) == 0.11


def test_the_figures_show_their_numbers():
    run = Run.of(wine(), Rescaler("min_max"))
    assert "error of 5 neighbours 30.9 %" in effects(run).layout.annotations[0].text
    assert "min-max" in outlier_strips(run).layout.title.text.replace("<br>", " ")
    figure = training_rows(run)
    assert max(figure.data[0].x) == pytest.approx(1)
    assert max(figure.data[1].x) > 1


def test_a_page_tells_the_column_by_its_name_and_gives_it_another_scale():
    link = {"source": "library", "data": "us_arrests", "transformation.scale": "log"}
    assert "Done" in stage(visit(SLUG, **link))["frames"][-1]["caption"]
    scaled = {**link, "scaling": "z-score"}
    assert "column 'urban_pop' holds -2" in stage(visit(SLUG, **scaled))["frames"][-1]["caption"]
    own = {f"transformation.scales.{name}": "yeo_johnson" for name in load("us_arrests").numeric}
    caption = stage(visit(SLUG, **scaled, **own))["frames"][-1]["caption"]
    assert "4 columns on a scale of their own" in caption


def test_a_preset_has_a_column_of_its_own():
    (preset,) = (each for each in presets(SLUG) if each.title == "One column on a scale of its own")
    frames = stage(visit(SLUG, **link_of(SLUG, preset)))["frames"]
    assert "one column on a scale of its own" in frames[-1]["caption"]


def test_a_sample_has_a_colour_of_its_own():
    """Colours of classes are taken: all rows are neutral, and the sample has the next one."""
    legend = {key["text"]: key["color"] for key in scene_of("Each class has its share")["legend"]}
    assert legend == {"all rows": NO_CLASS, "sample": 3}


def test_neymans_sizes_in_the_preset():
    (preset,) = (each for each in presets(SLUG) if each.title == "More rows where they differ more")
    table = load("breast_cancer")
    problem = prepare(table.frame, list(table.numeric), target=table.target)
    counts = np.bincount(problem.y)
    spread = spreads(problem.X[:, 0], problem.y)
    sizes = allocate(counts, 30, weights=counts * spread)
    assert f"draws {sizes[0]} of the 212 and {sizes[1]} of the 357" in preset.look_for
    proportional = allocate(counts, 30)
    assert f"with {proportional[0]} and {proportional[1]}." in preset.look_for
    assert f"is {variance(counts, spread, sizes):.3f} instead" in preset.look_for
    assert f"of {variance(counts, spread, proportional):.3f} with" in preset.look_for
