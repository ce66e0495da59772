"""States of a page: its opening, its presets, and what works where they fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from dashboard.failures import FailingRun
from dashboard.form import Form
from dashboard.parameters import method_of
from dashboard.pinned import pinned_view
from dashboard.presets import Preset, link_of
from dashboard.runs import CLOCK, DEADLINE, Memory, UnfinishedRun
from dashboard.settings import Settings
from dashboard.technique import Technique, technique_of
from dashboard.view import View, view
from dmlib.trace import Running, Trace

OPENING = "opening"
"""The name of the state in which a page opens."""
PATIENCE = 10
"""Times the seconds that a run has in the app: nobody waits."""
MAX_RUNS = 4
"""Of a view: its own and the pinned one, each perhaps forgotten once."""


@dataclass(frozen=True)
class State:
    """A page with settings.

    Attributes
    ----------
    name : str
        In links and files of the edition.
    title : str
        Its name for people.
    note : str
        What there is to see.
    technique : Technique
        The page.
    settings : Settings
        What it is set to.
    is_contrast : bool
        Whether it stands beside a preset, and not among them.
    """

    name: str
    title: str
    note: str
    technique: Technique
    settings: Settings
    is_contrast: bool = False

    @property
    def link(self) -> str:
        """The link to it in the app, below its address.

        Examples
        --------
        >>> next(states(technique_of("kmeans"))).link
        'kmeans'
        """
        query = urlencode(self.settings.query(), doseq=True)
        return f"{self.technique.slug}?{query}" if query else self.technique.slug

    def view(self) -> View:
        """Return what the page shows."""
        return finished_view(self.technique, self.settings)


def states(technique: Technique) -> Iterator[State]:
    """Yield the states of a page, the opening first, contrasts after their presets.

    Examples
    --------
    >>> [state.name for state in states(technique_of("kmeans"))][:3]
    ['opening', 'a-bad-start-and-better-ones', 'a-bad-start-and-better-ones.instead']
    """
    opening = technique.opening_link
    summary = technique.entry.summary
    first = Settings.from_query({}, opening)
    yield State(OPENING, "The opening of this page", summary, technique, first)
    for preset in technique.presets:
        settings = Settings.from_query(link_of(technique.slug, preset), opening)
        failing = _failing_run(technique.slug, preset)
        yield State(preset.slug, preset.title, preset.look_for, technique, settings)
        if failing:
            yield _contrast(failing)


def _failing_run(slug: str, preset: Preset) -> FailingRun | None:
    return None if preset.failure is None else FailingRun(slug, preset, preset.failure)


def _contrast(failing: FailingRun) -> State:
    """Return what works where a preset fails, beside the failing run."""
    failure = failing.failure
    technique = technique_of(failure.page)
    settings = Settings.from_query(failing.contrast_link, technique.opening_link)
    note = f"{failure.reason} {failure.contrast}".strip()
    name, title = f"{failing.preset.slug}.instead", f"Works: {failure.remedy}"
    return State(name, title, note, technique, settings, is_contrast=True)


def finished_view(technique: Technique, settings: Settings) -> View:
    """Return the view of settings, however long its runs take."""
    form, memory = Form(settings), Memory()
    method = method_of(technique, form)
    data = technique.kind(method).choose(technique, method, form)
    for _ in range(MAX_RUNS):
        try:
            pinned = pinned_view(settings, memory)
            return view(technique, settings, data, memory, pinned=pinned, budget=PATIENCE)
        except UnfinishedRun as run:
            memory.keep(run.key, _finished(run.running))
    raise RuntimeError(f"The runs of {technique.slug} do not end: {settings.query()}.")


def _finished(running: Running[Any]) -> Trace[Any] | str:
    """Return the trace of a run, or the sentence that refuses it late."""
    try:
        return running.go(PATIENCE * DEADLINE, clock=CLOCK())
    except ValueError as error:
        return str(error)
