"""Refusals, and everybody else goes on being answered (docs/security.md, Rooms)."""

import ast
import asyncio
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooms import limits
from rooms.codes import ALPHABET, LENGTH
from rooms.events import Hub, Stream
from rooms.messages import decoded
from rooms.refusals import RefusedError
from rooms.rooms import Rooms
from rooms.store import MemoryStore
from tests.loops import in_a_loop
from tests.rooms.client import OPTION, Phone, Teacher
from tests.rooms.test_routes import in_a_room

MAX_BYTES = 50 * 2**20  # more than the system holds for the two ends of a connection
ROOMS = Path(__file__).parents[2] / "rooms"
ADDRESSES = (
    ("POST", ""),
    ("POST", "/{code}/members"),
    ("GET", "/{code}/events"),
    ("PUT", "/{code}/scene"),
    ("GET", "/{code}/scene/0"),
    ("POST", "/{code}/teacher"),
    ("POST", "/{code}/votes"),
    ("POST", "/{code}/places"),
    ("POST", "/{code}/progress"),
    ("GET", "/{code}/places"),
    ("GET", "/{code}/results.csv"),
)
NUMBER = {"kind": "number", "right": [1.0], "tolerance": 0.1, "unit": ""}


def port_of(teacher):
    return int(teacher.address.rpartition(":")[2])


def head_of(teacher):
    """The head of a request that sends a scene, but for its length."""
    secret = teacher.headers["X-Room-Secret"]
    request = f"PUT /room/{teacher.code}/scene HTTP/1.1"
    return f"{request}\r\nHost: 127.0.0.1\r\nX-Room-Secret: {secret}\r\n"


def test_pages_of_other_hosts_get_nothing():
    async def act(teacher, phone):
        for headers in ({"Origin": "https://elsewhere.example"}, {"Host": "elsewhere.example"}):
            for method, path in ADDRESSES:
                url = f"{teacher.address}/room{path.format(code=teacher.code)}"
                sent = teacher.headers | headers
                async with teacher.http.request(method, url, headers=sent) as answer:
                    assert (answer.status, await answer.read()) == (403, b""), (method, path)

    in_a_room(MemoryStore, act)


def test_codes_cannot_be_guessed_at_a_rate_that_matters():
    tries = limits.LIFETIME * limits.GUESSES_PER_SECOND + limits.GUESSES
    assert tries * limits.MAX_ROOMS / len(ALPHABET) ** LENGTH < 0.01

    async def act(teacher, phone):
        member = await phone().join("Ada")
        await teacher.act("ask", prompt="?", answer=OPTION)
        stranger = Phone(teacher.http, teacher.address, "BBBBBB")
        for _ in range(limits.GUESSES):
            await stranger.join(expected=404)
        await stranger.join(expected=429)
        await phone().join(expected=429)  # nor is it said that this code is right
        # All of a class are behind one address: who is known goes on being answered.
        assert await member.vote(1) == 1
        await member.join()
        async with member.events() as events:
            await events.next("state")
        await teacher.act("votes")

    in_a_room(MemoryStore, act, clock=lambda: 0.0)


def test_secrets_and_tokens_are_those_of_one_room():
    async def act(teacher, phone):
        member = await phone().join("Ada")
        second = await Teacher.open(teacher.http, teacher.address)
        await Phone(teacher.http, teacher.address, second.code, member.token).vote(0, expected=401)
        for secret in ("", "x", second.headers["X-Room-Secret"], member.token):
            stranger = Teacher(teacher.http, teacher.address, teacher.code, secret)
            await stranger.answer("close", expected=401)
            await stranger.show(b"scene", expected=401)
            await stranger.get("results.csv", expected=401)
            await stranger.get("places", expected=401)
        member.token = member.token[:-1]
        await member.vote(0, expected=401)

    in_a_room(MemoryStore, act)


def test_what_a_class_is_told_has_no_secret(new_store):
    async def act(teacher, phone):
        member, second = await phone().join("Ada"), await phone().join("Bob")
        async with teacher.events() as teachers, member.events() as events:
            texts = [str(await stream.next("state")) for stream in (teachers, events)]
        texts.append(await teacher.get("results.csv"))
        for secret in (teacher.headers["X-Room-Secret"], second.token.split(".")[1]):
            assert secret not in "".join(texts)
        assert second.member not in texts[1]

    in_a_room(new_store, act)


