"""Questions on the stage: predicted in a lecture, practised alone, graded without the server."""

import json

import pytest
from playwright.sync_api import expect

from dashboard.catalogue import CATALOGUE
from dashboard.practice import round_of
from dashboard.presets import practice_rounds
from dashboard.rounds import link_of_round, practice_settings, questions_of, view_of
from dashboard.settings import Settings
from dmlib.pictures.answers import Option, Order, Pick, Place, Value
from dmlib.pictures.question import judge
from tests.browser.modules import call, mounted
from tests.visit import technique

pytestmark = pytest.mark.browser

ROUND = {
    "source": "generator",
    "blobs.n_samples": "12",
    "blobs.centers": "3",
    "blobs.spread": "1.6",
    "kmeans.init": "random",
    "seed": "4",
}


def view_of_round():
    page = technique("kmeans")
    query = {name: [text] for name, text in ROUND.items()}
    return view_of(page, Settings.from_query(query, page.opening_link))


@pytest.fixture
def questions():
    """Return the questions of a round of k-means."""
    return [each.question for each in round_of(questions_of(view_of_round()))]


class Quiz:
    """The question on a stage."""

    def __init__(self, stage):
        self.stage, self.box = stage, stage.page.get_by_test_id("question")
        self.verdict = stage.page.get_by_test_id("verdict")

    def press(self, name):
        self.box.get_by_role("button", name=name, exact=True).click()

    def give(self, answer, response):
        """Give an answer with what stands beside the picture; of a place, any one."""
        expect(self.box).to_have_attribute("data-kind", answer.kind)
        if isinstance(answer, Option):
            self.box.locator(".dm-answer button").nth(response).click()
            return
        if isinstance(answer, Pick | Value):
            values = response if isinstance(answer, Pick) else [response]
            self.box.get_by_role("textbox").fill(", ".join(map(str, values)) or "0")
        elif isinstance(answer, Order):
            for place in response:
                self.box.locator(".dm-answer button").nth(place).click()
        else:
            self.stage.canvas().click(position={"x": 200, "y": 100})
        self.press("Check")


@pytest.fixture
def practice(stage):
    stage.open("kmeans", **ROUND, practice="1")
    return Quiz(stage)


def test_the_stage_grades_as_python_does(modules):
    cases = []
    for slug in CATALOGUE:
        page = technique(slug)
        if page.practice is None:
            continue
        links = [link_of_round(slug, number) for number in range(len(practice_rounds(slug)))]
        views = [view_of(page, practice_settings(page, 1, link)) for link in links]
        for each in (each for view in views for each in questions_of(view)):
            answer = each.question.answer
            given = [*answer.right, *(error.answer for error in each.question.errors)]
            cases += [(each.packed(), json.loads(json.dumps(one)), each.question) for one in given]
    graded = call(
        modules,
        "stage/answers.js",
        "return argument.map(([question, given]) => m.judge(question, given));",
        [[packed, given] for packed, given, _ in cases],
    )
    assert len(graded) >= 10
    for verdict, (_, given, question) in zip(graded, cases, strict=True):
        expected = judge(question, given)
        assert verdict["right"] == expected.is_right
        assert (verdict["error"] or {}).get("rule") == (expected.rule and str(expected.rule))


def test_a_round_is_graded_question_by_question_and_kept(practice, questions):
    page, n_right = practice.stage.page, 0
    for number, question in enumerate(questions, 1):
        expect(practice.box).to_contain_text(f"{number} of {len(questions)}")
        expect(practice.box).to_contain_text(question.prompt)
        expect(practice.verdict).to_be_hidden()
        answer = question.answer
        is_place = isinstance(answer, Place)
        practice.give(answer, answer.right[0])
        expect(practice.verdict).to_have_attribute("data-right", "false" if is_place else "true")
        expect(practice.verdict).to_contain_text(question.proof)
        n_right += not is_place
        practice.press("Next")
    expect(practice.box).to_contain_text(f"{n_right} of {len(questions)} answers right")
    kept = json.loads(page.evaluate("localStorage.getItem('dm-progress')"))
    assert kept["kmeans"]["rounds"] == 1
    assert kept["kmeans"]["best"] == pytest.approx(n_right / len(questions))


def test_a_wrong_answer_of_a_known_rule_is_named_and_counted(practice, questions):
    for question in questions:
        named = [error for error in question.errors if not isinstance(question.answer, Place)]
        if named:
            practice.give(question.answer, named[0].answer)
            expect(practice.verdict).to_have_attribute("data-right", "false")
            expect(practice.verdict).to_contain_text(str(named[0].rule))
            practice.press("Next")
        else:
            practice.press("Skip (S)")
    expect(practice.box).to_contain_text("0 of")
    expect(practice.box).to_contain_text("Look again at")
    stored = practice.stage.page.evaluate("localStorage.getItem('dm-progress')")
    assert json.loads(stored)["kmeans"]["wrong"]


def test_keys_alone_play_a_round(practice, questions):
    keyboard = practice.stage.page.keyboard
    for question in questions:
        answer = question.answer
        expect(practice.box).to_have_attribute("data-kind", answer.kind)
        if isinstance(answer, Option):
            keyboard.press(str(answer.right[0] + 1))
        elif isinstance(answer, Place):
            practice.stage.root.focus()
            keyboard.press("Shift+ArrowUp")
            expect(practice.box.get_by_role("button", name="Check")).to_be_enabled()
            keyboard.press("Enter")
        else:
            given = answer.right[0]
            keyboard.type(
                ", ".join(map(str, given)) or "0" if isinstance(answer, Pick) else str(given)
            )
            keyboard.press("Enter")
        expect(practice.verdict).to_be_visible()
        keyboard.press("Enter")
    expect(practice.box).to_contain_text("right at the first try")


