"""The live route answers while a control moves; Streamlit gets the value once it rests."""

import base64
import gzip
import json
import re

import pytest

from tests.browser.modules import call

pytestmark = pytest.mark.browser

C = "C (∞: hard margin)"


def questions(stage):
    """Collect what the stage asks while a control moves, and what it asks ahead."""
    requests, prefetches = [], []

    def note(request):
        if request.url.endswith("/live"):
            (prefetches if "ahead" in json.loads(request.post_data) else requests).append(request)

    stage.page.on("request", note)
    return requests, prefetches


def test_a_key_is_answered_before_streamlit_is_told_and_streamlit_once_for_several(stage):
    stage.open("svm", opening="defaults")
    (requests, _), before, n_requests = (
        questions(stage),
        stage.caption,
        stage.conversation.n_requests,
    )
    for _ in range(2):
        stage.slider(C).press("ArrowRight")
    stage.settle()
    value = stage.link["svm.C"]
    assert [json.loads(request.post_data)["changed"]["name"] for request in requests] == [
        "svm.C"
    ] * len(requests)
    assert json.loads(requests[-1].post_data)["changed"]["value"] == value
    # The value, a finer picture, and perhaps the place of the player.
    assert stage.conversation.n_requests - n_requests <= 3
    assert stage.caption != before


def test_the_frame_in_which_the_player_stands_is_shown_and_stepping_on_has_all_of_them(stage):
    stage.open("kmeans", step=3).settle()
    with stage.page.expect_response("**/live") as answer:
        stage.slider("Clusters k").press("ArrowRight")
    assert json.loads(answer.value.request.post_data)["at"] == 3
    stage.shows_frame(3)
    stage.root.press("ArrowRight")
    stage.settle().shows_frame(4)
    assert stage.state() == stage.open("kmeans", **stage.link | {"step": "4"}).settle().state()


def test_a_step_made_while_the_answer_is_on_its_way_is_not_taken_back(stage, visitor):
    stage.open("kmeans", step=3).settle()
    delayed = []
    stage.page.route("**/live", lambda route: delayed.append(route))  # noqa: PLW0108 -- Playwright takes no built-in
    stage.slider("Clusters k").press("ArrowRight")
    stage._until(lambda: len(delayed) == 1)
    stage.root.press("ArrowRight")
    stage.shows_frame(4)
    delayed.pop().continue_()
    stage.page.wait_for_url("**kmeans.n_clusters=**")
    stage.settle().shows_frame(4)
    assert stage.state() == visitor().open("kmeans", **stage.link | {"step": "4"}).settle().state()


def test_what_a_restarted_server_has_not_heard_is_said_again(modules):
    messages = call(
        modules,
        "stage/talk.js",
        """
        const messages = [];
        const tell = (kind, message) => messages.push(message);
        const host = { tell, show: () => {}, at: () => 0, busy: () => {}, unsaid: () => {} };
        const talk = new m.Talk(host);
        talk.say('changed', { name: 'k', value: '5' });
        talk.heard(0);
        const { number } = messages.at(-1);
        talk.heard(number - 1);
        talk.heard(number);
        talk.heard(0);
        return messages.map(({ name, value }) => [name, value]);
        """,
    )
    assert messages == [["k", "5"]] * 2


def test_one_question_is_on_its_way_and_the_last_value_follows(stage):
    stage.open("kmeans")
    delayed = []
    stage.page.route("**/live", lambda route: delayed.append(route))  # noqa: PLW0108 -- Playwright takes no built-in
    slider = stage.slider("Clusters k")
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End"):
        slider.press(key)
    stage.page.wait_for_timeout(200)
    assert len(delayed) == 1
    delayed.pop().continue_()
    stage.page.wait_for_function(
        "() => document.querySelector('.dm-controls').dataset.busy === 'true'"
    )
    stage._until(lambda: len(delayed) == 1)
    delayed.pop().continue_()
    stage.settle()
    assert stage.link["kmeans.n_clusters"] == slider.get_attribute("aria-valuetext")