def test_one_address_opens_few_rooms():
    burst = limits.Rates().rooms
    assert burst.burst + burst.per_second * limits.LIFETIME < limits.MAX_ROOMS

    async def act(teacher, phone):
        for _ in range(burst.burst - 1):
            await Teacher.open(teacher.http, teacher.address)
        async with teacher.http.post(f"{teacher.address}/room") as answer:
            assert answer.status == 429
            assert int(answer.headers["Retry-After"]) > 60
            assert "try again" in (await answer.json())["error"]
        await phone().join()

    in_a_room(MemoryStore, act, clock=lambda: 0.0)


def test_a_phone_that_floods_is_refused_and_others_are_answered():
    async def act(teacher, phone):
        flooding, quiet = await phone().join(), await phone().join()
        await teacher.act("ask", prompt="?", answer=OPTION)
        message = {"token": flooding.token, "question": 1, "round": 1, "answer": 0}
        url = f"{teacher.address}/room/{teacher.code}/votes"

        async def send():
            async with teacher.http.post(url, json=message) as answer:
                return answer.status

        statuses = await asyncio.gather(*(send() for _ in range(80)))
        assert statuses.count(200) == limits.Rates().phone.burst
        assert set(statuses) == {200, 429}
        assert await quiet.vote(1) == 2

    in_a_room(MemoryStore, act, clock=lambda: 0.0)


def test_a_replayed_vote_is_one_vote(new_store):
    async def act(teacher, phone):
        voter = await phone().join()
        await teacher.act("ask", prompt="?", answer=OPTION)
        assert [await voter.vote(2) for _ in range(5)] == [1] * 5
        await teacher.act("ask", prompt="?", answer=OPTION)
        await voter.vote(2, expected=409)
        async with voter.events() as events:
            assert (await events.next("state"))["question"]["answered"] == 0

    in_a_room(new_store, act)


def test_long_messages_are_refused():
    async def act(teacher, phone):
        member = await phone().join()
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(teacher))
        writer.write(f"{head_of(teacher)}Content-Length: {limits.SCENE_BYTES + 1}\r\n\r\n".encode())
        assert (await reader.read()).startswith(b"HTTP/1.1 413")  # before it is sent
        writer.close()
        await teacher.show(b" " * limits.SCENE_BYTES)
        await teacher.show(b"", expected=400)
        await teacher.answer("clear", 413, more="x" * limits.TEACHER_BYTES)
        await member.post("votes", 413, answer="x" * limits.PHONE_BYTES)
        await teacher.answer("ask", 400, prompt="x" * 401, answer=OPTION)
        await phone().join("x" * 25, expected=400)

    in_a_room(MemoryStore, act)


def test_a_scene_without_end_is_cut_off():
    async def act(teacher, phone):
        _, writer = await asyncio.open_connection("127.0.0.1", port_of(teacher))
        writer.write(f"{head_of(teacher)}Transfer-Encoding: chunked\r\n\r\n".encode())
        n_bytes = 0
        with suppress(ConnectionError):
            while n_bytes < MAX_BYTES:
                writer.write(b"10000\r\n" + b" " * 2**16 + b"\r\n")
                await writer.drain()
                n_bytes += 2**16
        assert n_bytes < MAX_BYTES
        writer.close()

    in_a_room(MemoryStore, act)


@pytest.mark.parametrize(
    "body", [b"[", b"[]", b"\xff", b"[" * 4000, b'{"a":' * 800, b"1", b'"\\ud800"']
)
def test_broken_messages_are_refused(body):
    async def act(teacher, phone):
        url = f"{teacher.address}/room/{teacher.code}/votes"
        async with teacher.http.post(url, data=body) as answer:
            assert answer.status == 400
            assert (await answer.json())["error"].endswith(".")
        await phone().join()

    in_a_room(MemoryStore, act)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)
ACTS = ("frame", "ask", "votes", "again", "reveal", "clear", "try", "collect", "hide", "remove")
KINDS = ("option", "pick", "place", "angle", "number", "order")
FIELD_KINDS = ("number", "choice", "items", "text")
specs = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS) | values},
    optional={
        name: values | st.lists(st.text(max_size=3), max_size=5)
        for name in ("options", "items", "among")
    },
)
fields = st.fixed_dictionaries(
    {"name": st.text(max_size=4), "kind": st.sampled_from(FIELD_KINDS) | values},
    optional={
        **dict.fromkeys(("low", "high", "max"), values),
        "options": values | st.lists(st.text(max_size=3), max_size=5),
    },
)
acts = st.fixed_dictionaries(
    {"act": st.sampled_from(ACTS) | values},
    optional={
        "answer": specs | values,
        "about": st.fixed_dictionaries({"fields": st.lists(fields, max_size=3) | values}) | values,
        **dict.fromkeys(("prompt", "frame", "seconds", "member"), values),
    },
)
said = st.fixed_dictionaries(
    {},
    optional={
        "question": st.integers(0, 3) | values,
        "round": st.integers(1, 2) | values,
        "task": st.integers(0, 3) | values,
        **dict.fromkeys(("answer", "row", "right", "of", "misconceptions"), values),
    },
)


