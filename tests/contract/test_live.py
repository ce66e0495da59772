"""The picture of a moving control is that of its value; nothing of the session changes."""

import asyncio
import json
import threading
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from sklearn.base import clone
from starlette.requests import Request
from streamlit.runtime.state.session_state import WStates

from dashboard import runs
from dashboard.catalogue import CATALOGUE
from dmlib.pictures.encode import decode
from dmlib.pictures.run import Run
from tests.loops import in_a_loop
from tests.visit import panel, session_of, stage, technique, turn, visit
from ui.live import MAX_QUESTION, respond
from ui.load import TURNS

SLUGS = tuple(CATALOGUE)


def send(body):
    async def receive():
        return {"type": "http.request", "body": body}

    request = Request({"type": "http", "method": "POST", "headers": []}, receive)
    return in_a_loop(respond(request))


def post(page, **message):
    """Ask as the stage of a page does, and return what comes back."""
    return send(
        json.dumps({"token": session_of(page).live.token, "number": 7, **message}).encode()
    ).body


def another(page):
    """Return a control that moves, and another value than it has; none that asks for other data."""
    for name, control in panel(page).items():
        slug, _, last = name.rpartition(".")
        page_technique = technique(slug)
        has_targets = bool(getattr(page_technique.data, "targets", {}))
        if last == "method" and (has_targets or page_technique.data_by_method):
            continue
        if control["kind"] in ("slider", "choice") and not control.get("idle"):
            values = [value for value, _ in control["options"]]
            place = values.index(control["value"])
            return name, values[place + 1 if place + 1 < len(values) else place - 1]
    pytest.skip("No control of this page moves.")


def shown_texts(scene, frame):
    """Return what a scene says of a frame; its marks are compared in tests/pictures."""
    words = [scene["frames"][frame], scene["results"][frame] if scene["results"] else []]
    names = ("panels", "handles", "legend", "notes", "selectable")
    side_panels = {name: scene[name] for name in names}
    return json.loads(json.dumps([words, side_panels, [mark["kind"] for mark in scene["marks"]]]))


def session(page):
    """Return what must not change: the settings, what was computed, and what the stage has said."""
    visitor = session_of(page)
    memory = visitor.memory
    widgets = {name: repr(value) for name, value in page.session_state.items() if name != "session"}
    return widgets, visitor.settings, [*memory.traces], [*memory.ranges], memory.last


def check_draft(slug, name, answer, page):
    """A draft says in what it is less, and is the last frame of the run with those parameters."""
    _, answered = session_of(page).memory.last
    drafted = answered.model.draft(*answered.problem.training.arguments)
    lowered = {each: value for each, value in drafted.items() if name != f"{slug}.{each}"}
    assert any(f" {value} of " in answer["draft"] for value in lowered.values())
    assert answer["draft"].startswith("Draft: ")
    run = Run.of(
        answered.problem,
        clone(answered.model).set_params(**lowered),
        options=answered.options,
        query=answered.query,
    )
    scene = technique(slug).scene(replace(run, moving=True))
    assert answer["frames"][0]["caption"] == scene.frames[-1].caption
    assert answer["still"]["frames"] == len(scene.frames)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_answer_to_a_moving_control_is_the_last_frame_of_what_follows_at_rest(slug):
    page = visit(slug)
    name, value = another(page)
    before = session(page)
    answer = decode(post(page, changed={"name": name, "value": value}))
    assert session(page) == before
    rests = turn(page, name, value)
    scene = stage(rests)
    assert answer["heard"] == 7
    if isinstance(answer["draft"], str):
        check_draft(slug, name, answer, rests)
        return
    assert answer["still"] == {"frame": len(scene["frames"]) - 1, "frames": len(scene["frames"])}
    assert shown_texts(answer, 0) == shown_texts(scene, -1)
    assert [control["value"] for control in answer["controls"] if "value" in control] == [
        control["value"] for control in scene["controls"] if "value" in control
    ]