@pytest.mark.parametrize("answer", [{"status": 404}, {"status": 204}, {"status": 500}, None])
def test_without_the_short_way_the_value_goes_by_streamlit(stage, visitor, answer):
    stage.open("kmeans")
    stage.page.route("**/live", lambda route: route.fulfill(**answer) if answer else route.abort())
    stage.errors = _Tolerant()  # the browser itself reports what it could not load
    stage.slider("Clusters k").press("ArrowRight")
    stage.page.wait_for_url("**kmeans.n_clusters=**")
    assert stage.settle().state() == visitor().open("kmeans", **stage.link).settle().state()


class _Tolerant(list):
    def append(self, error):
        if "/live" not in error and "Failed to load" not in error:
            super().append(error)


def test_two_controls_one_after_the_other_both_count(stage, visitor):
    stage.open("svm", opening="defaults")
    stage.slider(C).press("ArrowRight")
    stage.slider("γ").or_(stage.part("controls").get_by_role("slider").nth(1)).first.press(
        "ArrowRight"
    )
    stage.settle()
    assert {name for name in stage.link if name.startswith("svm.")} >= {"svm.C"}
    assert len([name for name in stage.link if name.startswith("svm.")]) == 2
    assert stage.state() == visitor().open("svm", **stage.link).settle().state()


def test_a_key_whose_picture_was_asked_for_ahead_waits_for_no_answer(stage, visitor):
    stage.open("kmeans")
    requests, prefetches = questions(stage)
    slider = stage.slider("Clusters k")
    slider.press("ArrowRight")
    stage._until(lambda: len(prefetches) >= 2)
    stage.settle()
    values = [json.loads(request.post_data)["changed"]["value"] for request in prefetches]
    value = int(slider.get_attribute("aria-valuetext"))
    assert values[:2] == [str(value + 1), str(value - 1)]
    before = len(requests)
    slider.press("ArrowRight")
    stage.page.wait_for_url(f"**kmeans.n_clusters={value + 1}**")
    assert len(requests) == before
    assert stage.settle().state() == visitor().open("kmeans", **stage.link).settle().state()


@pytest.mark.parametrize(
    ("slug", "name", "key"),
    [
        ("multiclass", "method", "ArrowDown"),
        ("naive_bayes", "numeric", "ArrowDown"),
        ("ridge_lasso", "standardize", "Space"),
        ("mlp", "units1 more", "Enter"),
    ],
)
def test_a_choice_that_a_key_makes_again_waits_for_no_answer(stage, visitor, slug, name, key):
    for _ in range(5):  # a server that has others to answer answers nothing ahead
        stage.open(slug, opening="defaults").settle()
        requests, prefetches = questions(stage)
        control = stage.part("controls").locator(
            f"[name='{slug}.{name}']:is(select, button, [type=checkbox], :checked)"
        )
        before = stage.page.url
        control.press(key)
        stage._until(lambda: prefetches)  # noqa: B023 -- called in this round
        stage.settle()
        if all(request.response().body() for request in prefetches):
            break
    between, n_requests = stage.page.url, len(requests)
    control.press(key)
    stage.page.wait_for_function("before => location.href !== before", arg=between)
    assert len(requests) == n_requests
    assert between != before
    assert stage.settle().state() == visitor().open(slug, **stage.link).settle().state()


def test_what_was_asked_ahead_is_forgotten_when_another_control_moves(stage, visitor):
    stage.open("svm", opening="defaults")
    _, prefetches = questions(stage)
    stage.slider(C).press("ArrowRight")
    stage._until(lambda: len(prefetches) >= 2)
    stage.settle()
    stage.part("controls").get_by_role("slider").nth(1).press("ArrowRight")
    stage.settle()
    stage.slider(C).press("ArrowRight")
    stage.settle()
    assert stage.state() == visitor().open("svm", **stage.link).settle().state()


