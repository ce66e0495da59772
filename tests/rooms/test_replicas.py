"""Two servers on one Redis: a class is spread over both, and one of them is killed."""

import asyncio
import time

import aiohttp
import pytest
from redis import Redis

from rooms.limits import GUESSES, GUESSES_PER_SECOND
from rooms.redis_store import RedisStore
from tests.browser.running import Server
from tests.loops import in_a_loop
from tests.rooms.client import OPTION, Phone, Teacher, browsers
from tests.rooms.running import RedisServer, serving

PATIENCE = 120  # seconds until a test that hangs is given up
N_PHONES = 24


@pytest.fixture
def server(redis):
    with Server(DMLIB_ROOMS=redis.address) as server:
        yield server
        assert "Traceback" not in server.log, server.log


def play(act):
    async def scenario():
        async with asyncio.timeout(PATIENCE), browsers() as http:
            await act(http)

    in_a_loop(scenario())


def test_no_vote_is_lost_with_a_replica(server, redis):
    with Server(DMLIB_ROOMS=redis.address) as dying:

        async def act(http):
            teacher = await Teacher.open(http, server.address)
            shown = await teacher.show(b"scene", frame=2)
            addresses = [(server, dying)[i % 2].address for i in range(N_PHONES)]
            phones = [await Phone(http, each, teacher.code).join() for each in addresses]
            await teacher.act("ask", prompt="Which?", answer=OPTION)
            async with phones[1].events() as events:
                state = await events.next("state")
                assert (state["scene"], state["frame"]) == (shown["digest"], 2)
                await teacher.act("frame", frame=3)  # told to the phones of the other replica
                assert (await events.next("frame"))["frame"] == 3
                # A third has voted when the replica dies, a third votes meanwhile.
                third = N_PHONES // 3
                acknowledged = [await phone.vote(1) for phone in phones[:third]]
                assert acknowledged == list(range(1, third + 1))
                meanwhile = [
                    asyncio.create_task(phone.vote(1)) for phone in phones[third : 2 * third]
                ]
                await asyncio.sleep(0)
                dying.process.kill()
                outcomes = await asyncio.gather(*meanwhile, return_exceptions=True)
                with pytest.raises((EOFError, aiohttp.ClientError)):
                    await events.next("end")
            # Who got no acknowledgement sends the vote again, to the replica that is there.
            for phone in phones:
                phone.address = server.address
            lost = zip(phones[third : 2 * third], outcomes, strict=True)
            for phone, outcome in lost:
                if isinstance(outcome, BaseException):
                    await phone.vote(1)
            for phone in phones[2 * third :]:
                await phone.vote(2)
            async with phones[1].events() as events:
                state = await events.next("state")
                assert (state["frame"], state["members"]) == (3, N_PHONES)
                assert state["question"]["answered"] == N_PHONES
                await teacher.act("votes")
                state = await events.until("state", lambda state: state["question"]["votes"])
                assert sorted(state["question"]["votes"][0]) == [1] * 2 * third + [2] * third

        play(act)


def test_nothing_of_a_room_is_in_the_log_and_the_server_ends_while_phones_listen(server):
    async def act(http):
        teacher = await Teacher.open(http, server.address)
        phone = await Phone(http, server.address, teacher.code).join("Ada Lovelace")
        await teacher.act("ask", prompt="Which half?", answer=OPTION)
        await phone.vote(7, expected=400)
        await Phone(http, server.address, "BBBBBB").join(expected=404)
        async with phone.events() as events, teacher.events() as teachers:
            await events.next("state")
            await teachers.next("state")
            log = server.log
            start = time.monotonic()
            server.process.terminate()
            with pytest.raises((EOFError, aiohttp.ClientError)):  # and without the event `end`
                await events.next("end")
            while server.process.poll() is None and time.monotonic() < start + PATIENCE:
                await asyncio.sleep(0.1)
        assert server.process.poll() is not None
        secrets = ("Ada", "half", teacher.code, phone.token, teacher.headers["X-Room-Secret"])
        assert not [word for word in secrets if word in log + server.log]

    play(act)


def test_changes_while_a_connection_to_redis_was_cut_are_made_up_for(redis):
    async def act(http):
        async with serving(RedisStore(redis.address)) as [replica]:
            teacher = await Teacher.open(http, replica.address)
            phone = await Phone(http, replica.address, teacher.code).join()
            async with phone.events() as events:
                await events.next("state")
                for frame in range(3):
                    with Redis.from_url(redis.address) as client:
                        client.client_kill_filter(_type="pubsub")
                    await teacher.act("frame", frame=frame)
                    while (await events.next())["frame"] != frame:
                        pass

    play(act)


def test_replicas_count_wrong_codes_together(redis):
    async def act(http):
        stores = [RedisStore(redis.address) for _ in range(2)]
        async with serving(*stores) as replicas:
            strangers = [Phone(http, each.address, "BBBBBB") for each in replicas]
            for i in range(GUESSES):
                await strangers[i % 2].join(expected=404)
            # Redis has a clock of its own: one more guess is added each two seconds.
            statuses = []
            for i in range(GUESSES):
                async with http.post(f"{strangers[i % 2].address}/room/BBBBBB/members") as answer:
                    statuses.append(answer.status)
            assert set(statuses) <= {404, 429}
            assert statuses.count(429) > GUESSES / 2

    with Redis.from_url(redis.address) as client:
        for key in client.keys("dmlib:guessed:*"):  # guesses of other tests with this server
            client.delete(key)
        play(act)
        (key,) = client.keys("dmlib:guessed:*")
        assert 0 < client.ttl(key) <= GUESSES / GUESSES_PER_SECOND + 1
        client.delete(key)


def test_while_redis_is_away_everybody_is_told_so(redis):
    with RedisServer() as server:

        async def act(http):
            async with serving(RedisStore(server.address)) as [replica]:
                teacher = await Teacher.open(http, replica.address)
                phone = await Phone(http, replica.address, teacher.code).join()
                async with phone.events() as events:
                    await events.next("state")
                    server.end()
                    said = await teacher.answer("votes", expected=503)
                    assert said["error"] == "The room cannot be reached: try again in a moment."
                    await phone.vote(1, expected=503)
                    server.start()
                    # Nothing was on a disk: the room is gone, and its phones are told.
                    assert await events.next("end") == {"reason": "closed"}
                await phone.vote(1, expected=404)
                await Teacher.open(http, replica.address)

        play(act)
