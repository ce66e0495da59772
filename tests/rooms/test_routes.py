"""A class and its teacher hear of each other, over HTTP and on both stores."""

import asyncio
import csv
import io
import json
import re

import pytest

from rooms.store import MemoryStore
from tests.loops import in_a_loop
from tests.rooms.client import OPTION, Phone, Teacher, browsers
from tests.rooms.running import serving

MAX_BYTES = 150_000  # of all that a phone loads before the picture
PATIENCE = 30  # seconds until a test that hangs is given up


def in_a_room(new_store, act, clock=None):
    """Let a scenario act with a teacher who has opened a room, and phones that may join.

    The rates of requests may have a clock of their own.
    """

    async def play():
        async with asyncio.timeout(PATIENCE), serving(new_store()) as [replica], browsers() as http:
            rates = [*vars(replica.routes.rates).values()]
            if isinstance(store := replica.routes.rooms.store, MemoryStore):
                rates.append(store.guesses)
            for rate in rates:
                rate.clock = clock or rate.clock
            teacher = await Teacher.open(http, replica.address)
            await act(teacher, lambda: Phone(http, replica.address, teacher.code))

    in_a_loop(play())


def test_a_phone_shows_what_the_teacher_shows(new_store):
    async def act(teacher, phone):
        shown = await teacher.show(b"first scene", title="k-means", frame=3)
        early = await phone().join()
        async with early.events() as events:
            state = await events.next("state")
            assert (state["slug"], state["title"], state["frame"]) == ("kmeans", "k-means", 3)
            assert state["scene"] == shown["digest"]
            assert await teacher.get(f"scene/{state['scene']}") == "first scene"
            number = await teacher.act("frame", frame=4)
            assert await events.next("frame") == {"number": number, "frame": 4}
            other = await teacher.show(b"second scene")
            state = await events.next("state")
            assert (state["scene"], state["frame"]) == (other["digest"], 0)
            latecomer = await phone().join()
            async with latecomer.events() as late_events:
                assert await late_events.next("state") == state | {"members": 2}

    in_a_room(new_store, act)


def test_a_phone_that_returns_is_the_same_and_up_to_date(new_store):
    async def act(teacher, phone):
        returning = await phone().join("Ada")
        member = returning.member
        async with returning.events() as events:
            await events.next("state")
        await teacher.act("frame", frame=7)
        assert (await returning.join()).member == member
        async with returning.events() as events:
            state = await events.next("state")
        assert (state["frame"], state["members"]) == (7, 1)

    in_a_room(new_store, act)


def test_votes_are_counted_and_not_seen_before_they_are_shown(new_store):
    async def act(teacher, phone):
        phones = [await phone().join() for _ in range(3)]
        async with phones[0].events() as events, teacher.events() as teachers:
            told = {"solution": "the right one", "proof": "Its distance is 2."}
            await teacher.act("ask", prompt="Which half?", answer=OPTION | told)
            state = await events.until("state", lambda state: state["question"])
            question = state["question"]
            assert (question["id"], question["round"], question["phase"]) == (1, 1, "asking")
            assert not {"right", *told} & question["answer"].keys()
            assert [await each.vote(i) for i, each in enumerate(phones)] == [1, 2, 3]
            assert await phones[0].vote(2) == 3  # another answer of the same phone
            for stream in (events, teachers):
                counted = await stream.until("count", lambda count: count["answered"] == 3)
                assert "votes" not in str(counted)
            await teacher.act("votes")
            state = await events.until("state", lambda state: state["question"]["votes"])
            assert sorted(state["question"]["votes"][0]) == [1, 2, 2]
            assert not {"right", *told} & state["question"]["answer"].keys()
            await phones[0].vote(1, expected=409)

            await teacher.act("again")
            state = await events.until("state", lambda state: state["question"]["round"] == 2)
            assert state["question"]["votes"] is None
            assert state["question"]["answered"] == 0
            await phones[1].vote(1, expected=409)  # a vote of the first round, sent again
            await phones[1].vote(1, number=2)
            await teacher.act("reveal")
            state = await events.until("state", lambda s: s["question"]["phase"] == "revealed")
            assert [sorted(votes) for votes in state["question"]["votes"]] == [[1, 2, 2], [1]]
            assert state["question"]["answer"] == OPTION | told
            await teacher.answer("again", expected=409)

    in_a_room(new_store, act)


def test_the_time_of_a_question_is_told_and_ends_it(new_store):
    async def act(teacher, phone):
        voter = await phone().join()
        await teacher.act("ask", prompt="Quick!", answer=OPTION, seconds=5)
        async with voter.events() as events:
            state = await events.next("state")
        assert 0 < state["question"]["seconds"] <= 5
        await teacher.answer("ask", expected=400, prompt="?", answer=OPTION, seconds=1)

    in_a_room(new_store, act)


