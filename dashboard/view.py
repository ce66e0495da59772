"""The view of a page: a function of its settings and its data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from dashboard.computation import Computation
from dashboard.data.kind import Chosen
from dashboard.form import Form
from dashboard.messages import natural_number
from dashboard.opening import Opening
from dashboard.pairs import Pair, pinned_controls
from dashboard.panel import Panel
from dashboard.parameters import parameters
from dashboard.pin import Pin, with_pin
from dashboard.practice import MODES, N_QUESTIONS, PRACTICE, PREDICT, QUESTIONS, SIZE, Asking
from dashboard.pseudocode import pseudocode
from dashboard.results import Headline, results
from dashboard.runs import Memory
from dashboard.settings import LAST_FRAME, PIN, STEP, Settings
from dashboard.technique import Technique
from dashboard.tools.tool import Page
from dmlib.cached import cached_property
from dmlib.params import Choice, Flag, Integer
from dmlib.pictures.encode import encode
from dmlib.pictures.motion import still
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Scene

STEPS = Integer(0, LAST_FRAME)
PRESET = "preset"  # what the stage calls the preset of a link in the lesson
PARAMETERS_IN_A_LECTURE = 3  # that a projector shows
NOTHING = Asking()


@dataclass(frozen=True)
class View:
    """A page as it is shown.

    Attributes
    ----------
    page : Page
        The page with its parameters.
    data : Chosen
        The data.
    panel : Panel
        The controls beside the picture.
    run : Run or None
        The run; None if it is refused.
    key : str
        Of the run; empty without one.
    scene : Scene
        Its picture.
    reason : str
        Why the run ended early.
    opening : Opening or None
        What all visitors share, if this is what the page opens with.
    asking : Asking
        What is asked about the run.
    pinned : View or None
        The run that is pinned at its left.
    """

    page: Page
    data: Chosen
    panel: Panel
    run: AnyRun | None
    key: str
    scene: Scene
    reason: str
    opening: Opening | None = None
    asking: Asking = NOTHING
    pinned: View | None = None

    @property
    def technique(self) -> Technique:
        """The declaration of the page."""
        return self.page.technique

    @property
    def settings(self) -> Settings:
        """The settings, without what cannot be used and without what has its default."""
        return self.page.settings

    @property
    def is_projector(self) -> bool:
        """Whether it is shown in a lecture room."""
        return bool(self.page.form.peek("projector", Flag(), False))

    @cached_property
    def pair(self) -> Pair | None:
        """Both runs, where one is pinned."""
        return None if self.pinned is None else Pair.of(self.pinned, self)

    @property
    def picture(self) -> Scene:
        """Its picture, with that of the pinned run."""
        pair = self.pair
        return self.scene if pair is None else pair.scene

    def headlines(self) -> list[list[Headline]]:
        """Return the headline numbers of each frame of its scene."""
        if self.run is None:
            return []
        return results(self.technique, self.run, self.scene.frames)

    def _results(self) -> list[list[dict[str, str]]]:
        """Return the headline numbers as plain data."""
        if self.pair is not None:
            return self.pair.results()
        return [[each.packed() for each in numbers] for numbers in self.headlines()]

    def _quiz(self, scene: Scene) -> dict[str, Any] | None:
        """Return the questions that the stage asks."""
        practice = self.technique.practice
        if practice is None or self.run is None:
            return None
        return self.asking.packed(practice, self.run, scene)

    @property
    def continued_key(self) -> str:
        """The key of a run that can be continued; empty if it has ended."""
        is_open = self.run is not None and self.run.trace.rest is not None
        return self.key.split()[0] if is_open else ""

    @property
    def fits(self) -> bool:
        """Whether the data are those that the method takes."""
        return self.technique.kind(self.page.method) == self.data.kind

    def encoded(self, message_number: int, **details: Any) -> bytes:
        """Return the picture as the stage gets it, with its controls.

        Parameters
        ----------
        message_number : int
            The number of the message that it answers.
        **details
            What else travels with it.
        """
        page, run, technique = self.page, self.run, self.technique
        offers: dict[str, Any] = {"edit": None, **self.data.kind.offers(self.data, self.settings)}
        for tool in technique.tools:
            offers |= tool.offers(page)
        pair = self.pair
        scene = self.scene if pair is None else pair.scene
        phases = (frame.phase for frame in scene.frames)
        listing = pseudocode(technique.slug, page.algorithm.__name__, phases) if run else None
        everything = {
            "name": technique.slug,
            "title": technique.entry.title,
            "selectable": run is not None,
            "selected": run.selected if run else None,
            "results": self._results(),
            "controls": self.panel.controls,
            "heard": message_number,
            "projector": self.is_projector,
            "pseudocode": listing,
            "asks": technique.practice is not None and run is not None,
            "quiz": self._quiz(scene),
            **({} if pair is None else {"pair": pair.packed()}),
            **details,
            **offers,
        }
        if pair is None and self.opening is not None:
            return self.opening.packed(self.scene, everything)
        return encode(scene, **everything)

    def still(self, at: int | None, message_number: int) -> bytes:
        """Return one frame of the picture as the stage gets it while a control moves.

        Parameters
        ----------
        at : int or None
            The frame in which the player stands; None for the last.
        message_number : int
            The number of the message that it answers.
        """
        pair = self.pair
        n_frames = len(self.scene.frames) if pair is None else len(pair.frames)
        frame = n_frames - 1 if at is None else min(at, n_frames - 1)
        details: dict[str, Any] = {}
        view = replace(self, opening=None, asking=NOTHING)
        if pair is None:
            view = view.in_frame(frame)
        else:
            pinned, current = pair.frames[frame]
            view = replace(view.in_frame(current), pinned=pair.pinned.in_frame(pinned))
            assert view.pair is not None
            details = {"pair": {**view.pair.packed(), **pair.places([frame])}}
        return view.encoded(
            message_number,
            draft=self._draft_note() or True,
            still={"frame": frame, "frames": n_frames},
            **details,
        )

    def in_frame(self, frame: int) -> View:
        """Return the view with one frame of its picture."""
        return replace(self, scene=still(self.scene, frame))

    def _draft_note(self) -> str:
        """Say in which parameters the run is a draft; empty where it is none."""
        params, labels = self.page.params, self.technique.labels.values()
        used = self.run.model.get_params() if self.run else {}
        parts = [
            f"{label} {used[name]} of {params[name]}"
            for group in labels
            for name, label in group.items()
            if name in used and name in params and used[name] != params[name]
        ]
        return f"Draft: {', '.join(parts)}" if parts else ""


def view(
    technique: Technique,
    settings: Settings,
    data: Chosen,
    memory: Memory,
    *,
    moving: str | None = None,
    opening: Opening | None = None,
    fine_key: str = "",
    pinned: View | None = None,
    budget: float = 1.0,
) -> View:
    """Return what a page shows.

    Parameters
    ----------
    technique : Technique
        The page.
    settings : Settings
        What it is set to.
    data : Chosen
        Its data.
    memory : Memory
        What the session has computed: it saves time, and changes nothing.
    moving : str, optional
        The name of the parameter that is being moved: one frame is wanted, and soon.
    opening : Opening, optional
        What all visitors share, if this may be what the page opens with.
    fine_key : str
        The key of the run whose image of the plane is to be fine.
    pinned : View, optional
        The run that is pinned, as the settings name it.
    budget : float
        The share of the usual time that the picture may take.

    Raises
    ------
    UnfinishedRun
        If the run is not done in a moment.
    """
    if opening is not None:
        opening.lend(data.code, memory)
    page, options, panel = parameters(technique, settings, data, memory)
    outcome = Computation(page, options, data, moving, opening, fine_key, budget).outcome(panel)
    if bool(page.form.peek("projector", Flag(), False)):
        panel = panel.first(PARAMETERS_IN_A_LECTURE)
    if outcome.run is None:
        panel.add("", "note", outcome.scene.frames[0].caption)
    page.form.value(STEP, STEPS.parse, LAST_FRAME)
    asking = _asking(page)
    page.form.value(PIN, Pin.parse, None)
    if asking.mode:
        pinned = None
    panel.actions[PIN] = partial(with_pin, technique)
    if pinned is not None:
        panel.extend(pinned_controls(pinned))
    return View(
        page,
        data,
        panel,
        outcome.run,
        outcome.key,
        outcome.scene,
        outcome.reason,
        opening,
        asking,
        pinned,
    )


def _asking(page: Page) -> Asking:
    """Return what the page is to ask."""
    if page.technique.practice is None:
        return NOTHING
    mode: str = page.form.peek(PRACTICE, Choice(MODES), "")
    predicts = bool(page.form.peek(PREDICT, Choice(("1",)), ""))
    return Asking(mode, predicts, page.form.peek(QUESTIONS, SIZE, N_QUESTIONS))


def changed_settings(page: Page, data: Chosen, settings: Settings, message: Any) -> Settings:
    """Return the settings after a handle, a click or drawn data, none of which is trusted.

    Parameters
    ----------
    page : Page
        The page that is shown.
    data : Chosen
        Its data.
    settings : Settings
        What it is set to now.
    message : object
        What the stage sends: a dict with the name of a handle, or with the ``base`` that is edited.
    """
    if not isinstance(message, dict):
        return settings
    page = replace(page, form=Form(settings))
    by_tools = (tool.change(page, message) for tool in page.technique.tools)
    changed = next((result for result in by_tools if result is not None), None)
    if changed is None:
        changed = data.kind.change(settings, message)
    if changed is None:
        return settings
    if "base" in message:
        changed = changed.with_revision(
            str(message["base"]), natural_number(message.get("rev")) or 0
        )
    return changed
