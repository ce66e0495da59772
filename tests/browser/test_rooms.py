"""A class in a room: one projector and its phones, each in a browser of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from dmlib.datasets import decode_points
from tests.browser.access import serious
from tests.browser.classes import OF_STAGE, PHONE, Phone, Teacher
from tests.browser.running import Server
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser

QUERY = {"bayesian_network.method": "Query a network"}
MAX_BYTES = 150_000  # of the page of a phone, compressed
N_ROWS = "({ view, player }) => view.dataMark.get('x', player.moment).length"


@pytest.fixture
def phone(server: Server, browser: Browser) -> Iterator[Callable[..., Phone]]:
    """Return a function that takes out another phone."""
    phones = []

    def take(**options) -> Phone:
        phones.append(Phone(browser.new_context(**{**PHONE, **options}), server.address))
        return phones[-1]

    yield take
    for each in phones:
        each.context.close()
    assert [error for each in phones for error in each.errors] == []


@pytest.fixture
def teacher(visitor) -> Teacher:
    return Teacher(visitor().open("kmeans", step=6))


def test_phones_join_by_link_and_by_code_and_follow_each_step(teacher, phone):
    by_link, by_code = phone().join(teacher.code), phone()
    by_code.page.goto(f"{by_code.address}/join")
    by_code.page.get_by_label("Code of the room").fill(teacher.code.lower())
    by_code.page.get_by_role("button", name="Join").click()
    expect(teacher.strip).to_contain_text("2 joined")
    teacher.stage.press("ArrowRight")
    for each in (by_link, by_code):
        each.shows(7)
        caption = each.stage.locator(".dm-caption")
        expect(caption).to_have_text(teacher.stage.caption)
        expect(caption).to_have_attribute("aria-live", "polite")
    by_link.stage.press("ArrowRight")  # the steps are the teacher's
    teacher.stage.press("End")
    by_link.shows(teacher.stage.frames - 1)


def test_phones_follow_a_control_that_moves_and_another_page(teacher, phone):
    follower = phone().join(teacher.code)
    teacher.stage.slider("Clusters k").press("ArrowLeft")
    caption = teacher.stage.settle().caption
    expect(follower.stage.locator(".dm-caption")).to_have_text(caption)
    code = teacher.code
    teacher.stage.open("dbscan")
    expect(follower.page.get_by_role("heading", name="DBSCAN")).to_be_visible()
    expect(teacher.page.get_by_test_id("room-code")).to_have_text(code)
    expect(follower.stage.locator(".dm-caption")).to_have_text(teacher.stage.caption)


def test_an_unknown_code_is_refused_in_a_sentence(phone):
    lost = phone()
    lost.page.goto(f"{lost.address}/join/AAAAAA")
    expect(lost.page.get_by_role("alert")).to_contain_text("room")
    expect(lost.page.get_by_label("Code of the room")).to_be_visible()


def test_a_class_votes_on_the_picture_twice_and_sees_the_answer(teacher, phone):
    phones = [phone().join(teacher.code) for _ in range(3)]
    teacher.stage.press("ArrowRight")
    teacher.ask("Which rows change their cluster now?")
    first, *followers = phones
    expect(first.question).to_contain_text("Which rows change their cluster now?")
    first.touch_row(2)
    first.question.get_by_role("button", name="Vote", exact=True).click()
    first.has_arrived()
    for each in followers:
        each.vote("12")
    expect(teacher.board).to_contain_text("3 of 3 answered")
    expect(teacher.board.get_by_test_id("votes")).to_have_count(0)  # how many, and not what
    teacher.press("Show votes")
    for board in (teacher.board, followers[0].question):
        expect(board.get_by_test_id("votes")).to_contain_text("row 122")
        expect(board.get_by_test_id("votes")).to_contain_text("row 21")
    teacher.press("Vote again")
    expect(teacher.board).to_contain_text("Second vote")
    for each in phones:
        each.vote("2")
    teacher.press("Show votes")
    votes = teacher.board.get_by_test_id("votes")
    expect(votes).to_contain_text("round 1: 3")
    expect(votes.get_by_role("listitem").first).to_have_text(re.compile("row 2.*1.*3"))
    teacher.press("Reveal")
    teacher.stage.shows_frame(8)
    expect(teacher.board).to_contain_text("Row 2 is")  # the proof
    first.shows(8)
    expect(first.question).to_contain_text("Not quite: rows 2, 4")
    expect(first.question).to_contain_text("Row 2 is")  # and on the phone
    teacher.press("Done")
    expect(first.question).to_be_hidden()


def test_an_answer_can_be_changed_until_the_votes_are_shown(teacher, phone):
    voter = phone().join(teacher.code)
    teacher.ask_own("Is k right?", "option", "no\n* yes\nit depends")
    voter.vote("no")
    voter.question.get_by_role("button", name="Change my answer").click()
    voter.vote("yes")
    expect(teacher.board).to_contain_text("1 of 1 answered")
    teacher.press("Show votes")
    items = teacher.board.get_by_role("listitem")
    expect(items).to_have_text(["no0", "yes1", "it depends0"])
    teacher.press("Reveal")
    expect(items).to_have_text(["no0", "✓ yes1", "it depends0"])
    expect(voter.question).to_contain_text("Right.")


def test_a_click_anywhere_on_the_picture_is_a_question_of_ones_own(teacher, phone):
    voter = phone().join(teacher.code)
    before = teacher.stage.ink()
    teacher.ask_own("Where would you put a centre?", "place")
    voter.stage.locator("[data-panel=data] canvas").tap(position={"x": 200, "y": 150})
    voter.question.get_by_role("button", name="Vote", exact=True).click()
    voter.has_arrived()
    teacher.press("Show votes")
    expect(teacher.board).to_contain_text("All answers are on the picture.")
    assert teacher.stage.painted().ink() != before


def test_a_late_comer_and_a_phone_that_was_away_are_up_to_date(teacher, phone):
    away = phone().join(teacher.code)
    away.context.set_offline(True)
    expect(away.page.get_by_text("The connection is lost.")).to_be_visible()
    teacher.ask_own("Is k right?", "option", "no\nyes")
    late = phone().join(teacher.code)
    late.vote("yes")
    away.context.set_offline(False)
    away.vote("no")
    expect(away.page.get_by_text("The connection is lost.")).to_be_hidden()
    away.page.reload()
    away.has_arrived()  # it is the same member, and its vote the same one
    expect(teacher.board).to_contain_text("2 of 2 answered")


def test_the_time_of_a_question_ends(teacher, phone):
    voter = phone().join(teacher.code)
    voter.page.clock.install()
    teacher.press("Ask")
    teacher.dialog.get_by_label("Time").select_option("30 s")
    teacher.dialog.get_by_label("Question").fill("Quick?")
    teacher.dialog.get_by_label("Options", exact=True).fill("no\nyes")
    teacher.press("Ask this")
    expect(voter.page.get_by_role("timer")).to_have_text(re.compile(r"\d+ s"))
    voter.page.clock.run_for(31_000)
    expect(voter.question).to_contain_text("The time is up.")


def test_each_phone_practises_and_the_teacher_sees_misconceptions(teacher, phone):
    learner = phone().join(teacher.code)
    teacher.press("Everybody tries")
    question = learner.page.locator("#task").get_by_test_id("question")
    expect(question).to_contain_text("1 of 7")
    answers = question.get_by_role("group", name="Your answer").get_by_role("button")
    answers.first.click()
    expect(teacher.board).to_contain_text(re.compile("1 of 1 have begun · [01] of 1 answers right"))
    teacher.press("End")
    expect(learner.page.locator("#task")).to_be_hidden()


def test_each_phone_practises_the_method_that_is_shown(visitor, phone):
    teacher = Teacher(visitor().open("bayesian_network", **QUERY))
    learner = phone().join(teacher.code)
    teacher.press("Everybody tries")
    question = learner.page.locator("#task").get_by_test_id("question")
    expect(question).to_contain_text("independent of lung_cancer")


def test_the_points_of_a_class_become_the_data_of_the_page(teacher, phone):
    phones = [phone().join(teacher.code) for _ in range(3)]
    teacher.press("Collect")
    for i, each in enumerate(phones):
        each.place(0.3 + 0.2 * i, 0.5)
    expect(teacher.board).to_contain_text("3 of 3 placed a point")
    teacher.press("Use these data")
    teacher.page.wait_for_url("**points=*")
    teacher.stage.root.wait_for()
    link = parse_qs(urlsplit(teacher.page.url).query)
    points = decode_points(link["points"][0])
    assert link["source"] == ["draw"]
    assert points.shape == (3, 3)
    assert sorted(points[:, 0]) == pytest.approx([2.5, 5, 7.5], abs=0.5)
    assert points[:, 1] == pytest.approx(5, abs=0.3)
    n_rows = f"() => ({OF_STAGE})({N_ROWS!r}) === 3"
    phones[0].page.wait_for_function(n_rows)


def test_points_of_a_classification_have_a_class(visitor, phone):
    teacher = Teacher(visitor().open("knn"))
    placer = phone().join(teacher.code)
    teacher.press("Collect")
    placer.page.get_by_role("button", name="Class B").click()
    placer.place(0.5, 0.5)
    other = phone().join(teacher.code)
    other.place(0.2, 0.2)
    expect(teacher.board).to_contain_text("2 of 2 placed a point")
    teacher.press("Use these data")
    teacher.page.wait_for_url("**points=*")
    points = decode_points(parse_qs(urlsplit(teacher.page.url).query)["points"][0])
    assert sorted(points[:, 2]) == [0, 1]


def test_the_rows_of_a_class_become_the_data_of_the_page(visitor, phone):
    teacher = Teacher(visitor().open("naive_bayes"))
    phones = [phone().join(teacher.code) for _ in range(2)]
    teacher.collect_rows()
    first, second = phones
    first.fill_in(outlook="sunny", temperature="hot", humidity="high", windy="TRUE")
    expect(first.task).to_contain_text("play: choose one of the 2 values.")
    first.fill_in(play="no")
    expect(first.task).to_contain_text("Your row has arrived")
    second.fill_in(outlook="rainy", temperature="cool", humidity="high", windy="FALSE", play="yes")
    expect(second.task).to_contain_text("Your row has arrived")
    expect(teacher.board).to_contain_text("2 of 2 sent a row")
    for row in ("outlooktemperature", "sunnyhothigh", "rainycoolhigh"):
        expect(teacher.board.get_by_role("row").filter(has_text=row)).to_have_count(1)
    teacher.press("Use these data")
    data_line = teacher.page.locator(".st-key-data-line")
    expect(data_line).to_contain_text("class.json")
    expect(data_line).to_contain_text("2 rows")
    expect(first.task).to_be_hidden()
    caption = teacher.stage.settle().caption
    expect(first.stage.locator(".dm-caption")).to_have_text(caption)


@pytest.mark.parametrize(
    ("slug", "fields", "rows"),
    [
        ("apriori", {"items": ["beer", "milk"]}, "2 baskets"),
        ("strings", {"text": "kitten, <b>"}, "2"),
    ],
)
def test_item_sets_and_texts_are_rows_too(visitor, phone, slug, fields, rows):
    teacher = Teacher(visitor().open(slug))
    senders = [phone().join(teacher.code) for _ in range(2)]
    teacher.press("Collect")
    for sender in senders:
        sender.fill_in(**fields)
        expect(sender.task).to_contain_text("Your row has arrived")
    teacher.press("Use these data")
    data_line = teacher.page.locator(".st-key-data-line")
    expect(data_line).to_contain_text("class.")
    expect(data_line).to_contain_text(rows)


def test_a_teacher_chooses_between_points_and_rows(visitor, phone):
    features = ["bill_length_mm", "bill_depth_mm", "body_mass_g"]
    teacher = Teacher(visitor().open("knn", data="penguins", **{"penguins.features": features}))
    sender = phone().join(teacher.code)
    teacher.collect_rows()
    sender.fill_in(bill_length_mm="39,1", bill_depth_mm="x", body_mass_g="3750", species="Adelie")
    expect(sender.task).to_contain_text("bill_depth_mm: type a number from 4 to 30.")
    sender.fill_in(bill_depth_mm="18.7")
    expect(teacher.board.get_by_role("row").nth(1)).to_have_text("39.118.73750Adelie")
    assert serious(Stage(sender.page, sender.address), "body") == []


@pytest.mark.parametrize("width", [390, 820])
def test_a_teacher_has_a_phone_or_a_tablet_too(visitor, phone, width):
    stage = visitor(**PHONE | {"viewport": {"width": width, "height": 844}}).open("kmeans", step=6)
    teacher = Teacher(stage)
    voter = phone().join(teacher.code)
    teacher.ask_own("Is k right?", "option", "no\n* yes")
    voter.vote("yes")
    for act in ("Show votes", "Reveal"):
        teacher.press(act)
        expect(teacher.board.get_by_role("listitem")).to_have_count(2)
    for part in (teacher.page.get_by_role("button", name="Class", exact=True), teacher.board):
        box = part.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_a_nickname_is_text_and_can_be_hidden_and_removed(teacher, phone):
    nickname = "<b>Ada</b>&amp;"
    named = phone().join(teacher.code)
    named.page.get_by_label("Nickname").fill(nickname)
    named.page.get_by_role("button", name="Save").click()
    expect(named.page.get_by_text(f"Your teacher sees: {nickname}")).to_be_visible()
    teacher.page.get_by_test_id("room-code").click()
    names = teacher.dialog.get_by_role("listitem")
    expect(names).to_contain_text(nickname)
    expect(names.locator("b")).to_have_count(0)
    teacher.press(f"Hide {nickname}")
    expect(names).to_contain_text("(hidden)")
    teacher.press(f"Remove {nickname}")
    expect(names).to_have_count(0)
    expect(named.page.get_by_label("Code of the room")).to_be_visible()


def test_results_are_a_file_and_a_closed_room_is_over(teacher, phone):
    voter = phone().join(teacher.code)
    teacher.ask_own("Is k right?", "option", "no\nyes")
    voter.vote("yes")
    expect(teacher.board).to_contain_text("1 of 1 answered")
    with teacher.page.expect_download() as download:
        teacher.press("Results (CSV)")
    assert "Is k right?,yes" in download.value.path().read_text("utf-8")
    teacher.press("Close room")
    teacher.dialog.get_by_role("button", name="Close the room").click()
    expect(voter.page.get_by_text("The room is closed.")).to_be_visible()
    expect(teacher.page.get_by_test_id("room-code")).to_have_count(0)
    expect(teacher.stage.part("caption")).to_be_visible()


def test_the_room_stays_when_the_page_is_loaded_again(teacher, phone):
    code = teacher.code
    teacher.ask_own("Stays?", "option", "no\nyes")
    teacher.page.reload()
    expect(teacher.page.get_by_test_id("room-code")).to_have_text(code)
    expect(teacher.board).to_contain_text("Stays?")
    phone().join(code).vote("yes")
    expect(teacher.board).to_contain_text("1 of 1 answered")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(visitor, phone, scheme):
    teacher = Teacher(visitor(color_scheme=scheme).open("kmeans", step=6))
    voter = phone(color_scheme=scheme).join(teacher.code)
    stage = Stage(voter.page, voter.address)
    assert serious(stage, "body") == []
    teacher.ask_own("Is k right?", "option", "no\n* yes")
    voter.vote("yes")
    teacher.press("Show votes")
    expect(voter.question.get_by_test_id("votes")).to_be_visible()
    assert serious(stage, "body") == []
    assert serious(teacher.stage, "[data-testid=stage]") == []
    teacher.press("Reveal")
    teacher.press("Collect")
    expect(voter.page.locator("#task svg.dm-pad")).to_be_visible()
    assert serious(stage, "body") == []
    assert serious(teacher.stage, "[data-testid=stage]") == []
    teacher.press("Ask")
    expect(teacher.dialog).to_be_visible()
    assert serious(teacher.stage, "dialog") == []
    teacher.dialog.get_by_role("button", name="Close").click()
    voter.page.goto(f"{voter.address}/join")
    expect(voter.page.get_by_label("Code of the room")).to_be_visible()
    assert serious(stage, "body") == []


def test_a_phone_loads_little(teacher, phone):
    follower = phone()
    sizes = []
    follower.page.on(
        "response", lambda response: sizes.append(response.header_value("content-length"))
    )
    follower.join(teacher.code)
    assert 0 < sum(int(size or 0) for size in sizes) < MAX_BYTES
    assert not any("_stcore" in each.url for each in follower.page.context.pages)


def test_a_point_is_placed_by_the_arrow_keys(teacher, phone):
    placer = phone().join(teacher.code)
    teacher.press("Collect")
    pad = placer.page.locator("#task svg.dm-pad")
    pad.press("ArrowUp")
    expect(placer.page.locator("#task")).to_contain_text("Your point has arrived")
    expect(teacher.board).to_contain_text("1 of 1 placed a point")