def test_everybody_tries_and_the_teacher_sees_misconceptions_by_count(new_store):
    async def act(teacher, phone):
        phones = [await phone().join() for _ in range(2)]
        await teacher.act("try", about={"slug": "kmeans"})
        async with phones[0].events() as events, teacher.events() as teachers:
            task = (await events.next("state"))["task"]
            assert task == {"id": 1, "kind": "try", "about": {"slug": "kmeans"}}
            rule = "The centre is the nearest row."
            for right, each in enumerate(phones):
                await each.post(
                    "progress", task=task["id"], right=right, of=5, misconceptions=[rule]
                )
            counts = await teachers.until("count", lambda count: count["answered"] == 2)
            assert counts["progress"] == {
                "finished": 2,
                "right": 1,
                "of": 10,
                "misconceptions": {rule: 2},
            }
            assert await events.until("count", lambda count: count["answered"] == 2) == {
                "members": 2,
                "answered": 2,
            }
        await phones[0].post("progress", 409, task=9, right=0, of=1)
        await phones[0].post("progress", 400, task=1, right=2, of=1)

    in_a_room(new_store, act)


def test_the_class_collects_a_data_set(new_store):
    async def act(teacher, phone):
        phones = [await phone().join() for _ in range(3)]
        axes = [{"name": name, "kind": "number", "low": 0, "high": 10} for name in "xy"]
        await teacher.act("collect", about={"kind": "points", "fields": axes})
        for i, each in enumerate(phones):
            await each.post("places", task=1, row=[i, 2.5])
        await phones[0].post("places", task=1, row=[9, 2.5])  # instead of the first
        places = json.loads(await teacher.get("places"))["places"]
        assert sorted(places) == [[1, 2.5], [2, 2.5], [9, 2.5]]
        await phones[0].post("places", 400, task=1, row=[1, "x"])
        await phones[0].post("places", 409, task=2, row=[1, 2])
        await teacher.act("clear")
        await phones[0].post("places", 409, task=1, row=[1, 2])
        await teacher.get("places", expected=409)

    in_a_room(new_store, act)


FIELDS = [
    {"name": "height", "kind": "number", "low": 100, "high": 250},
    {"name": "eyes", "kind": "choice", "options": ["blue", "brown"]},
    {"name": "pets", "kind": "items", "options": ["cat", "dog"]},
    {"name": "town", "kind": "text", "max": 8},
]
ROW = [180.5, "blue", ["dog"], "Ulm"]


def with_cell(place, cell):
    return [cell if i == place else each for i, each in enumerate(ROW)]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (with_cell(0, 99), "height: type a number from 100 to 250."),
        (with_cell(0, "tall"), "height: type a number from 100 to 250."),
        (with_cell(0, True), "height: type a number from 100 to 250."),
        (with_cell(1, "<b>"), "eyes: choose one of the 2 values."),
        (with_cell(2, []), "pets: tick at least one."),
        (with_cell(2, ["cat", "cat"]), "pets: tick each item once."),
        (with_cell(2, ["cow"]), "pets: tick each item once."),
        (with_cell(3, " "), "town: type something."),
        (with_cell(3, "Neu-Isenburg"), "The town must have at most 8 characters."),
        (ROW[:3], "Send a row of 4 cells."),
        ("Ulm", "Send a row of 4 cells."),
    ],
)
def test_a_row_is_taken_whole_or_refused_in_a_sentence(new_store, row, sentence):
    async def act(teacher, phone):
        await teacher.act("collect", about={"kind": "rows", "fields": FIELDS})
        sender = await phone().join()
        await sender.post("places", task=1, row=ROW)
        refused = await sender.post("places", 400, task=1, row=row)
        assert refused["error"] == sentence
        assert json.loads(await teacher.get("places")) == {"places": [ROW]}  # the first one stays

    in_a_room(new_store, act)


@pytest.mark.parametrize(
    "fields",
    [
        None,
        [],
        [{"name": "a", "kind": "text", "max": 8}] * 17,
        [{"kind": "text", "max": 8}],
        [{"name": "a", "kind": "colour"}],
        [{"name": "a", "kind": []}],
        [{"name": "a", "kind": "number", "low": 0}],
        [{"name": "a", "kind": "choice", "options": []}],
        [{"name": "a", "kind": "items", "options": [1]}],
        [{"name": "a", "kind": "text", "max": 1e9}],
    ],
)
def test_fields_that_are_none_are_refused(new_store, fields):
    async def act(teacher, _phone):
        await teacher.answer("collect", 400, about={"kind": "rows", "fields": fields})

    in_a_room(new_store, act)


