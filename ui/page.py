"""The one page body: title and bar, stage, controls, and what is below them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dmlib.params import Choice, Flag, Integer
from dmlib.scene import Scene, encode
from dmlib.scenes.data import data_scene, empty_scene
from dmlib.trace import Trace
from ui.bar import bar
from ui.below import below
from ui.compute import trace_of
from ui.controls import control, control_group, peek
from ui.data_panel import SEED, Chosen, data_panel
from ui.drawing import PLACES, drawing_spec, placed_centers, placing_spec, take_drawing
from ui.links import NOTICES, follow_history, keep, kept, remember_link, shown
from ui.navigation import use_page_list
from ui.stage import stage
from ui.technique import Run, Technique
from ui.text import literal

STEP, POINT = Integer(0, 100_000), Integer(1, 10_000_000)


def show(technique: Technique) -> None:
    """Show the page of a technique."""
    use_page_list()
    follow_history(technique.slug)
    projector = peek("projector", Flag(), False)
    if projector:
        # Streamlit sizes everything in rem: one rule on the root enlarges the whole page.
        st.html("<style>html { font-size: 125%; }</style>")
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    head.title(technique.entry.title, anchor=False, width="content")
    picture, side = st.columns([3.4, 1], gap="medium")
    with side:
        _presets(technique)
        chosen = data_panel(technique.start, technique.max_rows)
        method, params, refusal = _parameters(technique, chosen)
        restarts = st.container()
    with picture:
        run, scene, sentence = _run(technique, method, params, chosen, chosen.refusal or refusal, restarts)
        step = kept("step", STEP.parse, 0)
        _notices(sentence)
        _stage(technique, scene, run, chosen, params, projector, step)
        _caption(scene)
    with head:
        bar(technique, run, scene, chosen)
    if shown("below"):
        below(technique, run)
    st.session_state[NOTICES] = []
    remember_link(technique.slug)


def _presets(technique: Technique) -> None:
    """Offer the presets, and say what to look for in the one that is on."""
    if not technique.presets or not shown("presets"):
        return
    st.menu_button(
        "Try this",
        [preset.title for preset in technique.presets],
        key=f"{technique.slug}.presets",
        icon=":material/lightbulb:",
        width="stretch",
        on_click=_adopt_preset,
        args=(technique,),
    )
    title = st.session_state.get(f"{technique.slug}.looking")
    for preset in technique.presets:
        if preset.title == title:
            st.info(preset.look_for, title=preset.title)


def _adopt_preset(technique: Technique) -> None:
    """Do what opening the preset's link would do: all that it does not name gets its default. A callback."""
    title = st.session_state[f"{technique.slug}.presets"]
    preset = next(preset for preset in technique.presets if preset.title == title)
    for key in [str(key) for key in st.session_state]:
        if key not in LASTING and not key.endswith(LASTING_ENDS):
            del st.session_state[key]
    link = {name: st.query_params.get_all(name) for name in st.query_params if name in LASTING}
    for name, value in preset.settings.items():
        key = name if "." in name or name in SHARED else f"{technique.slug}.{name}"
        link[key] = [str(part) for part in value] if isinstance(value, list) else [str(value)]
    st.query_params.from_dict(link)
    st.session_state[f"{technique.slug}.looking"] = title
    _jump(technique, 0)


SHARED = {"source", "data", "generator", "scaling", "seed", PLACES}
"""Names that a link has on every page."""
LASTING = {"hide", "projector", "upload", "upload.digest", "traces"}
LASTING_ENDS = (".stage", ".tab", ".serial", ".rev", ".presets")
"""What a preset leaves alone."""


def _jump(technique: Technique, frame: int) -> None:
    """Let the stage go to a frame at the next run."""
    st.session_state["step"] = frame
    serial = f"{technique.slug}.serial"
    st.session_state[serial] = st.session_state.get(serial, 0) + 1


def _parameters(technique: Technique, chosen: Chosen) -> tuple[str, dict[str, Any], str]:
    """Show the controls of the algorithm and the seed; return the method, its parameters and a refusal."""
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
    for i, (heading, labels) in enumerate(technique.groups.items()):
        here = {name: specs[name] for name in labels if name in specs and name not in given}
        parts = () if i == 0 else ("more",)
        folded = i > 0 and here and shown("more")
        with st.expander(heading) if folded else st.container():
            values = control_group(slug, algorithm, here, defaults, labels, parts=parts)
        params |= values
    control("seed", SEED, 0, label="Seed", help_text="The same seed gives the same random numbers.")
    if not (placing and placed and chosen.problem is not None):
        return method, params, ""
    centers = placed_centers(chosen.problem)
    params[placing.parameter], params[placing.count] = centers, len(centers)
    return method, params, "" if len(centers) else placing.hint


def _peek(technique: Technique, method: str, name: str) -> Any:
    return peek(f"{technique.slug}.{name}", technique.specs(method)[name], technique.defaults(method)[name])


def _run(
    technique: Technique, method: str, params: dict[str, Any], chosen: Chosen, refusal: str, restarts: Any
) -> tuple[Run | None, Scene, str]:
    """Run the algorithm; return the run (None if it is refused), the scene, and why the run ended early, if it did.

    A refusal is the scene's caption: a message above the stage would push it down while the reader draws on it.
    """
    problem = chosen.problem
    if problem is None:
        return None, empty_scene(refusal), ""
    if not refusal and technique.limits:
        refusal = technique.limits(len(problem.X), len(problem.features), params)
    if refusal:
        return None, data_scene(problem, refusal), ""
    seed = peek("seed", SEED, 0)
    algorithm = technique.algorithms[method]
    try:
        trace = trace_of(algorithm(**params, random_state=seed), problem.X)
    except ValueError as error:
        return None, data_scene(problem, str(error)), ""
    selected = kept("point", POINT.parse, 0) - 1
    rows = {int(row): i for i, row in enumerate(problem.rows)}
    with restarts:
        restart = _restart(technique, trace)
    run = Run(problem, algorithm, params, seed, trace, rows.get(selected), restart)
    return run, technique.scene(run), trace.reason


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
    projector: bool,
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
    elif chosen.source == "draw":
        edit = drawing_spec()
    data = encode(
        scene,
        name=technique.slug,
        title=technique.entry.title,
        selectable=run is not None,
        selected=run.selected if run else None,
        edit=edit,
        projector=projector,
        frame={"at": step, "serial": st.session_state.get(f"{technique.slug}.serial", 0)},
    )
    rows = chosen.problem.rows if chosen.problem is not None else ()
    stage(
        data,
        key=key,
        on_frame=lambda: _take_frame(key),
        on_selected=lambda: _take_selected(key, rows),
        on_edited=lambda: take_drawing(key),
    )


def _take_frame(key: str) -> None:
    frame = st.session_state[key].frame
    if isinstance(frame, int) and frame >= 0:
        keep("step", str(frame) if frame else None)


def _take_selected(key: str, rows: Any) -> None:
    index = st.session_state[key].selected
    point = int(rows[index]) + 1 if isinstance(index, int) and 0 <= index < len(rows) else 0
    st.session_state["point"] = point
    keep("point", str(point) if point else None)


def _caption(scene: Scene) -> None:
    if scene.notes and shown("note"):
        st.caption(literal(" ".join(scene.notes)))
