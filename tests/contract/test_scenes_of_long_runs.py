"""Frames of long runs, of which only some steps are shown, say what they say among all steps."""

import sys
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from unittest import mock

import pytest

from dashboard.catalogue import CATALOGUE
from dmlib.pictures.motion import MAX_FRAMES, computed, thin
from tests.visit import methods, technique, visit, watched_runs

SUMMED = {
    "k nearest neighbours": "neighbours that join between two frames are counted together",
    "ROC": "rows between two thresholds are counted together",
}
"""Methods whose frames say what has happened since the frame before."""
FRAMES = range(2, 12)


@contextmanager
def thinned(max_steps):
    """Let scenes show at most so many of the steps, as they do of long runs; None: all."""

    def limited(n_steps, limit=MAX_FRAMES):
        return thin(n_steps, min(limit, max_steps) if max_steps else max(n_steps, 2))

    modules = [module for name, module in sys.modules.items() if name.startswith("dmlib.")]
    with ExitStack() as patches:
        for module in modules:
            if getattr(module, "thin", None) is thin:
                patches.enter_context(mock.patch.object(module, "thin", limited))
        yield


@pytest.mark.parametrize("slug", CATALOGUE)
def test_a_frame_of_a_long_run_says_what_it_says_among_all_steps(slug):
    """A frame may depend on a step without one: on a node that is pruned before the next frame."""
    page = technique(slug)
    for method, link in methods(slug).items():
        with watched_runs() as runs:
            visit(slug, **link)
        with thinned(None):
            frames = computed(page.scene(replace(runs[-1], made={}))).frames
        for max_steps in FRAMES:
            with thinned(max_steps):
                scene = computed(page.scene(replace(runs[-1], made={})))
            remaining = iter(frames)
            assert method in SUMMED or all(frame in remaining for frame in scene.frames), (
                method,
                max_steps,
            )