def test_results_have_nicknames_where_they_were_typed_and_no_formula(new_store):
    async def act(teacher, phone):
        phones = [await phone().join(nickname) for nickname in ("=1+1", "", "Bob")]
        await teacher.act("hide", member=phones[2].member)
        answer = {"kind": "option", "options": ["=A1", "b"], "right": []}
        await teacher.act("ask", prompt="@Which?", answer=answer)
        for each in phones:
            await each.vote(0)
        await teacher.act("again")
        await phones[0].vote(1, number=2)
        await teacher.act("ask", prompt="How large?", answer={"kind": "number", "right": [1]})
        await phones[1].vote(-3.5, question=2)
        rows = list(csv.DictReader(io.StringIO(await teacher.get("results.csv"))))
        assert sorted(row["nickname"] for row in rows if row["round"] == "1") == [
            *("", "", ""),
            "'=1+1",
        ]
        first = [row for row in rows if (row["question"], row["round"]) == ("1", "1")]
        assert {(row["prompt"], row["answer"]) for row in first} == {("'@Which?", "'=A1")}
        assert sorted(row["phone"] for row in first) == ["1", "2", "3"]
        assert [row["answer"] for row in rows if row["round"] == "2"] == ["b"]
        assert [row["answer"] for row in rows if row["question"] == "2"] == ["-3.5"]

    in_a_room(new_store, act)


def test_nicknames_are_the_teachers_and_can_be_hidden_and_removed(new_store):
    async def act(teacher, phone):
        rude, kind = await phone().join("<b>x</b>\n\u202e"), await phone().join("Ada")
        async with teacher.events() as teachers, rude.events() as events:
            state = await teachers.next("state")
            assert [each["nickname"] for each in state["nicknames"]] == ["<b>x</b>", "Ada"]
            assert "nicknames" not in await events.next("state")
            await teacher.act("hide", member=rude.member)
            counts = await teachers.until("count", lambda c: c["nicknames"][0]["hidden"])
            assert [each["hidden"] for each in counts["nicknames"]] == [True, False]
            await teacher.act("ask", prompt="Which?", answer=OPTION)
            await rude.vote(0)
            await teacher.act("remove", member=rude.member)
            assert await events.next("end") == {"reason": "removed"}
            counts = await teachers.until("count", lambda count: count["members"] == 1)
            assert (counts["answered"], len(counts["nicknames"])) == (0, 1)
            await rude.vote(1, expected=401)
            assert await kind.vote(1) == 1
            await teacher.answer("remove", expected=400, member=rude.member)

    in_a_room(new_store, act)


def test_a_closed_room_is_gone(new_store):
    async def act(teacher, phone):
        last = await phone().join()
        await teacher.show(b"scene")
        async with last.events() as events, teacher.events() as teachers:
            await events.next("state")
            await teachers.next("state")
            await teacher.act("close")
            for stream in (events, teachers):
                assert await stream.next("end") == {"reason": "closed"}
                with pytest.raises(EOFError):
                    await stream.next()
        await last.vote(1, expected=404)
        await phone().join(expected=404)
        await teacher.answer("votes", expected=404)
        await teacher.get("results.csv", expected=404)

    in_a_room(new_store, act)


def test_a_phone_has_one_stream(new_store):
    async def act(teacher, phone):
        same = await phone().join()
        async with same.events() as first, same.events() as second:
            await second.next("state")
            assert await first.next("end") == {"reason": "elsewhere"}
            await teacher.act("frame", frame=2)
            assert (await second.next("frame"))["frame"] == 2

    in_a_room(new_store, act)


def test_the_page_of_a_phone_is_light_and_there_at_every_code():
    async def act(teacher, phone):
        http, address = teacher.http, teacher.address
        async with http.get(f"{address}/join/ABCDEF") as answer:
            text = await answer.text()
            assert (answer.status, answer.content_type) == (200, "text/html")
        assert 'data-testid="stage"' in text
        assert '<base href="../">' in text
        async with http.get(f"{address}/join") as answer:
            assert '<base href="./">' in await answer.text()
        n_bytes, names = len(text), re.findall(r'(?:href|src)="(room/files/[^"]+)"', text)
        assert len(names) >= 3
        for name in names:
            url = f"{address}/{name}"
            headers = {"Accept-Encoding": "gzip"}
            async with http.get(url, headers=headers) as answer:
                assert answer.status == 200, name
                n_bytes += int(answer.headers["Content-Length"])
                headers["If-None-Match"] = answer.headers["ETag"]
            async with http.get(url, headers=headers) as answer:
                assert answer.status == 304
        assert n_bytes < MAX_BYTES
        async with http.get(f"{address}/room/files/server.py") as answer:
            assert answer.status == 400

    in_a_room(MemoryStore, act)