@given(st.lists(st.tuples(acts, said), max_size=6))
def test_any_message_is_done_or_refused(messages):
    async def act():
        rooms = Rooms(MemoryStore())
        code, _ = await rooms.open()
        member, token = await rooms.join(code, "")

        async def attempt(work):
            try:
                await work
            except RefusedError as refusal:
                return refusal.sentence.endswith(".")
            return True

        for message, reply in messages:
            command, answer = (decoded(json.dumps(each).encode()) for each in (message, reply))
            assert await attempt(rooms.act(code, command))
            assert await attempt(rooms.vote(code, member, answer))
            assert await attempt(rooms.contribute(code, member, "try", answer))
            assert await attempt(rooms.contribute(code, member, "collect", answer))
            member, token = await rooms.join(code, "")
            events = Hub(rooms.store).events(code, member)
            assert (await anext(events)).startswith(b"event: state\n")
            await events.aclose()
        assert await rooms.member(code, token) == member

    in_a_loop(act())


def test_connections_that_stop_halfway_keep_nobody_waiting(monkeypatch):
    monkeypatch.setattr("ui.body.PATIENCE", 0.2)

    async def act(teacher, phone):
        head = f"POST /room/{teacher.code}/members HTTP/1.1\r\nHost: 127.0.0.1\r\n".encode()
        writers = []
        for part in [head, head + b"Content-Length: 9\r\n\r\n{"] * 50:
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(teacher))
            writer.write(part)
            writers.append((reader, writer))
        await phone().join()
        reader, _ = writers[1]
        assert (await reader.readline()).split()[1] == b"408"
        for _, writer in writers:
            writer.close()

    in_a_room(MemoryStore, act)


def test_a_phone_that_does_not_read_keeps_nobody_waiting_and_takes_no_memory():
    async def act(teacher, phone):
        deaf, listening = await phone().join(), await phone().join()
        path = f"/room/{teacher.code}/events?token={deaf.token}"
        _, writer = await asyncio.open_connection("127.0.0.1", port_of(teacher), limit=1024)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        async with listening.events() as events:
            await events.next("state")
            for frame in range(40):
                await teacher.act("frame", frame=frame)
            await events.until("frame", lambda state: state["frame"] == 39)
        writer.close()

    in_a_room(MemoryStore, act)


def test_a_stream_keeps_the_last_message_of_each_kind():
    async def act():
        stream = Stream("phone")
        for i in range(1000):
            stream.post("frame", b"%d" % i)
            stream.post("count", b";")
        stream.end()
        assert [message async for message in stream.messages()] == [b"999;"]

    in_a_loop(act())


def test_a_silent_stream_is_kept_open():
    async def act():
        stream = Stream("phone")
        messages = stream.messages(pulse=0.01)
        assert [await anext(messages) for _ in range(2)] == [b":\n\n"] * 2
        stream.post("frame", b"frame")
        assert await anext(messages) == b"frame"

    in_a_loop(act())


def test_a_room_has_as_many_members_as_it_may_have(new_store, monkeypatch):
    monkeypatch.setattr("rooms.rooms.MAX_MEMBERS", 2)

    async def act(teacher, phone):
        for _ in range(2):
            await phone().join()
        await phone().join(expected=503)

    in_a_room(new_store, act)


@pytest.mark.parametrize("path", sorted(ROOMS.glob("*.py")), ids=lambda path: path.stem)
def test_nothing_of_a_room_is_written_to_a_disk_or_a_log(path):
    """No module of rooms opens a file or has a logger."""
    forbidden = {"print", "logging", "logger", "write_text", "write_bytes", "tempfile", "pickle"}
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Name | ast.Attribute):
            names.add(node.id if isinstance(node, ast.Name) else node.attr)
        elif isinstance(node, ast.alias):
            names.add(node.name.split(".")[0])
        assert not (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "open"
        )
    assert not names & forbidden


def test_redis_is_told_to_keep_nothing_on_its_disk():
    compose = (ROOMS.parent / "compose.yaml").read_text("utf-8")
    assert 'redis-server, --save, "", --appendonly, "no"' in compose
