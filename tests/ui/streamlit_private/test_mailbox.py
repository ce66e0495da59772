"""The messages of a run wake the server's loop once, and keep their order.

If a newer Streamlit fails this: find where a message is handed to the loop and where the loop is
woken, and put the mailbox between; delete the file if a run wakes the loop once by itself.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession

from tests.loops import in_a_loop
from ui.streamlit_private.mailbox import Mailbox, patch


def test_several_calls_wake_the_loop_once_and_keep_their_order():
    woken, calls = [], []
    mailbox = Mailbox(woken.append)
    for i in range(10):
        mailbox.put(partial(calls.append, i))
    assert (len(woken), calls) == (1, [])
    woken.pop()()
    assert calls == list(range(10))


def test_a_call_that_puts_in_another_has_it_made_too():
    woken, calls = [], []
    mailbox = Mailbox(woken.append)
    mailbox.put(lambda: mailbox.put(partial(calls.append, "second")))
    for wake in woken:  # grows meanwhile
        wake()
    assert calls == ["second"]


def test_a_call_that_fails_keeps_none_back():
    woken, calls = [], []
    mailbox = Mailbox(woken.append)
    mailbox.put(lambda: 1 / 0)
    mailbox.put(partial(calls.append, "second"))
    with pytest.raises(ZeroDivisionError):
        woken.pop()()
    woken.pop()()
    assert calls == ["second"]


def test_calls_from_many_threads_are_all_made():
    async def count():
        loop, calls = asyncio.get_running_loop(), []
        mailbox = Mailbox(loop.call_soon_threadsafe)

        def put(thread):
            for i in range(500):
                mailbox.put(partial(calls.append, (thread, i)))

        with ThreadPoolExecutor(8) as pool:
            await asyncio.gather(*(loop.run_in_executor(pool, put, thread) for thread in range(8)))
        while len(calls) < 4000:
            await asyncio.sleep(0)
        return calls

    calls = in_a_loop(count())
    for thread in range(8):
        assert [i for caller, i in calls if caller == thread] == list(range(500))


async def wakes(n_messages):
    """Let the thread of a run say so many things; return how often it wakes the server's loop."""
    loop, woken, calls = asyncio.get_running_loop(), [], []
    session = SimpleNamespace(
        _event_loop=SimpleNamespace(call_soon_threadsafe=lambda call, *_: woken.append(call))
    )
    for i in range(n_messages):
        AppSession._call_soon_on_event_loop(session, partial(calls.append, i))
    for call in woken:
        call()
    assert calls == list(range(n_messages))
    needs = SimpleNamespace(eventloop=loop, need_send_data=asyncio.Event())
    runtime = SimpleNamespace(_get_async_objs=lambda: needs)
    for _ in range(n_messages):
        Runtime._enqueued_some_message(runtime)
    await asyncio.sleep(0)
    assert needs.need_send_data.is_set()
    return len(woken)


def test_a_session_has_one_and_the_loop_hears_all(monkeypatch):
    for owner, name in (
        (AppSession, "_call_soon_on_event_loop"),
        (Runtime, "_enqueued_some_message"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    assert in_a_loop(wakes(10)) == 10  # else nothing need be done about it
    patch()
    assert in_a_loop(wakes(10)) == 1