def test_a_question_writes_nothing_into_the_session_that_it_came_from():
    """The stage's next message may have come meanwhile: it was put back to the one before."""
    page = visit("svm")
    name, value = another(page)
    page = turn(page, name, value)
    with mock.patch.object(WStates, "set_from_value", autospec=True) as setter:
        assert post(page, changed={"name": name, "value": panel(page)[name]["options"][0][0]})
    assert not any(
        about.endswith("svm.stage") for _, about, _ in (call.args for call in setter.call_args_list)
    )


def test_what_moves_is_not_lowered_in_a_draft():
    page = visit("mlp")
    name, epochs = "mlp.max_iter", "120"
    answer = decode(post(page, changed={"name": name, "value": epochs}))
    assert answer["draft"] is True  # and not a sentence
    assert shown_texts(answer, 0) == shown_texts(stage(turn(page, name, epochs)), -1)


@pytest.mark.parametrize(
    ("slug", "length"),
    [("rnn", "max_iter"), ("vanishing_gradients", "max_iter"), ("boltzmann", "n_iter")],
)
def test_runs_whose_length_moves_are_cut_from_one(slug, length, monkeypatch):
    page, begun = visit(slug), []
    begin = runs.begin
    monkeypatch.setattr(runs, "begin", lambda *parts: begun.append(parts) or begin(*parts))
    answers = {
        value: decode(post(page, changed={"name": f"{slug}.{length}", "value": value}))
        for value in ("9", "14", "11")
    }
    assert len(begun) == 1
    for value, answer in answers.items():
        assert answer["draft"] is True
        assert shown_texts(answer, 0) == shown_texts(
            stage(visit(slug, **{f"{slug}.{length}": value})), -1
        )


def test_it_is_the_frame_in_which_the_player_stands():
    page = visit("kmeans")
    answer = decode(post(page, at=3, changed={"name": "kmeans.n_clusters", "value": "5"}))
    scene = stage(turn(page, "kmeans.n_clusters", "5"))
    assert shown_texts(answer, 0) == shown_texts(scene, 3)
    assert answer["still"]["frame"] == 3


def test_what_is_asked_ahead_is_the_same_picture():
    page = visit("kmeans")
    change = {"name": "kmeans.n_clusters", "value": "5"}
    assert shown_texts(decode(post(page, ahead=True, changed=change)), 0) == shown_texts(
        decode(post(page, changed=change)), 0
    )


def test_nothing_is_answered_ahead_while_somebody_is_at_work():
    page = visit("kmeans")
    change = {"name": "kmeans.n_clusters", "value": "5"}
    TURNS.take()
    try:
        assert post(page, ahead=True, changed=change) == b""
    finally:
        TURNS.leave()
    assert post(page, ahead=True, changed=change)


def test_what_is_answered_ahead_gives_way(monkeypatch):
    page = visit("kmeans")
    change = {"name": "kmeans.n_clusters", "value": "5"}

    pass_on = TURNS.pass_on

    def somebody_comes():
        TURNS._waiting.append((0, threading.Event()))
        try:
            pass_on()
        finally:
            TURNS._waiting.clear()

    monkeypatch.setattr(TURNS, "pass_on", somebody_comes)
    assert post(page, ahead=True, changed=change) == b""
    monkeypatch.setattr(TURNS, "pass_on", pass_on)
    assert post(page, changed=change)
    assert not TURNS.is_taken


def test_a_handle_that_is_dragged_is_answered_as_well():
    page = visit("dbscan")
    answer = decode(post(page, moved={"name": "eps", "x": None, "y": 0.7}))
    assert [handle["y"] for handle in answer["handles"]] == [0.7]
    assert "dbscan.eps" not in page.query_params


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"[1]",
        b"null",
        b'"token"',
        b'{"token": 3}',
        b'{"token": ""}',
        b'{"token": "of nobody", "number": 1}',
        b'{"token": {"a": []}}',
        b"\xff",
        b" " * MAX_QUESTION,
        b"[" * MAX_QUESTION,
        b'{"a":' * (MAX_QUESTION // 5),
    ],
)
def test_what_is_no_question_of_a_session_gets_no_picture(message):
    answer = send(message)
    assert (answer.status_code, answer.body) == (204, b"")


