"""The player: time, keys and the position that stays."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


CLOCK_OF_PLAYING_STANDS_STILL = "performance.now = () => 1e12"  # the next step is due then
LONGER_THAN_A_REST = (
    "() => new Promise((done) => setTimeout(done, 800))"  # timers fire in their order, however late
)


@pytest.fixture
def kmeans(stage):
    return stage.open("kmeans", step=0, opening="defaults")


def playing(stage):
    return stage.root.get_by_role("button", name="Pause").count() == 1


def test_opens_at_the_answer_and_says_what_it_shows(stage):
    kmeans = stage.open("kmeans")
    assert kmeans.frame == kmeans.frames - 1 > 5
    assert kmeans.caption.endswith(".")
    assert kmeans.part("count").inner_text() == f"{kmeans.frame} / {kmeans.frame}"
    assert kmeans.part("caption").get_attribute("aria-live") == "polite"


def test_keys_step_and_jump(kmeans):
    last = kmeans.frames - 1
    kmeans.press("ArrowRight").shows_frame(1).press("ArrowRight").shows_frame(2).press(
        "ArrowLeft"
    ).shows_frame(1)
    kmeans.press("End").shows_frame(last).press("ArrowRight").shows_frame(last)
    kmeans.press("Home").shows_frame(0).press("ArrowLeft").shows_frame(0)


def test_buttons_step_and_jump(kmeans):
    last = kmeans.frames - 1
    kmeans.act("forward").shows_frame(1).act("forward").shows_frame(2).act("back").shows_frame(1)
    kmeans.act("last").shows_frame(last).act("first").shows_frame(0)


def test_every_step_changes_the_sentence_and_the_picture(kmeans):
    texts = set()
    for frame in range(kmeans.frames):
        kmeans.shows_frame(frame)
        texts.add((kmeans.caption, kmeans.ledger))
        assert kmeans.ledger
        kmeans.press("ArrowRight")
    assert len(texts) == kmeans.frames


def test_plays_to_the_end_and_stops_there(kmeans):
    last = kmeans.frames - 1
    kmeans.speed.select_option("30")
    kmeans.press(" ").shows_frame(last)
    expect(kmeans.root.get_by_role("button", name="Play")).to_have_count(1)
    kmeans.page.evaluate(CLOCK_OF_PLAYING_STANDS_STILL)
    kmeans.press(" ").shows_frame(0)
    assert playing(kmeans)


def test_pause_stops_at_once(kmeans):
    kmeans.speed.select_option("0.5")  # slow, so that it does not end before the pause
    kmeans.act("play").shows_frame(1).act("play")
    assert not playing(kmeans)
    frame = kmeans.frame
    kmeans.page.wait_for_timeout(2500)  # longer than a step
    assert kmeans.frame == frame


def test_what_is_read_is_that_of_the_step_wherever_a_fast_player_is_paused(kmeans):
    texts = []
    for frame in range(kmeans.frames):
        kmeans.shows_frame(frame)
        texts.append((kmeans.caption, kmeans.ledger))
        kmeans.press("ArrowRight")
    kmeans.page.evaluate(CLOCK_OF_PLAYING_STANDS_STILL)
    # A slow player writes every step, however soon after another.
    kmeans.press("End", " ").shows_frame(0)
    assert playing(kmeans)
    assert (kmeans.caption, kmeans.ledger) == texts[0]
    kmeans.page.reload()
    kmeans.settle()
    kmeans.speed.select_option("60")
    kmeans.act("loop")
    for wait in (30, 70, 110, 210):
        kmeans.press(" ")
        kmeans.page.wait_for_timeout(wait)
        kmeans.press(" ")
        assert not playing(kmeans)
        kmeans.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        assert (kmeans.caption, kmeans.ledger) == texts[kmeans.frame]


def test_a_step_while_playing_pauses(kmeans):
    kmeans.press(" ", "ArrowRight")
    assert not playing(kmeans)


def test_speed_keys(kmeans):
    speed = kmeans.speed
    assert speed.input_value() == "2"
    kmeans.press("+", "+")
    assert speed.input_value() == "8"
    kmeans.press("-")
    assert speed.input_value() == "4"
    kmeans.press(*"-" * 10)
    assert speed.input_value() == "0.5"
    kmeans.press(*"+" * 10)
    assert speed.input_value() == "60"


def test_space_on_a_focused_button_presses_that_button(kmeans):
    kmeans.root.locator("[data-act=forward]").press(" ")
    kmeans.shows_frame(1)
    assert not playing(kmeans)


def test_loop_starts_again(kmeans):
    kmeans.act("loop")
    expect(kmeans.root.locator("[data-act=loop]")).to_have_attribute("aria-pressed", "true")
    kmeans.speed.select_option("60")
    kmeans.press("End", " ")
    kmeans.page.wait_for_function(
        """() => {
          const frame = Number(document.querySelector('[data-testid=stage]').dataset.frame);
          window.dmTurns = (window.dmTurns ?? 0) + (frame < (window.dmBefore ?? 0));
          window.dmBefore = frame;
          return window.dmTurns > 1;
        }"""
    )
    assert playing(kmeans)
    kmeans.press(" ")


def test_scrubbing_goes_anywhere(kmeans):
    slider = kmeans.part("player").get_by_role("slider")
    # Waits until it has found its place.
    slider.hover(position={"x": 8, "y": slider.bounding_box()["height"] / 2})
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    kmeans.page.mouse.down()
    positions = set()
    for share in range(0, 101, 5):
        kmeans.page.mouse.move(box["x"] + 8 + (box["width"] - 16) * share / 100, middle)
        positions.add(int(slider.input_value()))
    kmeans.page.mouse.up()
    assert positions == set(range(kmeans.frames)) or len(positions) > 15
    kmeans.shows_frame(kmeans.frames - 1)


def test_stepping_and_playing_make_no_traffic(kmeans):
    kmeans.act("loop").speed.select_option("60")
    before = kmeans.conversation.n_requests
    # All keys in one go: a rest between two of them would rightly be reported, and a busy machine
    # makes rests.
    kmeans.page.evaluate(
        """keys => keys.forEach(key => document.querySelector("[data-testid=stage]")
        .dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))""",
        ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight", " "],
    )
    kmeans.page.evaluate(LONGER_THAN_A_REST)
    assert playing(kmeans)
    assert kmeans.conversation.n_requests == before
    kmeans.press("End", "ArrowLeft").asked_beyond(before)


def test_the_resting_step_goes_into_the_link(kmeans):
    kmeans.press("ArrowRight", "ArrowRight", "ArrowRight")
    kmeans.page.wait_for_url("**/kmeans?step=3&opening=defaults")
    kmeans.press("End")
    kmeans.page.wait_for_url("**/kmeans?opening=defaults")


def test_the_position_stays_when_a_parameter_changes(kmeans):
    kmeans.press(*["ArrowRight"] * 5).shows_frame(5)
    kmeans.page.wait_for_url("**step=5**")
    caption = kmeans.caption
    kmeans.slider("Clusters k").press("ArrowRight")
    expect(kmeans.part("caption")).not_to_have_text(caption)
    kmeans.settle().shows_frame(5)
    kmeans.slider("Clusters k").press("ArrowLeft")
    expect(kmeans.part("caption")).to_have_text(caption)


def test_the_end_stays_the_end(kmeans):
    kmeans.press("End")
    frames = kmeans.frames
    kmeans.slider("Clusters k").press("ArrowRight")
    expect(kmeans.root).not_to_have_attribute("data-frames", str(frames))
    kmeans.settle().shows_frame(kmeans.frames - 1)


def test_reduced_motion_jumps_instead_of_gliding(tabs):
    calm = tabs(reduced_motion="reduce").open("kmeans", step=3)
    # The clock stands still, so that a glide takes as many repaints as are waited for.
    repaints = """() => new Promise((done) => {
      const stage = document.querySelector('[data-testid=stage]');
      const [now, before] = [performance.now(), Number(stage.dataset.rev)];
      performance.now = () => now;
      stage.querySelector('[data-act=forward]').click();
      let remaining = 10;
      const wait = () => {
        if (remaining--) requestAnimationFrame(wait);
        else done(Number(stage.dataset.rev) - before);
      };
      wait();
    })"""
    assert calm.page.evaluate(repaints) <= 2
    lively = tabs(reduced_motion="no-preference").open("kmeans", step=3)
    assert lively.page.evaluate(repaints) > 5


def test_a_small_panel_and_the_large_one_change_places(stage):
    stage.open("svm")

    names = "(boxes) => boxes.map((box) => box.dataset.panel)"

    def places():
        parts = (stage.part(part).locator(".dm-panel") for part in ("main", "panels"))
        return [part.evaluate_all(names) for part in parts]

    (large,), small = places()
    stage.root.get_by_role("button", name="Show large: Dual objective after each step").click()
    (new_large,), new_small = places()
    assert new_large in small
    assert large in new_small
    stage.slider("C (∞: hard margin)").press("ArrowRight")
    stage.settle()
    assert places()[0] == [new_large]
    stage.root.get_by_role("button", name="Show large: the picture").click()
    assert places() == [[large], small]


def test_two_visitors_of_a_link_see_the_same(stage, visitor):
    stage.open(
        "kmeans",
        step=0,
        **{
            "kmeans.n_clusters": 4,
            "seed": 11,
            "point": 42,
            "data": "penguins",
            "scaling": "z-score",
        },
    )
    stage.press(*["ArrowRight"] * 6).shows_frame(6)
    stage.page.wait_for_url("**step=6**")
    stage.settle()
    second = visitor().go(stage.page.url)
    assert second.state() == stage.state()
    assert second.ink() == stage.ink()
    assert second.ink("sse") == stage.ink("sse")
    assert second.link == stage.link


def test_the_shared_link_opens_the_same(stage, visitor):
    stage.open("kmeans", **{"kmeans.n_clusters": 6, "step": 4})
    stage.page.get_by_role("button", name="Share", exact=True).click()
    link = stage.page.get_by_test_id("stCode").first.inner_text().strip()
    second = visitor().go(link)
    assert second.state() == stage.state()


def test_light_and_dark_are_painted_in_their_colours(visitor):
    corner = """canvas => getComputedStyle(canvas.closest('[data-testid=stage]')).color"""
    light = visitor(color_scheme="light").open("kmeans")
    dark = visitor(color_scheme="dark").open("kmeans")
    assert light.canvas().evaluate(corner) == "rgb(22, 25, 29)"
    assert dark.canvas().evaluate(corner) == "rgb(227, 230, 234)"
    assert light.ink() != dark.ink()
    assert light.state() == dark.state()