def test_new_data_follow_a_round_and_its_end_leaves_the_page(practice, questions):
    for _ in questions:
        practice.press("Skip (S)")
    before = practice.stage.link["seed"]
    practice.press("New data")
    expect(practice.box).to_contain_text("1 of")
    assert practice.stage.settle().link["practice"] == "1"
    assert practice.stage.link.get("seed") != before
    practice.press("End")
    expect(practice.box).to_be_hidden()
    assert "practice" not in practice.stage.settle().link
    expect(practice.stage.part("controls").get_by_role("slider").first).to_be_visible()


def test_a_page_that_is_opened_for_practice_asks_at_once(stage):
    stage.open("kmeans", practice="1")
    expect(Quiz(stage).box).to_contain_text("1 of")
    assert stage.settle().link["kmeans.init"] == "random"


def test_ones_own_file_is_practised_on(stage):
    rows = [f"{x},{y}" for x, y in ((1, 1), (2, 1), (1, 2), (7, 8), (9, 9), (8, 6), (5, 5))]
    settings = {"kmeans.n_clusters": "3", "kmeans.init": "random"}
    stage.open("kmeans", source="upload", **settings)
    stage.upload("\n".join(["a,b", *rows]).encode()).settle()
    stage.close_data()
    stage.page.get_by_role("button", name="Practise").click()
    quiz = Quiz(stage)
    expect(quiz.box).to_contain_text("1 of")
    assert stage.settle().link["practice"] == "own"
    assert "7 rows" in stage.page.locator(".st-key-data-line").inner_text()


def test_being_the_algorithm_asks_every_decision(stage):
    stage.open("kmeans", **ROUND, practice="all")
    quiz, n = Quiz(stage), len(questions_of(view_of_round()))
    expect(quiz.box).to_contain_text(f"1 of {n}")
    for _ in range(n):
        quiz.press("Skip (S)")
    expect(quiz.box).to_contain_text(f"0 of {n} decisions")
    quiz.press("Watch the run")
    expect(stage.root).not_to_have_attribute("data-frame", "0")


def test_prediction_stops_the_player_before_each_step_that_has_a_question(stage, questions):
    stage.open("kmeans", **ROUND, step="0")
    stage.page.get_by_role("button", name="Predict").click()
    assert stage.settle().link["predict"] == "1"
    quiz = Quiz(stage)
    stage.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    expect(quiz.box).to_contain_text("Predict")
    frame = stage.frame
    question = next(each for each in questions if each.topic == "nearest centre")
    expect(quiz.box).to_contain_text(question.prompt)
    quiz.box.locator(".dm-answer button").nth(question.answer.right[0]).click()
    expect(quiz.verdict).to_be_hidden()  # the class discusses
    assert stage.frame == frame
    quiz.press("Reveal")
    expect(quiz.verdict).to_have_attribute("data-right", "true")
    stage.shows_frame(frame + 1)
    quiz.press("Next")
    expect(quiz.box).to_be_hidden()
    stage.press("ArrowRight")
    expect(quiz.box).to_be_visible()
    stage.page.keyboard.press("s")
    stage.shows_frame(frame + 2)


def test_a_place_is_answered_on_the_picture(modules):
    view = view_of_round()
    place = next(each for each in questions_of(view) if isinstance(each.question.answer, Place))
    result = mounted(
        modules,
        view.scene,
        """
        const { quiz } = stage;
        const panel = stage.view.panels.get('data');
        const [x, y] = quiz.question.answer.right[0];
        const box = panel.canvas.getBoundingClientRect();
        const [offsetX, offsetY] = [panel.axes.x(x), panel.axes.y(y)];
        const began = performance.now();
        for (const type of ['pointerdown', 'pointerup', 'click']) {
          panel.canvas.dispatchEvent(new MouseEvent(type, { bubbles: true,
            clientX: box.left + offsetX, clientY: box.top + offsetY }));
        }
        quiz.commit();
        const { right } = quiz.answers[0];
        return { right, verdict: quiz.verdict.dataset.right, took: performance.now() - began };
        """,
        asks=True,
        quiz={"mode": "1", "questions": [place.packed()]},
    )
    assert result["right"]
    assert result["verdict"] == "true"


def test_a_saved_page_offers_nothing_that_only_a_server_could_answer(modules):
    view = view_of_round()
    (first, *_) = questions_of(view)
    result = mounted(
        modules,
        view.scene,
        """
        const texts = () => [...root.querySelectorAll('.dm-player button, .dm-question button')]
          .filter((button) => button.checkVisibility()).map((button) => button.textContent.trim());
        const asking = texts();
        stage.quiz.skip();
        return { asking, ended: texts(), inputs: root.querySelectorAll('.dm-name').length };
        """,
        asks=True,
        quiz={"mode": "1", "questions": [first.packed()]},
    )
    assert "End" not in result["asking"]
    assert not {"Predict", "Practise"} & {*result["asking"], *result["ended"]}
    assert result["ended"] == ["Again", "Watch the run"]
    assert result["inputs"] == 0
