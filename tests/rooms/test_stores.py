"""Both stores do the same: one at a time, nothing lost, and nothing left at the end."""

import asyncio
from time import time

import pytest

from rooms import limits
from rooms.events import Hub
from rooms.refusals import RefusedError
from rooms.room import MEMBERS, Room
from rooms.rooms import Rooms
from tests.loops import in_a_loop
from tests.rooms.client import OPTION


def on(new_store, act):
    """Let a scenario act on rooms in a store."""

    async def play():
        store = new_store()
        try:
            async with asyncio.timeout(30):
                await act(Rooms(store))
        finally:
            await store.disconnect()

    return in_a_loop(play())


async def members(rooms, code, n):
    return [(await rooms.join(code, f"Phone {i}"))[0] for i in range(n)]


def test_changes_at_the_same_time_are_made_one_after_another(new_store):
    async def act(rooms):
        code, _ = await rooms.open()
        numbers = await asyncio.gather(
            *(rooms.act(code, {"act": "frame", "frame": i}) for i in range(8))
        )
        assert sorted(numbers) == list(range(1, 9))
        assert (await rooms.room(code)).number == 8

    on(new_store, act)


def test_each_vote_that_is_acknowledged_is_counted_and_none_after_that(new_store):
    async def act(rooms):
        code, _ = await rooms.open()
        phones = await members(rooms, code, 60)
        await rooms.act(code, {"act": "ask", "prompt": "?", "answer": OPTION})

        async def vote(phone):
            message = {"question": 1, "round": 1, "answer": 1}
            try:
                await rooms.vote(code, phone, message)
            except RefusedError as refusal:
                return refusal.status
            return phone

        early = [asyncio.create_task(vote(phone)) for phone in phones[:40]]
        await asyncio.sleep(0.005)
        show = asyncio.create_task(rooms.act(code, {"act": "votes"}))
        late = [asyncio.create_task(vote(phone)) for phone in phones[40:]]
        acknowledged = set(await asyncio.gather(*early, *late)) - {409}
        await show
        assert set(await rooms.store.entries(code, "votes.1.1")) == acknowledged

    on(new_store, act)


def test_the_votes_of_a_member_that_is_removed_are_gone_and_none_follows(new_store):
    async def act(rooms):
        code, _ = await rooms.open()
        first, second = await members(rooms, code, 2)
        for prompt in ("one", "two"):
            await rooms.act(code, {"act": "ask", "prompt": prompt, "answer": OPTION})
            question = (await rooms.room(code)).question.id
            for phone in (first, second):
                await rooms.vote(code, phone, {"question": question, "round": 1, "answer": 0})
        await rooms.act(code, {"act": "remove", "member": first})
        for table in ("votes.1.1", "votes.2.1", MEMBERS):
            assert list(await rooms.store.entries(code, table)) == [second]
        with pytest.raises(RefusedError, match="does not know you"):
            await rooms.store.enter(code, "votes.2.1", first, "0", 9)

    on(new_store, act)


def test_a_table_has_as_many_entries_as_it_may_have(new_store):
    async def act(rooms):
        code, _ = await rooms.open()
        for i in range(3):
            assert await rooms.store.enter(code, MEMBERS, str(i), "{}", 3) == i + 1
        with pytest.raises(RefusedError, match="full"):
            await rooms.store.enter(code, MEMBERS, "3", "{}", 3)
        assert await rooms.store.enter(code, MEMBERS, "2", "[]", 3) == 3
        assert await rooms.store.entry(code, MEMBERS, "2") == "[]"

    on(new_store, act)


def test_a_server_has_as_many_rooms_as_it_may_have(new_store, monkeypatch):
    for module in ("store", "redis_store"):
        monkeypatch.setattr(f"rooms.{module}.MAX_ROOMS", 2)

    async def act(rooms):
        codes = [(await rooms.open())[0] for _ in range(2)]
        with pytest.raises(RefusedError, match="in use"):
            await rooms.open()
        await rooms.act(codes[0], {"act": "close"})
        codes.append((await rooms.open())[0])
        for code in codes[1:]:
            await rooms.act(code, {"act": "close"})

    on(new_store, act)


def test_a_code_that_is_taken_is_not_opened_again(new_store):
    async def act(rooms):
        code, _ = await rooms.open()
        assert not await rooms.store.open(Room(code, "another", time() + 60))
        assert (await rooms.room(code)).secret != "another"

    on(new_store, act)


def test_the_last_scenes_are_kept(new_store):
    async def act(rooms):
        code, _ = await rooms.open()
        page = {"slug": "kmeans", "title": "k-means", "frame": 0}
        shown = [await rooms.show(code, page, bytes([i])) for i in (1, 2, 1, 3)]
        scenes = [await rooms.store.scene(code, room.scene) for room in shown]
        assert scenes == [b"\1", None, b"\1", b"\3"]
        assert limits.N_SCENES == 2

    on(new_store, act)


def test_a_room_ends_by_itself_and_leaves_nothing(new_store, monkeypatch):
    monkeypatch.setattr("rooms.rooms.LIFETIME", 0.6)
    monkeypatch.setattr("rooms.events.MARGIN", 0.1)

    async def act(rooms):
        code, _ = await rooms.open()
        phone, token = await rooms.join(code, "Ada")
        await rooms.show(code, {"slug": "a", "title": "b", "frame": 0}, b"scene")
        await rooms.act(code, {"act": "ask", "prompt": "?", "answer": OPTION})
        await rooms.vote(code, phone, {"question": 1, "round": 1, "answer": 0})
        said = [message async for message in Hub(rooms.store).events(code, phone)]
        assert said[-1].startswith(b'event: end\ndata: {"reason":"closed"}')
        assert await remains(rooms, code) == []
        with pytest.raises(RefusedError, match="No room"):
            await rooms.member(code, token)

    on(new_store, act)


def test_a_room_that_is_closed_leaves_nothing(new_store):
    async def act(rooms):
        code, _ = await rooms.open()
        (phone,) = await members(rooms, code, 1)
        await rooms.show(code, {"slug": "a", "title": "b", "frame": 0}, b"scene")
        await rooms.act(code, {"act": "ask", "prompt": "?", "answer": OPTION})
        await rooms.vote(code, phone, {"question": 1, "round": 1, "answer": 0})
        assert await remains(rooms, code) != []
        await rooms.act(code, {"act": "close"})
        assert await remains(rooms, code) == []

    on(new_store, act)


async def remains(rooms, code):
    """All that a store still has of a room."""
    store = rooms.store
    if hasattr(store, "_redis"):
        return await store._redis.keys(f"*{code}*")
    return [record for name, record in store._records.items() if name == code]


def test_what_is_heard_is_in_the_order_in_which_it_was_done(new_store):
    async def act(rooms):
        code, _ = await rooms.open()
        phone, _ = await rooms.join(code, "")
        async with rooms.store.changes(code) as changes:
            await rooms.act(code, {"act": "ask", "prompt": "?", "answer": OPTION})
            await rooms.vote(code, phone, {"question": 1, "round": 1, "answer": 0})
            await rooms.act(code, {"act": "frame", "frame": 5})
            await rooms.act(code, {"act": "remove", "member": phone})
            await rooms.act(code, {"act": "close"})
            heard = [await anext(changes) for _ in range(6)]
        frame = 'frame {"number": 2, "frame": 5}'
        # The question is noted for the results as the votes are.
        assert heard == ["state", "count", "count", frame, f"remove {phone}", "end"]

    on(new_store, act)
