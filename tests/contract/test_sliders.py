"""Every slider changes the picture over its range, on the data that its page opens with."""

from dataclasses import fields
from functools import cache

import numpy as np
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.form import Form
from dashboard.runs import Memory
from dashboard.settings import Settings
from dashboard.view import view
from dmlib.pictures.marks import PerFrame
from tests.visit import methods, technique

pytestmark = pytest.mark.sweep

PAIRS = 8  # of neighbouring positions, evenly spread over those of a slider
ENOUGH = 1 / 3  # of them show two pictures
PIXELS = 600  # of an axis: what moves by less is not seen

STOPS = "It ends the steps early: an answer that has converged stays the same."
# Which of equal ones is kept can hang on rounding
BETTER = "Restarts find the same answer on these data."
EXCEPTIONS = {
    "pca": {
        "tol": STOPS,
        "max_iter": STOPS,
        "noise": "It is for the figures below: the reconstruction and the rows rebuilt.",
    },
    "decision_tree": {
        "leaf_penalty": "It ends the splits: between two falls of the error nothing changes."
    },
    "logistic_regression": {"tol": STOPS},
    "ridge_lasso": {"tol": STOPS, "max_iter": STOPS},
    "svm": {"tol": STOPS, "max_iter": STOPS},
    "gradient_descent": {"tol": STOPS},
    "mlp": {"tol": STOPS},
    "kmeans": {"tol": STOPS, "max_iter": STOPS, "change_tol": STOPS},
    "semi_supervised": {"tol": STOPS, "max_iter": STOPS},
    "kmedoids": {"max_iter": STOPS},
    "mean_shift": {"max_iter": STOPS},
    "vector_quantisation": {"tol": STOPS},
    "hopfield": {"max_iter": STOPS},
    "kmeans_variants": {
        "tol": STOPS,
        "max_iter": STOPS,
        "omega": "It ends the splits: between the errors of two clusters nothing changes.",
        "max_clusters": "X-means stops where no split pays: a higher limit is not reached.",
    },
    "gaussian_mixture": {"n_init": BETTER, "tol": STOPS},
    "spectral": {"n_init": BETTER},
    "feature_selection": {"tol": STOPS},
    "factorisation": {"tol": STOPS},
    "classifier_metrics": dict.fromkeys(
        ("cost_fp", "cost_fn"), "A price changes the numbers beside the picture."
    ),
    "roc": dict.fromkeys(
        ("n_addresses", "n_responders", "unit_benefit", "unit_cost"),
        "A mailing is in the numbers beside the picture and in its figure.",
    ),
}
"""Sliders that may show fewer pictures, and why."""


def last(channel):
    return channel.rows[-1] if isinstance(channel, PerFrame) else channel


def rounded(value, axis=None):
    """Return a channel as an eye sees it."""
    array = np.asarray(last(value))
    if array.dtype.kind == "f":
        array = (
            np.round(array, 3)
            if axis is None
            else np.round((array - axis.low) / (axis.high - axis.low) * PIXELS)
        )
    return array.tolist()


def picture(scene):
    """Return all that is drawn at the last step: marks to the pixel, and handles."""
    panels = {panel.name: panel for panel in scene.panels}
    parts = [[(panel.name, panel.x, panel.y) for panel in scene.panels]]
    for mark in scene.marks:
        for name in {field.name for field in fields(mark)} - {"labels"}:  # tooltips
            value = getattr(mark, name)
            axis = (
                getattr(panels[mark.panel], name[0])
                if name[0] in "xy" and name in mark.CHANNELS
                else None
            )
            parts.append(
                (
                    name,
                    rounded(value, axis)
                    if value is not None and name in mark.CHANNELS
                    else last(value),
                )
            )
    for handle in scene.handles:
        places = {
            letter: getattr(handle, letter)
            for letter in "xy"
            if getattr(handle, letter) is not None
        }
        parts.append(
            [
                rounded(value, getattr(panels[handle.panel], letter))
                for letter, value in places.items()
            ]
        )
    return str(parts)


@cache
def chosen(slug, method):
    """Return the data that a page opens with."""
    form = Form(settings_of(slug, method))
    return technique(slug).kind(method).choose(technique(slug), method, form)


def settings_of(slug, method):
    """Return the settings with which a method of a page opens."""
    link = {name: [text] for name, text in methods(slug)[method].items()}
    return Settings.from_query(link, technique(slug).opening_link)


def answer(slug, method, settings, moving=""):
    """Return the controls of a page and its picture while a parameter moves."""
    page = view(technique(slug), settings, chosen(slug, method), Memory(), moving=moving)
    return page.panel, picture(page.scene)


def sliders(panel):
    return {control["name"]: control for control in panel.controls if control["kind"] == "slider"}


def ranges(panel):
    """Return the positions of all sliders, without those that are only the current value."""
    return {
        name: [o for o, _ in control["options"] if o != control["value"]]
        for name, control in sliders(panel).items()
    }


def pairs(n):
    """Return neighbouring positions, all of a few and some of many: first those at both ends."""
    starts = (
        list(range(n - 1)) if n <= 2 * PAIRS else np.linspace(0, n - 2, PAIRS).astype(int).tolist()
    )
    return [(i, i + 1) for i in starts[:1] + starts[:0:-1]]


@cache
def walked(slug, method):
    """Move each slider of a page; return its share of different pairs, and why it is idle."""
    panel, _ = answer(slug, method, settings_of(slug, method))
    return {
        name: (_share(slug, method, panel, name), control.get("idle", ""))
        for name, control in sliders(panel).items()
    }


def _share(slug, method, panel, name):
    settings = settings_of(slug, method)
    places, pictures = [place for place, _ in sliders(panel)[name]["options"]], {}
    walk, different = pairs(len(places)), 0
    for done, pair in enumerate(walk):
        for i in pair:
            if i not in pictures:
                moved = panel.actions[name](settings, places[i])
                panel_after, pictures[i] = answer(
                    slug, method, moved, name.removeprefix(f"{slug}.")
                )
                assert stays(ranges(panel), ranges(panel_after)), (name, places[i])
        different += pictures[pair[0]] != pictures[pair[1]]
        if different >= ENOUGH * len(walk) and done:  # both ends of the range were seen
            break
    return different / len(walk)


def stays(before, after):
    """Return whether ranges stay: a control may come or go, a value be one more position."""
    return all(len({*before[name]} ^ {*after[name]}) <= 2 for name in before.keys() & after.keys())


CASES = [(slug, method) for slug in CATALOGUE for method in methods(slug)]


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_a_slider_shows_another_picture_at_a_third_of_its_positions(case):
    slug, _ = case
    excepted = {f"{slug}.{name}" for name in EXCEPTIONS.get(slug, ())}
    idle_shares = {
        name: share for name, (share, idle) in walked(*case).items() if share < ENOUGH and not idle
    }
    assert {name: share for name, share in idle_shares.items() if name not in excepted} == {}


@pytest.mark.parametrize("slug", EXCEPTIONS)
def test_what_is_excepted_needs_it(slug):
    shares = [walked(slug, method) for method in methods(slug)]
    for name in (name for name, reason in EXCEPTIONS[slug].items() if reason != BETTER):
        assert (
            min(page[f"{slug}.{name}"][0] for page in shares if f"{slug}.{name}" in page) < ENOUGH
        ), name


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_what_is_said_to_change_nothing_changes_nothing(case):
    assert {
        name: share for name, (share, idle) in walked(*case).items() if idle and share > 0
    } == {}
