"""Runs of estimators on the examples of their docstrings."""

from __future__ import annotations

import inspect
import io
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from doctest import DocTestParser
from typing import Any
from unittest.mock import patch

from sklearn.base import clone

from dashboard.settings import Settings
from dashboard.technique import technique_of
from dmlib.playback import Playback, play
from edition.api.docstrings import DocstringError
from edition.api.objects import PREFIX, PublicObject, objects_of
from edition.content import Scripts
from edition.packing import script, smallest, text
from edition.sliders import bare
from edition.states import finished_view

MAX_BYTES = 320_000
"""Of a run, compressed: it is loaded when it comes into view."""


def runs(page: str, slugs: Mapping[str, str]) -> Scripts:
    """Yield the scripts with the runs of a page: their names, and the scripts.

    Parameters
    ----------
    page : str
        The page.
    slugs : mapping of str to str
        The techniques that show runs of its classes, by the names of the classes.
    """
    for each in objects_of(page):
        run = run_of(each, slugs.get(each.name, "")) if each.is_estimator else None
        if run is not None:
            name = f"{PREFIX}{page}/{each.name}"
            yield name, script(name, run)


def run_of(model: PublicObject, slug: str) -> Mapping[str, Any] | None:
    """Return a run of an estimator as its script holds it; None where it has no picture.

    Parameters
    ----------
    model : PublicObject
        The estimator.
    slug : str
        The technique on whose data it runs where its example fits none that play; empty for none.
    """
    playback = example_playback(model.value)
    if playback is not None:
        scene = smallest(playback.encoded())
        content = {"scene": text(scene), "frame": playback.frame, "note": "On the example above"}
        return content if len(scene) <= MAX_BYTES else None
    return _opening_run(model, slug) if slug else None


def example_playback(model: type) -> Playback | None:
    """Return the first run of a class's example that plays; None where none does."""
    for estimator, X, y in example_fits(model):
        try:
            playback = play(estimator, X, y)
            playback.encoded()
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            continue  # data of a kind that only problems of dmlib.problem have, as images
        return playback
    return None


def example_fits(model: Any) -> list[tuple[Any, Any, Any]]:
    """Return the estimators of a class that its example fits, each with X and y.

    Raises
    ------
    DocstringError
        If the example fails.

    Examples
    --------
    >>> from dmlib.clustering import DBSCAN
    >>> [(model, len(X), y) for model, X, y in example_fits(DBSCAN)]
    [(DBSCAN(eps=1.0, min_samples=3), 7, None)]
    """
    fit, fits = model.fit, []
    signature = inspect.signature(fit)
    this, data, *_ = signature.parameters

    def recorded(*arguments: Any, **options: Any) -> Any:
        bound = signature.bind(*arguments, **options).arguments
        if bound.keys() <= {this, data, "y"}:
            fits.append((clone(bound[this]), bound[data], bound.get("y")))
        return fit(*arguments, **options)

    examples = DocTestParser().get_examples(inspect.getdoc(model) or "")
    namespace = dict(vars(sys.modules[model.__module__]))
    with patch.object(model, "fit", recorded), redirect_stdout(io.StringIO()):
        for example in examples:
            try:
                exec(compile(example.source, model.__name__, "single"), namespace)
            except Exception as error:
                if example.exc_msg is None:
                    raise DocstringError(
                        f"The example of {model.__name__} fails; correct it: {error}"
                    ) from error
    return fits


def _opening_run(model: PublicObject, slug: str) -> Mapping[str, Any] | None:
    """Return a run on the data with which the page of a technique opens."""
    technique = technique_of(slug)
    methods = {value: name for name, value in technique.methods.items()}
    is_first = next(iter(methods)) is model.value
    query = {} if is_first else {f"{slug}.method": (methods[model.value],)}
    view = finished_view(technique, Settings.from_query(query, technique.opening_link))
    scene = smallest(bare(view))
    if view.run is None or len(scene) > MAX_BYTES:
        return None
    frame = len(view.scene.frames) - 1
    return {"scene": text(scene), "frame": frame, "note": f"On {view.data.summary}"}
