"""A class hour: a projector, real phones, light and dark, and a crowd that speaks the protocol."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from dmlib.datasets import decode_points
from tests.browser.classes import PHONE, Crowd, Phone, Teacher

pytestmark = pytest.mark.browser

PROJECTOR = {"width": 1920, "height": 1080}
N_LIGHT = 6
N = N_LIGHT + 2


@pytest.fixture
def phones(server, browser):
    """Return two phones, which have not joined yet."""
    schemes = ("light", "dark")
    contexts = [browser.new_context(**PHONE, color_scheme=scheme) for scheme in schemes]
    phones = [Phone(context, server.address) for context in contexts]
    yield phones
    for context in contexts:
        context.close()
    assert [error for phone in phones for error in phone.errors] == []


def fits(part, size):
    """Wait until a part lies within the screen, and as much of it as is in view can be read."""
    expect(part).to_be_in_viewport(ratio=1)
    assert part.evaluate("part => part.scrollWidth <= part.clientWidth")
    assert part.bounding_box()["width"] <= size["width"]


def show_votes(teacher, phones, crowd, answers):
    """Let all vote, and show their votes."""
    crowd.vote(answers[:N_LIGHT])
    for phone, answer in zip(phones, answers[N_LIGHT:], strict=True):
        phone.answer(answer)
    expect(teacher.board).to_contain_text(f"{N} of {N} answered")
    teacher.press("Show votes")
    fits(teacher.board, PROJECTOR)
    for phone in phones:
        expect(phone.question).to_contain_text("The votes are shown.")
        fits(phone.question, PHONE["viewport"])


def ask_twice(teacher, phones, crowd, wrong):
    """Ask a question: at first two are right, and after the discussion six."""
    teacher.ask_next()
    question = teacher.question
    right, proof = question["answer"]["right"][0], question["proof"].strip()
    show_votes(teacher, phones, crowd, [right] * 2 + [wrong] * (N - 2))
    teacher.press("Vote again")
    for phone in phones:
        expect(phone.question).to_contain_text("Second vote")
    show_votes(teacher, phones, crowd, [right] * (N_LIGHT - 1) + [wrong] * 2 + [right])
    teacher.press("Reveal")
    expect(teacher.board).to_contain_text(f"Right: 2 of {N}, then {N_LIGHT} of {N}.")
    fits(teacher.board, PROJECTOR)
    expect(teacher.board).to_contain_text(proof)
    first, second = phones
    expect(first.question).to_contain_text("Not quite: ")
    expect(second.question).to_contain_text("Right.")
    teacher.stage.shows_frame(question["frame"])
    for phone in phones:
        expect(phone.question).to_contain_text(proof)
        phone.shows(question["frame"])
        fits(phone.question, PHONE["viewport"])
    teacher.press("Done")
    for phone in phones:
        expect(phone.question).to_be_hidden()


def test_a_class_hour(visitor, phones):
    teacher = Teacher(visitor(viewport=PROJECTOR).open("kmeans", projector="true", step="6"))
    with Crowd(phones[0].address, teacher.code, N_LIGHT) as crowd:
        for phone in phones:
            phone.join(teacher.code)
        expect(teacher.strip).to_contain_text(f"{N} joined")
        ask_twice(teacher, phones, crowd, wrong=[8, 3])
        teacher.stage.open("decision_tree", projector="true")
        ask_twice(teacher, phones, crowd, wrong=1)
        teacher.stage.open("roc", projector="true")
        ask_twice(teacher, phones, crowd, wrong=[1, 2])

        teacher.stage.open("knn", projector="true")
        teacher.press("Collect")
        expect(teacher.board).to_contain_text("Each phone places one point.")
        crowd.give([[2 + i / 2, 3, "A" if i < 3 else "B"] for i in range(N_LIGHT)])
        for phone in phones:
            phone.page.get_by_role("button", name="Class B").click()
            phone.place(0.7, 0.4)
        expect(teacher.board).to_contain_text(f"{N} of {N} placed a point")
        fits(teacher.board, PROJECTOR)
        teacher.press("Use these data")
        teacher.page.wait_for_url("**points=*")
        points = decode_points(teacher.stage.link["points"])
        assert sorted(points[:, 2]) == [0] * 3 + [1] * 5
        caption = teacher.stage.settle().caption
        for phone in phones:
            expect(phone.task).to_be_hidden()
            expect(phone.stage.locator(".dm-caption")).to_have_text(caption)
