"""A scene from what one step looks like: `draw` gets a moment of a run and returns a drawing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import accumulate, chain
from typing import Any

from dmlib.pictures.data import first_scene
from dmlib.pictures.deferred import Deferred, Film
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import Mark, PerFrame
from dmlib.pictures.motion import MAX_FRAMES, thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame, Handle, Key, Panel, Scene


@dataclass(frozen=True)
class Moment:
    """A step of a run with what came before it.

    Attributes
    ----------
    index : int
        The number of the step in the run, from 0.
    step : object
        The record that the algorithm yielded.
    before : object
        The record before it; of the first step, that step itself.
    so_far : object
        What has accumulated over all steps up to this one, those included that are not shown.
    is_last : bool
        Whether the run ends here.
    """

    index: int
    step: Any
    before: Any
    so_far: Any = None
    is_last: bool = False


@dataclass(frozen=True)
class Drawing:
    """One moment as a picture.

    Attributes
    ----------
    marks : sequence of Mark
        Each with constant channels; a mark is the same from moment to moment by its place here, so
        that all drawings of a story have as many, of the same types. A mark without points is not
        seen.
    caption : str
        One sentence that says what happened.
    ledger : sequence of LedgerTable or Formula
        The arithmetic of the step.
    phase : str
        The textbook's verb.
    """

    marks: Sequence[Mark]
    caption: str
    ledger: Sequence[LedgerTable | Formula] = ()
    phase: str = ""


@dataclass(frozen=True)
class Plot:
    """A panel, and what is drawn in it at a moment.

    Attributes
    ----------
    panel : Panel
        The panel.
    marks : callable
        Takes a moment and returns the marks, under the rules of a drawing.
    handles : sequence of Handle
        The controls in it.
    """

    panel: Panel
    marks: Callable[[Moment], Sequence[Mark]]
    handles: Sequence[Handle] = ()


@dataclass(frozen=True)
class Fold:
    """A value that accumulates over the steps of a run.

    Attributes
    ----------
    start : object
        Its value before the first step.
    add : callable
        Takes the value so far and a step, and returns the next value; it changes neither.

    Examples
    --------
    >>> Fold(0, lambda total, step: total + step).over([3, 4, 5])
    [3, 7, 12]
    >>> Fold(None, lambda last, step: step if step > 3 else last).over([3, 4, 1])
    [None, 4, 4]
    """

    start: Any
    add: Callable[[Any, Any], Any]

    @classmethod
    def count_of(cls, *phases: str) -> Fold:
        """Return the number of steps with one of these phases, as it accumulates.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> steps = [SimpleNamespace(phase=phase) for phase in ("epoch", "update", "epoch")]
        >>> Fold.count_of("epoch").over(steps)
        [1, 1, 2]
        """
        return cls(0, lambda n, step: n + (step.phase in phases))

    def over(self, steps: Sequence[Any]) -> list[Any]:
        """Return its value after each step."""
        return list(accumulate(chain([self.start], steps), self.add))[1:]


def story(
    run: Run[Any, Any],
    draw: Callable[[Moment], Drawing],
    *,
    panels: Sequence[Panel],
    legend: Sequence[Key] = (),
    handles: Sequence[Handle] = (),
    notes: Sequence[str] = (),
    steps: Sequence[Any] | None = None,
    numbers: Sequence[int] | None = None,
    also: Sequence[int] = (),
    fold: Fold | None = None,
    max_frames: int = MAX_FRAMES,
) -> Scene:
    """Return the scene of a run, each frame drawn when it is asked for.

    Parameters
    ----------
    run : Run
        The run. One without steps shows its data, and why there are none.
    draw : callable
        Takes a moment and returns its drawing. It depends on nothing else that changes.
    panels, legend, handles, notes
        Those of :class:`dmlib.pictures.scene.Scene`; the notes of the problem come first.
    steps : sequence, optional
        What is shown, if not all steps of the run: some of them, or objects with a ``step``.
    numbers : sequence of int, optional
        The numbers of the steps that have a frame, where the scene chooses them and says so in a
        note.
    also : sequence of int
        The numbers of steps that have a frame however long the run is.
    fold : Fold, optional
        What accumulates over the steps: the ``so_far`` of the moments.
    max_frames : int
        The most frames; of a longer run every few steps are shown, and the last, and a note says
        so.

    Returns
    -------
    Scene
        One frame a step. While a control moves, `dmlib.pictures.motion.still` draws the frame that
        is wanted only.

    Raises
    ------
    ValueError
        If two drawings have marks of different numbers, types or constant attributes; when the
        scene is packed.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMeans
    >>> from dmlib.pictures.plane import data_panel, data_points
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0], "b": [0.0, 0.0, 0.0]}), ["a", "b"])
    >>> run = Run.of(problem, KMeans(2, init=problem.X[:2]))
    >>> rows = data_points(problem)
    >>> def draw(moment):
    ...     return Drawing([rows], f"Step {moment.index}.")
    >>> scene = story(run, draw, panels=[data_panel(problem)])
    >>> [frame.caption for frame in scene.frames][-2:]
    ['Step 6.', 'Step 7.']
    """
    steps = run.trace.steps if steps is None else steps
    if not steps:
        return data_alone(run)
    numbers, note = _numbers(len(steps), numbers, also, max_frames)
    moments = _moments(steps, numbers, fold)
    drawings = Deferred(draw, moments)
    frames = Deferred(_frame, drawings, moments)
    marks = Film[Mark](lambda: _moving_marks(list(drawings)), lambda frame: drawings[frame].marks)
    notes = (*run.problem.notes, *notes, *note)
    records = [_record(moment) for moment in moments]
    return Scene(panels, marks, frames, notes, handles, legend, records)


def _record(moment: Moment) -> object:
    """Return the record that the algorithm yielded."""
    return getattr(moment.step, "step", moment.step)


def _frame(drawing: Drawing, moment: Moment) -> Frame:
    return Frame(drawing.caption, drawing.ledger, drawing.phase, _record(moment), moment.is_last)


def draw_plots(
    plots: Sequence[Plot], words: Callable[[Moment], tuple[str, Sequence[LedgerTable | Formula]]]
) -> Callable[[Moment], Drawing]:
    """Return what draws a moment: the marks of all plots, and the words of a narrator.

    Parameters
    ----------
    plots : sequence of Plot
        The panels of the story, with what is drawn in each.
    words : callable
        Takes a moment and returns its caption and its ledger.
    """

    def draw(moment: Moment) -> Drawing:
        marks = [mark for plot in plots for mark in plot.marks(moment)]
        return Drawing(marks, *words(moment), moment.step.phase)

    return draw


def frames_by_phase(
    steps: Sequence[Any], max_frames: Mapping[tuple[str, ...], int]
) -> tuple[list[int], tuple[str, ...]]:
    """Return the steps that have a frame where phases are thinned apart, and a note on them.

    Parameters
    ----------
    steps : sequence
        The steps of a run, with a ``phase``.
    max_frames : mapping from tuple of str to int
        The most frames of the steps of these phases together; steps of other phases all have one.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> steps = [SimpleNamespace(phase=phase) for phase in ["fill"] * 7 + ["trace"] * 2 + ["done"]]
    >>> frames_by_phase(steps, {("fill",): 3})
    ([0, 3, 6, 7, 8, 9], ('Long run: every 3rd step is shown.',))
    """
    limited = {phase for phases in max_frames for phase in phases}
    numbers = [i for i, step in enumerate(steps) if step.phase not in limited]
    notes: list[str] = []
    for phases, maximum in max_frames.items():
        part = [i for i, step in enumerate(steps) if step.phase in phases]
        thinned = thin(len(part), maximum)
        numbers += [part[i] for i in thinned]
        notes += thinned_note(thinned)
    return sorted(numbers), tuple(notes[:1])


def data_alone(run: Run[Any, Any], reason: str = "") -> Scene:
    """Return the data of a run without steps, with its reason, or else the one handed in."""
    scene = first_scene(run.problem)
    caption = run.trace.reason or reason or scene.frames[0].caption
    return replace(scene, frames=(Frame(caption),))


def needs_steps(scene: Callable[[Run[Any, Any]], Scene]) -> Callable[[Run[Any, Any]], Scene]:
    """Decorate a scene whose panels are made from the steps: a run without any shows its data.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMeans
    >>> from dmlib.problem import prepare
    >>> from dmlib.trace import Trace
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0]}), ["a"])
    >>> run = Run(problem, Trace(KMeans(3), (), False, "There are fewer rows than clusters.", 0.0))
    >>> needs_steps(lambda run: story(run, run.trace.steps[0], panels=()))(run).frames[0].caption
    'There are fewer rows than clusters.'
    """

    @wraps(scene)
    def of_run(run: Run[Any, Any]) -> Scene:
        return scene(run) if run.trace.steps else data_alone(run)

    return of_run


def _numbers(
    n_steps: int, chosen: Sequence[int] | None, also: Sequence[int], max_frames: int
) -> tuple[list[int], Sequence[str]]:
    """Return the numbers of the steps that have a frame, and the note that says which."""
    if chosen is not None:
        return [int(number) for number in chosen], ()
    thinned = thin(n_steps, max_frames)
    return sorted({*thinned.tolist(), *also}), thinned_note(thinned)


def _moments(steps: Sequence[Any], numbers: Sequence[int], fold: Fold | None) -> list[Moment]:
    values = fold.over(steps) if fold is not None else [None] * len(steps)
    last = len(steps) - 1
    return [
        Moment(i, steps[i], steps[max(i - 1, 0)], values[i], is_last=i == last) for i in numbers
    ]


def _moving_marks(drawings: Sequence[Drawing]) -> list[Mark]:
    """Return the marks of the last drawing, with their channels of all frames."""
    n_marks = len(drawings[-1].marks)
    return [_moving([drawing.marks[place] for drawing in drawings]) for place in range(n_marks)]


def _moving(marks: Sequence[Mark]) -> Mark:
    """Return the mark that changes from frame to frame; the same object in all is constant."""
    last = marks[-1]
    if all(mark is last for mark in marks):
        return last
    kind = type(last).__name__
    if any(type(mark) is not type(last) for mark in marks):
        raise ValueError(f"A mark is a {kind} in some drawings only. Draw it in all of them.")
    channels: dict[str, Any] = {}
    for name in last.CHANNELS:
        rows = [getattr(mark, name) for mark in marks]
        n_without = sum(row is None for row in rows)
        if 0 < n_without < len(rows):
            raise ValueError(f"A {kind} has {name} in some drawings only. Give it to all, or none.")
        if not n_without:
            channels[name] = PerFrame(rows)
    return replace(last, **channels)
