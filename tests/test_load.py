"""Visitors take turns beyond the server's capacity."""

import math
import threading
import time
from itertools import count

import pytest

import ui.load
import ui.play
from tests.turns import PATIENCE, start, until
from tests.visit import sound, visit
from ui.load import BREATH, NOTICE, REST_SECONDS, STUCK, Preempted, Turns
from ui.session import Session


class Clock:
    time = 0.0

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


def queue(turns, n, work):
    """Let ``n`` threads come one after the other, and wait until each stands in the queue."""
    threads = []
    for i in range(n):
        before = len(turns._waiting)
        threads.append(start(work, i))
        until(lambda before=before: len(turns._waiting) == before + 1)
    return threads


def test_what_gives_way_ends_when_somebody_waits(clock):
    turns = Turns(clock=clock)
    assert not turns.is_taken
    assert turns.take_ahead()
    assert turns.is_taken
    turns.pass_on()
    (waiting,) = queue(turns, 1, lambda _: (turns.take(), turns.leave()))
    with pytest.raises(Preempted):
        turns.pass_on()
    turns.leave()
    waiting.join(PATIENCE)
    assert not turns.is_taken


def test_a_turn_that_was_silent_for_long_is_not_taken(clock):
    turns = Turns(clock=clock)
    turns.take()
    clock.time += 2 * STUCK
    assert not turns.is_taken


def test_a_slow_machine_alone_is_no_crowd():
    turns = Turns(clock=map(float, count()).__next__)
    turns.take()
    assert not turns.busy


@pytest.mark.parametrize("at_once", [1, 2])
def test_first_come_first_served_and_few_at_once(clock, at_once):
    turns, order, n_at_once = Turns(at_once, clock), [], []

    def work(i):
        turns.take()
        order.append(i)
        n_at_once.append(len(turns._having))
        turns.leave()

    holders = [threading.Event() for _ in range(at_once)]

    def hold(i):
        turns.take()
        holders[i].wait(PATIENCE)
        turns.leave()

    busy_threads = [start(hold, i) for i in range(at_once)]
    until(lambda: len(turns._having) == at_once)
    threads = queue(turns, 6, work)
    assert order == []
    holders[0].set()  # from here on one place is free, and goes from one to the next
    for thread in threads:
        thread.join(PATIENCE)
    assert order == [0, 1, 2, 3, 4, 5]
    assert max(n_at_once) <= at_once
    for holder, thread in zip(holders, busy_threads, strict=True):
        holder.set()
        thread.join(PATIENCE)
    assert turns._having == {}


def test_who_works_for_long_lets_the_next_one_go_first(clock):
    turns, order = Turns(1, clock), []

    def work(i):
        turns.take()
        order.append(i)
        turns.leave()

    turns.take()
    threads = queue(turns, 2, work)
    turns.pass_on()
    assert order == []  # not yet for long
    clock.time += 1
    turns.pass_on()
    assert order == [0, 1]
    for thread in threads:
        thread.join(PATIENCE)
    turns.leave()


def test_a_long_call_does_not_hold_up_the_queue(clock):
    """One that never looks, or has died with its turn, costs the others no more than a moment."""
    turns, done = Turns(1, clock), []

    def work(i):
        turns.take()
        done.append(i)
        turns.leave()

    turns.take()  # and never lets go
    threads = queue(turns, 2, work)
    clock.time += 2 * STUCK
    for thread in threads:
        thread.join(PATIENCE)
    assert done == [0, 1]
    turns.leave()
    start(turns.take).join(PATIENCE)  # dies with its turn
    (thread,) = queue(turns, 1, work)
    clock.time += 2 * STUCK
    thread.join(PATIENCE)
    assert done == [0, 1, 0]


def test_who_is_at_work_keeps_the_turn_however_long_nobody_came(clock):
    """Else two would be at work: who works alone for long, and who comes then."""
    turns, order = Turns(1, clock, sleep=lambda _seconds: None), []
    turns.take()
    for _ in range(10):
        clock.time += STUCK / 2
        turns.pass_on()
    queue(turns, 1, lambda i: (turns.take(), order.append(i), turns.leave()))
    assert order == []
    turns.pass_on()
    assert order == [0]
    turns.leave()


def test_who_works_lets_the_other_threads_breathe(clock):
    """NumPy releases the interpreter's lock for microseconds, too briefly for a waiting thread."""
    rests = []
    turns = Turns(1, clock, sleep=rests.append)
    turns.pass_on()
    assert rests == []  # who has no turn is not in anybody's way
    turns.take()
    for _ in range(8):
        clock.time += 0.6 * BREATH
        turns.pass_on()
    assert rests == [REST_SECONDS] * 4  # after every second
    turns.leave()


def test_a_visitor_who_waited_for_long_is_busy_for_a_while(clock):
    turns = Turns(1, clock)
    turns.take()
    (thread,) = queue(turns, 1, lambda _i: (turns.take(), turns.leave()))
    assert not turns.busy
    clock.time += 1
    turns.leave()
    thread.join(PATIENCE)
    assert turns.busy
    clock.time += 60
    assert not turns.busy


def test_what_is_asked_ahead_never_waits_and_is_no_crowd(clock):
    """Else a slow machine would give its only visitor drafts, for what was asked ahead for them."""
    turns, answers = Turns(1, clock), []
    turns.take()
    start(lambda: answers.append(turns.take_ahead())).join(PATIENCE)
    assert answers == [False]
    turns.leave()
    assert turns.take_ahead()
    (thread,) = queue(turns, 1, lambda _i: (turns.take(), turns.leave()))
    clock.time += 1
    with pytest.raises(Preempted):
        turns.pass_on()
    turns.leave()
    thread.join(PATIENCE)
    assert not turns.busy


def test_pages_say_so_and_draw_drafts_while_many_are_here(monkeypatch):
    def captions():
        return [caption.value for caption in sound(visit("knn")).caption]

    assert NOTICE not in captions()
    monkeypatch.setattr(ui.load.TURNS, "_last_wait", time.monotonic())
    assert NOTICE in captions()


def test_a_draft_stays_one_while_many_are_here_and_gets_finer_later(monkeypatch):
    session = Session(run_keys={"knn": "this run"})
    monkeypatch.setattr(ui.play, "current_session", lambda: session)
    monkeypatch.setattr(ui.load.TURNS, "_last_wait", time.monotonic())
    ui.play._draw_finer("knn")
    assert session.fine_keys == {}
    monkeypatch.setattr(ui.load.TURNS, "_last_wait", -math.inf)
    ui.play._draw_finer("knn")
    assert session.fine_keys == {"knn": "this run"}
