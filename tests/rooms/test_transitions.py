"""Whatever a class does: one vote for each member, counted, and unseen before it is shown."""

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rooms import payloads
from rooms.limits import MAX_QUESTIONS
from rooms.refusals import RefusedError
from rooms.room import Room
from rooms.rooms import Rooms
from rooms.store import RoomStore
from tests.loops import in_a_thread
from tests.rooms.client import OPTION

options = st.integers(0, 2)


class Class(RuleBasedStateMachine):
    """A room beside what should be in it."""

    new_store: Callable[[], RoomStore]

    def __init__(self):
        super().__init__()
        self.loop = asyncio.Runner()
        self.members = []
        self.rounds = []  # of the question that is asked: votes by member
        self.phase = ""
        self.n_asked = 0
        self.number = 0

    def do(self, work):
        return self.loop.run(work)

    def act(self, act, **details):
        self.do(self.rooms.act(self.code, {"act": act, **details}))

    @initialize()
    def open(self):
        async def begin():
            self.rooms = Rooms(self.new_store())
            self.code, _ = await self.rooms.open()

        self.do(begin())

    def teardown(self):
        async def end():
            await self.rooms.store.close(self.code)
            await self.rooms.store.disconnect()

        if hasattr(self, "rooms"):
            self.do(end())
        self.loop.close()

    @rule()
    def join(self):
        member, _ = self.do(self.rooms.join(self.code, ""))
        self.members.append(member)

    @precondition(lambda self: self.members)
    @rule(data=st.data())
    def leave(self, data):
        member = data.draw(st.sampled_from(self.members))
        self.act("remove", member=member)
        self.members.remove(member)
        for votes in self.rounds:
            votes.pop(member, None)

    @precondition(lambda self: self.n_asked < MAX_QUESTIONS)
    @rule()
    def ask(self):
        self.act("ask", prompt="Which?", answer=OPTION)
        self.n_asked += 1
        self.rounds, self.phase = [{}], "asking"

    @precondition(lambda self: self.phase)
    @rule()
    def show(self):
        self.act("votes")
        self.phase = "votes"

    @precondition(lambda self: self.phase)
    @rule()
    def ask_again(self):
        if len(self.rounds) == 2 or self.phase == "revealed":
            with pytest.raises(RefusedError):
                self.act("again")
            return
        self.act("again")
        self.rounds.append({})
        self.phase = "asking"

    @precondition(lambda self: self.phase)
    @rule()
    def reveal(self):
        self.act("reveal")
        self.phase = "revealed"

    @rule()
    def clear(self):
        self.act("clear")
        self.rounds, self.phase = [], ""

    @precondition(lambda self: self.members)
    @rule(data=st.data(), answer=options, lag=st.integers(-1, 1), round_lag=st.integers(-1, 1))
    def vote(self, data, answer, lag, round_lag):
        member = data.draw(st.sampled_from(self.members))
        now = {"question": self.n_asked + lag, "round": len(self.rounds) + round_lag}
        work = self.rooms.vote(self.code, member, {**now, "answer": answer})
        if self.phase == "asking" and lag == round_lag == 0:
            self.rounds[-1][member] = answer
            assert self.do(work) == len(self.rounds[-1])
        else:
            with pytest.raises(RefusedError):
                self.do(work)

    @invariant()
    def state(self):
        if not hasattr(self, "rooms"):
            return
        room = self.do(self.rooms.room(self.code))
        assert Room.decoded(room.encoded()) == room
        assert room.number >= self.number
        self.number = room.number
        state = self.do(payloads.state(self.rooms.store, room))
        question = state["question"]
        assert state["members"] == len(self.members)
        assert bool(question) == bool(self.phase)
        if not question:
            return
        assert (question["phase"], question["round"]) == (self.phase, len(self.rounds))
        assert question["answered"] == len(self.rounds[-1])
        expected = [sorted(votes.values()) for votes in self.rounds]
        assert question["votes"] == (None if self.phase == "asking" else expected)
        assert ("right" in question["answer"]) == (self.phase == "revealed")


def test_one_vote_a_member_counted_and_unseen_before_it_is_shown(new_store):
    machine = type("ClassOnStore", (Class,), {"new_store": staticmethod(new_store)})
    limits = settings(max_examples=25, stateful_step_count=30)
    in_a_thread(lambda: run_state_machine_as_test(machine, settings=limits))