class Sent:
    """A body that comes in parts, counts the bytes read, and may be given up or never end."""

    def __init__(self, *parts, end=None):
        self.parts, self.end, self.n_bytes = list(parts), end, 0

    async def receive(self):
        if self.parts:
            part = self.parts.pop(0)
            self.n_bytes += len(part)
            return {"type": "http.request", "body": part, "more_body": bool(self.parts or self.end)}
        if self.end == "silence":
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    def answer(self, **headers):
        scope = {
            "type": "http",
            "method": "POST",
            "headers": [(b"content-length", b"%d" % n) for n in headers.values()],
        }
        return in_a_loop(respond(Request(scope, self.receive)))


def test_what_is_longer_than_a_question_is_refused_before_it_is_read():
    body = Sent(b" " * 10**6)
    answer = body.answer(length=10**6)
    assert (answer.status_code, answer.headers["Connection"]) == (413, "close")
    assert body.n_bytes == 0


def test_of_a_body_that_does_not_say_how_long_it_is_only_a_question_is_read():
    body = Sent(*[b" " * 1000] * 10**4)
    answer = body.answer()
    assert (answer.status_code, answer.headers["Connection"]) == (413, "close")
    assert body.n_bytes == 1000 * (MAX_QUESTION // 1000 + 1)


def test_a_length_that_is_not_kept_helps_nobody():
    body = Sent(*[b" " * 1000] * 10**4)
    assert body.answer(length=10).status_code == 413
    assert body.n_bytes <= MAX_QUESTION + 1000


@pytest.mark.parametrize("parts", [(), (b'{"token": ',)])
@pytest.mark.parametrize("end", ["silence", "leaves"])
def test_a_question_that_is_given_up_is_no_error(parts, end, monkeypatch):
    monkeypatch.setattr("ui.body.PATIENCE", 0.01)
    answer = Sent(*parts, end=end).answer()
    assert (answer.status_code, answer.body, answer.headers["Connection"]) == (204, b"", "close")


@pytest.mark.parametrize(
    "message",
    [
        {"changed": 5},
        {"changed": {"name": "kmeans.n_clusters", "value": "1e999"}},
        {"changed": {"name": ["seed"], "value": None}},
        {"moved": {"name": "eps", "y": "high"}},
        {"at": -5},
        {"at": 1e300, "number": "7"},
    ],
)
def test_nonsense_changes_nothing(message):
    page = visit("kmeans")
    usual = decode(post(page))
    answer = decode(post(page, **message))
    assert shown_texts(answer, 0) == shown_texts(usual, 0)


def test_a_run_that_takes_longer_is_left_to_streamlit(monkeypatch):
    page = visit("kmeans")
    ticks = iter(range(10**6))
    monkeypatch.setattr("dashboard.runs.CLOCK", lambda: lambda: float(next(ticks)))
    assert post(page, changed={"name": "kmeans.n_clusters", "value": "9"}) == b""


def test_each_session_has_a_token_of_its_own_and_keeps_it():
    first, second = visit("kmeans"), visit("kmeans")
    token = session_of(first).live.token
    assert token != session_of(second).live.token
    assert session_of(turn(first, "kmeans.n_clusters", "7")).live.token == token
    assert len(decode(post(second))["frames"]) == 1
    # A scene can be saved.
    assert token.encode() not in json.dumps(stage(first), default=np.ndarray.tolist).encode()


def test_an_answer_is_for_the_data_of_its_session():
    ours, theirs = visit("kmeans", source="draw", points="1,1;2,2;9,9"), visit("kmeans")
    answer = decode(post(ours, changed={"name": "kmeans.n_clusters", "value": "2"}))
    assert shown_texts(answer, 0) == shown_texts(stage(turn(ours, "kmeans.n_clusters", "2")), -1)
    assert answer["results"] != decode(post(theirs))["results"]
