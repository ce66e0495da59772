"""Every estimator plays outside of the dashboard: its docstring's data, and its page's opening."""

import doctest
import sys
from unittest import mock

import numpy as np
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.rounds import view_of
from dashboard.settings import Settings
from dmlib import play
from dmlib.clustering import LVQ
from dmlib.decomposition.lda_projection.scene import lda_projection_scene
from dmlib.pictures.encode import decode
from dmlib.playback.problems import scene_function
from tests.contract.test_public_api import ALGORITHMS, qualified
from tests.visit import technique

PICTURES = {"lda_projection": lda_projection_scene}
"""The picture where it is not that of the estimator's own page."""
IMAGES = {LVQ}
"""Their docstrings have tables, and their pictures are of images."""

ASKS = {"bayesian_network", "naive_bayes"}
"""Their openings ask about a row that the reader has chosen."""
EMPTY = {"n_features_in_", "n_candidates_"}
"""They count columns of items that are in no basket, which a picture leaves out."""


def documented_call(algorithm):
    """Return the model and the data of the first call of ``fit`` or ``steps`` in a docstring."""
    calls = []

    def record(model, X, y=None, **options):
        if type(model) is algorithm:
            calls.append((model, X, y))
            raise StopIteration
        return fit(model, X, y, **options)

    fit = algorithm.fit
    names = dict(vars(sys.modules[algorithm.__module__]))
    (example,) = doctest.DocTestFinder(recurse=False).find(algorithm)
    with mock.patch.multiple(algorithm, fit=record, steps=record):
        for line in example.examples:
            try:
                exec(line.source, names)
            except StopIteration:
                return calls[0]
    raise AssertionError(f"The docstring of {qualified(algorithm)} fits nothing.")


@pytest.mark.parametrize(
    "algorithm", [each for each in ALGORITHMS if each not in IMAGES], ids=qualified
)
def test_it_plays_the_data_of_its_docstring(algorithm):
    model, X, y = documented_call(algorithm)
    playback = play(model, X, y)
    frames = decode(playback.encoded())["frames"]
    assert [frame["caption"] for frame in frames] == [frame.caption for frame in playback.frames]
    arguments = [X] if y is None else [X, y]
    model.fit(*arguments)
    for name, value in vars(model).items():
        if name.endswith("_") and isinstance(value, int | float | np.number):
            played = getattr(playback.run.fitted, name)
            assert played == pytest.approx(value, nan_ok=True) or name in EMPTY, name


@pytest.mark.parametrize("slug", CATALOGUE)
def test_it_plays_as_its_page_opens(slug):
    page = technique(slug)
    page_view = view_of(page, Settings.from_query({}, page.opening_link))
    playback = play(page_view.run.model, page_view.data.problem, draw=PICTURES.get(slug))
    assert [frame.phase for frame in playback.frames] == [
        frame.phase for frame in page_view.scene.frames
    ]
    captions = [frame.caption for frame in page_view.scene.frames]
    assert slug in ASKS or [frame.caption for frame in playback.frames] == captions
    assert [panel.name for panel in playback.scene.panels] == [
        panel.name for panel in page_view.scene.panels
    ]


@pytest.mark.parametrize("slug", [slug for slug in CATALOGUE if slug not in PICTURES])
def test_every_method_has_the_picture_of_its_page(slug):
    page = technique(slug)
    for method in page.methods.values():
        assert scene_function(method) is page.scene, method


@pytest.mark.parametrize("algorithm", IMAGES, ids=qualified)
def test_it_plays_an_image(algorithm):
    playback = play(algorithm(random_state=0), np.eye(6))
    assert len(decode(playback.encoded())["frames"]) == len(playback.frames) > 1
