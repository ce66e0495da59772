"""The part of a page that plays: the parameters, the run, the stage. It reruns by itself when one of them changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dmlib.params import Choice, Flag, Integer
from dmlib.problem import Problem
from dmlib.scene import Raster, Scene, encode
from dmlib.scenes.data import data_scene, empty_scene
from dmlib.scenes.regions import DRAFT, FINE
from dmlib.trace import Trace
from ui.below import LESSON
from ui.building import building
from ui.compute import again, digest, trace_of
from ui.controls import control, control_group, peek, section
from ui.data_panel import SEED, Chosen
from ui.drawing import drawing_spec, placed_centers, placing_spec, take_drawing
from ui.handles import asked_about, take_handle
from ui.links import NOTICES, keep, kept, remember_link, shown
from ui.models import evaluated
from ui.stage import stage
from ui.technique import Run, Technique, new
from ui.text import literal

LAST = 100_000  # a frame beyond all others
STEP, POINT = Integer(0, LAST), Integer(1, 10_000_000)
WHOLE = "play.whole"
QUIET_TABS = (None, LESSON)


def play(technique: Technique, chosen: Chosen, picture: Any, side: Any) -> tuple[Run | None, Scene]:
    """Show the parameters in ``side`` and the stage in ``picture``; return the run and its scene.

    To be called as a fragment: a slider sends a quarter of the page's elements instead of all (docs/performance.md).
    An open tab below hangs on the run as well and asks for the whole page.
    """
    alone = not st.session_state.pop(WHOLE, False)
    if alone and st.session_state.get(f"{technique.slug}.tab") not in QUIET_TABS:
        st.rerun()
    with side:
        method, params, options, refusal = _parameters(technique, chosen)
        restarts = st.container()
    with picture:
        # It is there in every run: an element that comes and goes above the stage would have it built anew.
        above = st.container()
        run, scene, early = _run(technique, method, params, options, chosen, chosen.refusal or refusal, restarts)
        step = kept("step", STEP.parse, 0)
        with above:
            _notices(early)
        _stage(technique, scene, run, chosen, params, step)
        if scene.notes and shown("note"):
            st.caption(literal(" ".join(scene.notes)))
    if run is None:
        side.warning(literal(scene.frames[0].caption))
    remember_link(technique.slug)
    return run, scene


def jump(technique: Technique, frame: int) -> None:
    """Let the stage go to a frame at the next run."""
    st.session_state["step"] = frame
    serial = f"{technique.slug}.serial"
    st.session_state[serial] = st.session_state.get(serial, 0) + 1


def _parameters(technique: Technique, chosen: Chosen) -> tuple[str, dict[str, Any], dict[str, Any], str]:
    """Show the controls of the algorithm and the picture; return the method, the values of both, and a refusal."""
    slug = technique.slug
    names = tuple(technique.algorithms)
    method = names[0]
    if len(names) > 1:
        method = control(f"{slug}.method", Choice(names), names[0], label="Method")
    algorithm, specs, defaults = technique.algorithms[method], technique.specs(method), technique.defaults(method)
    params: dict[str, Any] = {}
    placing = technique.placing
    placed = placing is not None and _peek(technique, method, placing.parameter) == placing.option
    given = {placing.count} if placing and placed else set()
    column = technique.column
    if column and column.model and _peek(technique, method, column.model) == column.option:
        params |= {name: defaults[name] for name in column.idle}
        given |= set(column.idle)
    top = st.container()
    for i, (heading, labels) in enumerate(technique.groups.items()):
        here = {name: specs[name] for name in labels if name in specs and name not in given}
        if i == 0 or not here:
            params |= control_group(slug, algorithm, here, defaults, labels)
        else:
            box, parts = section(heading, f"{slug}.more.{i}.open", ("more",))
            with box:
                params |= control_group(slug, algorithm, here, defaults, labels, parts=parts)
        if i == 0:
            params |= evaluated(technique, params, chosen.problem, peek("seed", SEED, 0))
            # What a reader builds comes first: its buttons are used again and again.
            with top if technique.splits else st.container():
                options = _options(technique, method)
                built = st.container()
    if technique.splits and chosen.problem is not None:
        with built:
            splits, options["draft"] = _splits(technique, algorithm, params, options["build"], chosen.problem)
        params[technique.splits] = splits
    if not (placing and placed and chosen.problem is not None):
        return method, params, options, ""
    centers = placed_centers(chosen.problem)
    params[placing.parameter], params[placing.count] = centers, len(centers)
    return method, params, options, "" if len(centers) else placing.hint


def _splits(
    technique: Technique, algorithm: Any, params: Mapping[str, Any], on: bool, problem: Problem
) -> tuple[str | None, str | None]:
    """Let the reader choose the splits of a tree; return them, and the node whose split is being tried."""
    before = f"{technique.slug}.building"
    began = on and not st.session_state.get(before)
    st.session_state[before] = on
    if began and "step" not in st.query_params:  # a link says itself where it opens
        jump(technique, LAST)
    if not on:
        return None, None
    return building(technique, algorithm, params, peek("seed", SEED, 0), problem, lambda: jump(technique, LAST))


def _options(technique: Technique, method: str) -> dict[str, Any]:
    """Show the controls of the picture and return their values."""
    return {
        name: control(
            f"{technique.slug}.{name}",
            option.spec,
            option.default,
            label=option.label,
            help_text=option.help,
            names=option.names,
            parts=("options",),
        )
        for name, option in technique.options_of(method).items()
    }


def _peek(technique: Technique, method: str, name: str) -> Any:
    return peek(f"{technique.slug}.{name}", technique.specs(method)[name], technique.defaults(method)[name])


def _run(
    technique: Technique,
    method: str,
    params: dict[str, Any],
    options: dict[str, Any],
    chosen: Chosen,
    refusal: str,
    restarts: Any,
) -> tuple[Run | None, Scene, str]:
    """Run the algorithm; return the run (None if it is refused), the scene, and why the run ended early, if it did.

    A refusal is the scene's caption: a message above the stage would push it down while the reader draws on it.
    """
    problem = chosen.problem
    if problem is None:
        return None, empty_scene(refusal), ""
    learned = problem.training
    if not refusal and technique.limits:
        refusal = technique.limits(len(learned.X), len(problem.features), params)
    if refusal:
        return None, data_scene(problem, refusal), ""
    seed = peek("seed", SEED, 0)
    algorithm = technique.algorithms[method]
    estimator, y = new(algorithm, params, seed), learned.y if technique.labelled else None
    try:
        trace = trace_of(estimator, learned.data, y)
    except ValueError as error:
        return None, data_scene(problem, str(error)), ""
    row = kept("point", POINT.parse, 0) - 1
    selected = {int(row): i for i, row in enumerate(problem.rows)}.get(row)
    with restarts:
        restart = _restart(technique, trace)
    key = digest(estimator, learned.data, y)
    st.session_state[f"{technique.slug}.run"] = key
    size = FINE if st.session_state.get(f"{technique.slug}.fine") == key else DRAFT
    query = asked_about(technique, problem, selected)
    run = Run(problem, algorithm, params, seed, trace, selected, restart, options, query, size)
    run = again(replace(run, table=chosen.table, table_code=chosen.table_code), key)
    try:
        return run, technique.scene(run), trace.reason
    except ValueError as error:
        return None, data_scene(problem, str(error)), ""


def _restart(technique: Technique, trace: Trace) -> int | None:
    """Let the reader choose which of several restarts is shown."""
    restarts = {getattr(step, "restart", 0) for step in trace.steps}
    if len(restarts) < 2:
        return None
    names = {"best": "the best", **{str(i + 1): str(i + 1) for i in sorted(restarts)}}
    shown = control(f"{technique.slug}.restart", Choice(tuple(names)), "best", label="Restart shown", names=names)
    return None if shown == "best" else int(shown) - 1


def _notices(sentence: str) -> None:
    for text in st.session_state.get(NOTICES, []):
        st.warning(literal(text), icon=":material/link_off:")
    if sentence:
        st.warning(literal(sentence), icon=":material/info:")


def _stage(
    technique: Technique,
    scene: Scene,
    run: Run | None,
    chosen: Chosen,
    params: Mapping[str, Any],
    step: int,
) -> None:
    """Mount the stage, and keep what happens on it in the link."""
    key = f"{technique.slug}.stage"
    placing = technique.placing
    edit = None
    placing_on = (
        placing is not None and chosen.problem is not None and not isinstance(params.get(placing.parameter), str)
    )
    if placing is not None and chosen.problem is not None and placing_on:
        most = technique.algorithms[next(iter(technique.algorithms))].PARAMS[placing.count].high
        edit = placing_spec(chosen.problem, placing.label, min(most, len(chosen.problem.X)))
    elif chosen.source == "draw" and technique.plane:
        edit = drawing_spec()
    data = encode(
        scene,
        name=technique.slug,
        title=technique.entry.title,
        selectable=run is not None,
        selected=run.selected if run else None,
        edit=edit,
        projector=peek("projector", Flag(), False),
        draft=run is not None and run.can_be_finer and any(isinstance(mark, Raster) for mark in scene.marks),
        frame={"at": step, "serial": st.session_state.get(f"{technique.slug}.serial", 0)},
    )
    rows = chosen.problem.rows if chosen.problem is not None else ()
    stage(
        data,
        key=key,
        on_frame=lambda: _take_frame(key),
        on_selected=lambda: _take_selected(key, rows),
        on_edited=lambda: take_drawing(key),
        on_moved=lambda: take_handle(technique, key),
        on_rest=lambda: _take_rest(technique),
    )


def _take_frame(key: str) -> None:
    frame = _value(st.session_state[key].frame)
    if frame is not None:
        keep("step", str(frame) if frame else None)


def _take_selected(key: str, rows: Any) -> None:
    index = _value(st.session_state[key].selected)
    point = int(rows[index]) + 1 if index is not None and index < len(rows) else 0
    st.session_state["point"] = point
    keep("point", str(point) if point else None)


def _take_rest(technique: Technique) -> None:
    """Draw the image of this run finer: nothing has moved for a moment."""
    st.session_state[f"{technique.slug}.fine"] = st.session_state.get(f"{technique.slug}.run")


def _value(message: Any) -> int | None:
    """Return the number in what the stage says; what the browser sends is not trusted."""
    value = message.get("value") if isinstance(message, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
