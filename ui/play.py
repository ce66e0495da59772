"""The part of a page that plays: the parameters, the run, the stage. It reruns by itself when one of them changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from dmlib.params import Choice, Flag, Integer
from dmlib.pictures.motion import computed, still
from dmlib.pictures.regions import DRAFT, FINE
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import with_names
from dmlib.trace import OutOfTime, Trace
from ui.adopt import ADOPTED, adopt
from ui.compute import LONG, again, answering, go_on_with, trace_of
from ui.controls import control, control_group, peek, section
from ui.data.kind import Chosen
from ui.estimators import new
from ui.first_visit import leave_when_used
from ui.lesson import LESSON
from ui.links import NOTICES, follow_history, keep, kept, remember_link, shown
from ui.live import offer
from ui.load import NOTICE, TURNS
from ui.opening import NOTHING, Opening, opening_of
from ui.panel import Panel, collected
from ui.pseudocode import pseudocode
from ui.results import results
from ui.stage import jump, stage
from ui.technique import Technique
from ui.text import literal
from ui.tools.tool import LAST_FRAME, Page

STEP, POINT = Integer(0, LAST_FRAME), Integer(1, 10_000_000)
WHOLE = "play.whole"
IN_A_LECTURE = 3  # parameters that a projector shows
PRESET = "preset"  # what the stage calls the preset of a link in the lesson
QUIET_TABS = (None, LESSON)
Results = list[dict[str, str]]


@dataclass(frozen=True)
class Made:
    """What is shown: the run (None if it is refused), its scene, why it ended early, and its results."""

    page: Page
    panel: Panel
    run: Run | None
    scene: Scene
    early: str
    headline: Results
    opening: Opening
    rest: str = ""  # the key of a run that can be continued


def play(technique: Technique, chosen: Chosen) -> tuple[Run | None, Scene]:
    """Show the stage with its controls; return the run and its scene.

    To be called as a fragment: a change then sends one element instead of the whole page
    (docs/performance.md). An open tab below hangs on the run as well and asks for the whole page;
    so does a preset, with other data.
    """
    alone = not st.session_state.pop(WHOLE, False)
    if alone:
        follow_history(technique.slug)
    if alone and LONG in st.session_state:
        st.rerun()  # the reader continues a run: the page shows its progress
    adopted = st.session_state.pop(ADOPTED, False)
    if alone and (adopted or st.session_state.get(f"{technique.slug}.tab") not in QUIET_TABS):
        st.rerun()
    # It is there in every run: an element that comes and goes above the stage would have it built
    # anew.
    above = st.container()
    made = _make(technique, chosen)
    if alone and not technique.data.fits(made.page.method, chosen.problem):
        st.rerun()  # another method was chosen since the data were
    step = kept("step", STEP.parse, LAST_FRAME)
    with above:
        _notices(made.early, made.rest)
        leave_when_used()
    _stage(made, chosen, step)
    if made.scene.notes and shown("note"):
        st.caption(literal(" ".join(made.scene.notes)))
    if TURNS.busy:
        st.caption(NOTICE)
    if alone:
        remember_link(technique.slug)
    return made.run, made.scene


def _make(technique: Technique, chosen: Chosen, moving: str | None = None) -> Made:
    """Run the algorithm with the parameters that the controls have; of what moves, one frame is wanted, and soon."""
    opens = opening_of(technique.slug, chosen) if moving is None else NOTHING
    opens.lend(chosen.code)
    page, options, panel = _parameters(technique, chosen)
    panel.actions[PRESET] = lambda slug: adopt(technique, slug)
    run, scene, early, headline = _run(page, options, chosen, panel, moving, opens)
    if peek("projector", Flag(), False):
        panel = panel.first(IN_A_LECTURE)
    if run is None:
        panel.add("", "note", scene.frames[0].caption)
    key, *_ = st.session_state[f"{technique.slug}.run"].split() if run and run.trace.rest else ("",)
    return Made(page, panel, run, scene, early, headline, opens, key)


def _parameters(technique: Technique, chosen: Chosen) -> tuple[Page, dict[str, Any], Panel]:
    """Collect the controls of the algorithm and of the tools; return the page with its parameters, and the options."""
    slug = technique.slug
    names = tuple(technique.methods)
    method = names[0]
    with collected() as head:
        if len(names) > 1:
            method = control(f"{slug}.method", Choice(names), names[0], label="Method")
    specs, defaults = technique.specs(method), technique.defaults(method)
    page = Page(technique, method, chosen.problem, {}, lambda frame: jump(slug, frame))
    decided = frozenset[str]().union(*(tool.decides(page) for tool in technique.tools))
    page.params.update((name, defaults[name]) for name in decided)
    groups = []
    for i, (heading, labels) in enumerate(technique.labels.items()):
        offered = [name for name in labels if name in specs and name not in decided]
        page.params.update((name, page.value(name)) for name in offered)
        here = {name: specs[name] for name in offered if page.applies(name)}
        with collected() as group:
            parts = section(heading, f"{slug}.more.{i}.open", ("more",))[1] if i and here else ()
            here, idle = page.on_data.specs(here)
            idle |= {name: reason for name in here if (reason := page.idle(name))}
            page.params.update(
                control_group(slug, page.algorithm, here, defaults, labels, parts=parts, idle=idle)
            )
        groups.append(group)
    options: dict[str, Any] = {}
    above, below = Panel(), Panel()
    for tool in technique.tools:
        with collected() as shown_by_tool:
            options |= tool.controls(page)
        (above if tool.first else below).extend(shown_by_tool)
    page.params.update((name, options.pop(name)) for name in list(options) if name in defaults)
    for part in (above, groups[0], below, *groups[1:]):
        head.extend(part)
    return page, options, head


def _run(
    page: Page,
    options: Mapping[str, Any],
    chosen: Chosen,
    panel: Panel,
    moving: str | None,
    opens: Opening = NOTHING,
) -> tuple[Run | None, Scene, str, Results]:
    """Run the algorithm; return the run (None if it is refused), the scene, why the run ended early, and its results.

    A refusal is the scene's caption: a message above the stage would push it down while the reader
    draws on it.
    """
    technique, problem, alone = page.technique, chosen.problem, page.technique.data.alone
    if problem is None:
        return None, alone(None, chosen.refusal), "", []
    refusal = next(filter(None, (tool.refusal(page) for tool in technique.tools)), "")
    if refusal := refusal or technique.data.refusal(problem, page.params):
        return None, alone(problem, refusal), "", []
    estimator, arguments = new(page.algorithm, page.params, page.seed), problem.training.arguments
    try:
        key, trace = trace_of(estimator, *arguments, moving=moving)
        # Of a run that is continued, what was drawn before says too little
        key += f" {len(trace.steps)}"
        run = again(
            replace(_asked(page, trace, options, chosen, key, panel), moving=moving is not None),
            key,
        )
        with answering("The picture of this run", technique.data.less):
            scene = opens.picture(chosen.code, key) or technique.scene(run)
            if moving is None:
                opens.keep(chosen.code, key, run, computed(scene), page.on_data)
            return run, scene, trace.reason, results(technique, run)
    except (ValueError, OutOfTime) as error:
        return None, alone(problem, with_names(str(error), problem)), "", []


def _asked(
    page: Page, trace: Trace, options: Mapping[str, Any], chosen: Chosen, key: str, panel: Panel
) -> Run:
    """Return the run with all that the reader asks of it."""
    technique, problem = page.technique, chosen.problem
    row = kept("point", POINT.parse, 0) - 1
    selected: int | None = row if row >= 0 else None
    if technique.selects == "row" and selected is not None:
        selected = next(iter(np.flatnonzero(np.equal(problem.rows, row)).tolist()), None)
    with collected() as restarts:
        restart = _restart(technique, trace)
    panel.extend(restarts)
    st.session_state[f"{technique.slug}.run"] = key
    size = FINE if st.session_state.get(f"{technique.slug}.fine") == key else DRAFT
    query = next(filter(None, (tool.query(page, selected) for tool in technique.tools)), None)
    run = Run(problem, trace, selected, restart, options, query, size)
    return replace(run, table=chosen.table, table_code=chosen.table_code)


def _restart(technique: Technique, trace: Trace) -> int | None:
    """Let the reader choose which of several restarts is shown."""
    restarts = {getattr(step, "restart", 0) for step in trace.steps}
    if len(restarts) < 2:
        return None
    names = {"best": "the best", **{str(i + 1): str(i + 1) for i in sorted(restarts)}}
    shown = control(
        f"{technique.slug}.restart",
        Choice(tuple(names)),
        "best",
        label="Restart shown",
        names=names,
    )
    return None if shown == "best" else int(shown) - 1


def _notices(sentence: str, rest: str) -> None:
    for text in st.session_state.get(NOTICES, []):
        st.warning(literal(text), icon=":material/link_off:")
    if sentence:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.warning(literal(sentence), icon=":material/info:")
        if rest:
            row.button(
                "Continue",
                key="continue",
                on_click=go_on_with,
                args=(rest,),
                icon=":material/resume:",
            )


def _stage(made: Made, chosen: Chosen, step: int) -> None:
    """Mount the stage, and keep what happens on it in the link."""
    page, panel, technique = made.page, made.panel, made.page.technique
    key = f"{technique.slug}.stage"
    heard = _heard(panel, key)
    serial = st.session_state.get(f"{technique.slug}.serial", 0)
    finer = made.run is not None and made.run.can_be_finer
    data = _encoded(made, chosen, heard, draft=finer, frame={"at": step, "serial": serial})
    rows: Sequence[int] = range(POINT.high)
    if technique.selects == "row":
        rows = () if chosen.problem is None else chosen.problem.rows
    last = len(made.scene.frames) - 1
    # What these functions name lives as long as the session, however large it is: not the run, nor
    # its scene.
    stage(
        data,
        key=key,
        token=offer(lambda message: _still(page, panel, chosen, message)),
        on_changed=lambda: panel.take(st.session_state[key].changed),
        on_frame=lambda: _take_frame(key, last),
        on_selected=lambda: _take_selected(key, rows),
        on_edited=lambda: take(page, st.session_state[key].edited),
        on_moved=lambda: take(page, st.session_state[key].moved),
        on_rest=lambda: _take_rest(technique),
    )
    if (
        now := _heard(panel, key)
    ) != heard:  # said to a server that was restarted since: this one had no stage to hear it
        said = st.session_state[key]
        if panel.heard(said.changed) == now:
            panel.take(said.changed)
        else:
            take(page, said.moved)
        st.rerun()


def _encoded(made: Made, chosen: Chosen, heard: int, **more: Any) -> bytes:
    """Return the picture as the stage gets it, with its controls."""
    page, run, scene, technique = made.page, made.run, made.scene, made.page.technique
    offers: dict[str, Any] = {"edit": None, **technique.data.offers(chosen)}
    for tool in technique.tools:
        offers |= tool.offers(page)
    phases = (frame.phase for frame in scene.frames)
    beside = {
        "name": technique.slug,
        "title": technique.entry.title,
        "selectable": run is not None,
        "selected": run.selected if run else None,
        "results": made.headline,
        "controls": made.panel.controls,
        "heard": heard,
        "projector": peek("projector", Flag(), False),
        "pseudocode": pseudocode(technique.slug, page.algorithm.__name__, phases) if run else None,
    }
    return made.opening.packed(scene, beside | more | offers)


def _still(page: Page, panel: Panel, chosen: Chosen, message: Mapping[str, Any]) -> bytes | None:
    """Return the frame in which the player stands, after what the stage says of a control or a handle.

    A run that is not done in a moment is left to Streamlit, which shows its progress.
    """
    changed = message.get("changed")
    panel.take(changed)
    take(page, message.get("moved"))
    name = str(changed.get("name")) if isinstance(changed, dict) else ""
    made = _make(page.technique, chosen, moving=name.removeprefix(f"{page.technique.slug}."))
    if LONG in st.session_state or not made.page.technique.data.fits(
        made.page.method, chosen.problem
    ):
        return None
    frames = len(made.scene.frames)
    at, number = _whole(message.get("at")), _whole(message.get("number"))
    frame = frames - 1 if at is None else min(at, frames - 1)
    one = replace(made, scene=still(made.scene, frame))
    return _encoded(
        one,
        chosen,
        number or 0,
        draft=_lowered(made) or True,
        still={"frame": frame, "frames": frames},
    )


def _lowered(made: Made) -> str:
    """Say in which parameters a run is a draft; empty where it is none."""
    page, run = made.page, made.run
    labels = {
        name: label for group in page.technique.labels.values() for name, label in group.items()
    }
    drawn = run.model.get_params() if run else {}
    parts = [
        f"{label} {drawn[name]} of {page.params[name]}"
        for name, label in labels.items()
        if name in drawn and name in page.params and drawn[name] != page.params[name]
    ]
    return f"Draft: {', '.join(parts)}" if parts else ""


def _heard(panel: Panel, key: str) -> int:
    said = st.session_state.get(key)
    return max(panel.heard(getattr(said, name, None)) for name in ("changed", "moved"))


def take(page: Page, message: Any) -> None:
    """Hand what the stage says to the tool or the data that it is meant for; what the browser sends is not trusted."""
    if not isinstance(message, dict):
        return
    takers = (
        *(lambda m, tool=tool: tool.takes(page, m) for tool in page.technique.tools),
        page.technique.data.takes,
    )
    taken = any(takes(message) for takes in takers)
    if taken and "base" in message:
        st.session_state[f"{message['base']}.rev"] = _whole(message.get("rev")) or 0


def _take_frame(key: str, last: int) -> None:
    """Keep where the player stands; at the end the link says nothing, since that is where pages open."""
    frame = _value(st.session_state[key].frame)
    if frame is not None:
        keep("step", str(frame) if frame < last else None)


def _take_selected(key: str, rows: Any) -> None:
    index = _value(st.session_state[key].selected)
    point = int(rows[index]) + 1 if index is not None and index < len(rows) else 0
    st.session_state["point"] = point
    keep("point", str(point) if point else None)


def _take_rest(technique: Technique) -> None:
    """Draw the image of this run finer: nothing has moved for a moment. While others wait, it is asked for again."""
    if not TURNS.busy:
        st.session_state[f"{technique.slug}.fine"] = st.session_state.get(f"{technique.slug}.run")


def _value(message: Any) -> int | None:
    """Return the number in what the stage says; what the browser sends is not trusted."""
    return _whole(message.get("value")) if isinstance(message, dict) else None


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