def test_dragging_and_a_held_key_ask_nothing_ahead(modules):
    result = call(
        modules,
        "stage/talk.js",
        """
        const requests = [];
        const answer = { ok: true, arrayBuffer: async () => new ArrayBuffer(1) };
        window.fetch = async (_, { body }) => { requests.push(JSON.parse(body)); return answer; };
        const show = (_, number) => talk.heard(number, true);
        const host = { tell: () => {}, show, at: () => null, busy: () => {}, unsaid: () => {} };
        const talk = new m.Talk(host);
        talk.token = 'x';
        talk.say('changed', { name: 'k', value: '5' }, true);
        await new Promise((then) => setTimeout(then, 120));
        for (let i = 0; i < 6; i += 1) {
          const next = { name: 'k', value: String(i + 1) };
          talk.say('changed', { name: 'k', value: String(i) }, true, [next]);
          await new Promise((then) => setTimeout(then, 10));
        }
        const prefetches = () => requests.filter(({ ahead }) => ahead);
        const nPrefetches = prefetches().length;
        await new Promise((then) => setTimeout(then, 150));
        talk.end();
        return [nPrefetches, prefetches().map(({ changed }) => changed.value)];
        """,
    )
    assert result == [0, ["6"]]


def test_what_a_hand_has_changed_since_is_not_put_back(modules):
    holds = call(
        modules,
        "stage/talk.js",
        """
        const numbers = [];
        const tell = (kind, { number }) => numbers.push(number);
        const host = { tell, show: () => {}, at: () => 0, busy: () => {}, unsaid: () => {} };
        const talk = new m.Talk(host);
        const holds = [];
        const ask = () => holds.push(talk.holds('cells', numbers.at(-1)));
        for (const cells of ['10', '11']) talk.say('moved', { name: 'cells', cells });
        ask();  // the second waits for the answer to the first
        talk.heard(numbers[0]);
        holds.push(talk.holds('cells', numbers[0]));  // and is on its way
        ask();
        talk.heard(numbers[1]);
        holds.push(talk.holds('cells'));
        talk.end();
        return holds;
        """,
    )
    assert holds == [True, True, False, False]


def test_it_is_known_whether_all_that_is_shown_has_been_told(modules):
    unsaid = call(
        modules,
        "stage/talk.js",
        """
        const [unsaid, numbers] = [[], []];
        window.fetch = async () => ({ ok: true, arrayBuffer: async () => new ArrayBuffer(1) });
        const shown = new Promise((then) => { window.dmShown = then; });
        const show = (_, number) => { talk.heard(number, true); window.dmShown(); };
        const tell = (kind, { number }) => numbers.push(number);
        const host = { tell, show, at: () => null, busy: () => {} };
        const talk = new m.Talk({ ...host, unsaid: (value) => unsaid.push(value) });
        talk.token = 'x';
        talk.say('changed', { name: 'k', value: '5' }, true);
        await shown;
        talk.settle();
        talk.heard(numbers.at(-1));
        talk.end();
        return unsaid;
        """,
    )
    assert unsaid == [False, True, False]


def test_a_picture_that_is_saved_cannot_ask(stage):
    stage.open("kmeans")
    requests, _ = questions(stage)
    with stage.page.expect_response("**/live"):
        stage.slider("Clusters k").press("ArrowRight")
    token = json.loads(requests[0].post_data)["token"]
    stage.settle()
    stage.part("menu").locator("summary").click()
    with stage.page.expect_download() as saved:
        stage.root.get_by_role("button", name="Playable HTML").click()
    text = saved.value.path().read_text("utf-8")
    packed = re.findall(r"H4sI[\w+/=]+", text)
    modules = [gzip.decompress(base64.b64decode(module)).decode() for module in packed]
    assert any("_stcore" in module for module in modules)  # all of the stage is in it
    assert token not in "".join([text, *modules])
