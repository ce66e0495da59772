"""The first seconds: the home page plays, pauses, and its link opens the run that was seen."""

import pytest
from playwright.sync_api import expect

from dashboard.catalogue import CATALOGUE
from pages.home import LIVING
from tests.browser.access import serious
from tests.browser.layout import DESKTOPS, PHONE, inside, sized

pytestmark = pytest.mark.browser


def arrived(stage):
    stage.page.goto(stage.address)
    stage.root.wait_for()
    stage.page.wait_for_function("() => document.querySelector('[data-testid=stage]').dataset.rev")
    return stage


@pytest.fixture
def home(tabs):
    return lambda **options: arrived(tabs(**options))


def reaches(stage, frame):
    stage.page.wait_for_function(
        "frame => Number(document.querySelector('[data-testid=stage]').dataset.frame) >= frame",
        arg=frame,
    )


def test_it_plays_by_itself_over_and_over_and_says_nothing_to_the_server(home):
    stage = home()
    reaches(stage, LIVING.begin)
    n_requests = stage.conversation.n_requests
    scrubber = stage.part("player").get_by_role("slider")
    scrubber.fill(str(stage.frames - 2))
    stage.act("play")
    reaches(stage, stage.frames - 1)
    stage.page.wait_for_function(
        "() => Number(document.querySelector('[data-testid=stage]').dataset.frame) === 0"
    )
    assert stage.root.get_by_role("button", name="Pause").count() == 1
    assert stage.conversation.n_requests == n_requests


def test_it_pauses_and_goes_on(home):
    stage = home()
    reaches(stage, 1)
    stage.root.get_by_role("button", name="Pause").click()
    frame = stage.painted().frame
    stage.page.wait_for_timeout(2500)  # longer than a step
    assert stage.frame == frame
    stage.root.get_by_role("button", name="Play").click()
    reaches(stage, frame + 1)


def test_it_stands_still_while_nobody_can_see_it(home):
    stage = home()
    reaches(stage, 1)
    stage.page.get_by_role("link", name="Apriori").last.scroll_into_view_if_needed()
    last = "() => document.querySelector('[data-testid=stage]').dataset.rev"
    stage.page.wait_for_function(
        """() => {
          const { rev } = document.querySelector('[data-testid=stage]').dataset;
          const still = window.dmRev === rev;
          window.dmRev = rev;
          window.dmStill = still ? window.dmStill ?? performance.now() : undefined;
          return still && performance.now() - window.dmStill > 2500;
        }"""
    )
    rev = stage.page.evaluate(last)
    stage.page.get_by_role("heading", name="See data mining").scroll_into_view_if_needed()
    stage.page.wait_for_function(f"rev => ({last})() !== rev", arg=rev)


def test_who_wants_no_motion_sees_the_answer(home):
    stage = home(reduced_motion="reduce")
    assert stage.frame == stage.frames - 1
    assert stage.root.get_by_role("button", name="Play").count() == 1
    stage.page.wait_for_timeout(1500)  # longer than a step
    assert stage.frame == stage.frames - 1


def test_its_link_opens_the_same_run(home):
    stage = home(reduced_motion="reduce")
    at_home = stage.frames, stage.caption
    stage.page.get_by_role("link", name="Open this run").click()
    stage.page.wait_for_url("**/kmeans?**")
    expect(stage.part("ledger")).to_be_visible()
    stage.settle()
    assert (stage.frames, stage.caption) == at_home
    assert stage.link["kmeans.n_clusters"] == "5"


def search(stage, text):
    """Type into the search; return the links of what it finds."""
    stage.page.get_by_role("searchbox", name="Search").fill(text)
    return stage.page.locator(".st-key-found a")


def test_the_search_lists_titles_and_leaves_the_stage_alone(home):
    stage = home()
    reaches(stage, LIVING.begin + 1)
    results = search(stage, "soft margin")
    expect(results).to_have_count(1)
    expect(results).to_contain_text("Support vector machines")
    inside(stage, results)
    assert stage.frame > LIVING.begin
    assert stage.root.get_by_role("button", name="Pause").count() == 1


def test_what_is_found_opens_by_the_keyboard(home):
    stage = home()
    expect(search(stage, "p-value").first).to_contain_text("Linear regression")
    stage.page.keyboard.press("Tab")
    stage.page.keyboard.press("Enter")
    stage.page.wait_for_url("**/linear_regression")


def test_what_is_found_goes_with_the_focus(home):
    stage = home()
    results = search(stage, "t-SNE")
    expect(stage.page.locator(".st-key-found")).to_contain_text("t-SNE is not here. Nearest:")
    expect(results.first).to_contain_text("Principal components")
    stage.page.get_by_role("heading", name="See data mining").click()
    expect(results.first).to_be_hidden()


def test_a_click_on_a_picture_opens_its_page(home):
    stage = home()
    stage.page.locator(".st-key-card-pca img").scroll_into_view_if_needed()
    box = stage.page.locator(".st-key-card-pca img").bounding_box()
    stage.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.page.wait_for_url("**/pca")


@pytest.mark.parametrize(
    ("door", "url", "heading"),
    [
        ("Learn a technique", "**/#techniques", "Techniques"),
        ("Teach with it", "**/courses", "Teach with it"),
        ("Bring your data", "**/data_overview?source=upload", "Meet your data"),
    ],
)
def test_a_door_leads_on(home, door, url, heading):
    stage = home()
    stage.page.get_by_role("link", name=door).click()
    stage.page.wait_for_url(url)
    shown = stage.page.get_by_role("heading", name=heading, exact=True)
    expect(shown).to_be_in_viewport()


def test_the_door_to_your_data_opens_the_uploader(home):
    stage = home()
    stage.page.get_by_role("link", name="Bring your data").click()
    popover = stage.page.get_by_test_id("stPopoverBody")
    expect(popover.locator("input[type=file]")).to_have_count(1)
    stage.settle().close_data()
    assert stage.settle().page.get_by_test_id("stPopoverBody").count() == 0
    stage.upload(b"a,b\n1,2\n3,4\n5,7\n")
    expect(popover).to_have_count(0)  # the picture is free once there is one
    assert "3 rows" in stage.settle().page.locator(".st-key-data-line").inner_text()
    expect(stage.what_was_read()).to_contain_text("b")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_and_stage_have_the_theme(home, scheme):
    stage = home(color_scheme=scheme)
    assert stage.root.evaluate("element => element.style.colorScheme") == scheme
    expect(stage.page.locator(".st-key-card-pca img")).to_be_visible()
    # A server that is late learns of the theme after the first picture was sent.
    stage.page.wait_for_function(
        """async (scheme) => {
          const image = document.querySelector('.st-key-card-pca img');
          try { await image.decode(); } catch { return false; }  // another is on its way
          const canvas = document.createElement('canvas');
          Object.assign(canvas, { width: 640, height: 400 });
          const g = canvas.getContext('2d');
          g.drawImage(image, 0, 0);
          const { data } = g.getImageData(0, 0, 640, 400);
          let [sum, count] = [0, 0];
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] > 200) { sum += data[i + 1]; count += 1; }
          }
          return (sum / count > 128) === (scheme === 'light');
        }""",
        arg=scheme,
    )


def test_pictures_follow_when_the_theme_is_chosen_by_hand(home):
    stage = home(color_scheme="light")
    image = stage.page.locator(".st-key-card-pca img")
    light = image.get_attribute("src")
    stage.page.get_by_test_id("stMainMenu").click()
    stage.page.locator("[role=menuitemradio], [role=radio], button, label").filter(
        has_text="Dark"
    ).last.click()
    expect(image).not_to_have_attribute("src", light)


@pytest.mark.parametrize("width", [1920, 1366, 1000, 390])
def test_all_pages_have_a_card_and_nothing_is_wider_than_the_window(home, width):
    stage = home(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    cards = stage.page.locator("[class*=st-key-card-]")
    expect(cards).to_have_count(len(CATALOGUE))
    edges = cards.evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().right)")
    assert max(edges) <= width


@pytest.mark.parametrize("size", DESKTOPS, ids=str)
def test_the_first_screen_says_all(visitor, size):
    stage = arrived(sized(visitor, size))
    page = stage.page
    parts = [page.get_by_role("heading", level=1), page.get_by_role("searchbox", name="Search")]
    parts += page.locator("[class*=st-key-door-]").all()
    parts += [stage.part("player"), page.get_by_role("link", name="Open this run")]
    for part in parts:
        inside(stage, part)
    panel = stage.root.locator(".dm-main .dm-panel").bounding_box()
    assert 0.6 < panel["width"] / size[0] < 0.7
    assert stage.frame >= LIVING.begin


def test_on_a_phone_it_is_compact(visitor):
    stage = arrived(sized(visitor, PHONE, has_touch=True, is_mobile=True))
    panel = stage.root.locator(".dm-main .dm-panel").bounding_box()
    assert panel["height"] <= 0.3 * PHONE[1]
    search = stage.page.get_by_role("searchbox", name="Search").bounding_box()
    assert search["y"] + search["height"] <= PHONE[1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_and_reached(home, scheme):
    stage = home(color_scheme=scheme)
    assert serious(stage) == []
    expect(search(stage, "t-SNE").first).to_be_visible()
    assert serious(stage, ".st-key-searching") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_courses_can_be_read_and_reached(tabs, scheme):
    stage = tabs(color_scheme=scheme)
    stage.page.goto(f"{stage.address}/courses")
    stage.page.get_by_role("link", name="Support vector machines").first.wait_for()
    assert serious(stage) == []


def test_the_tab_has_the_title_of_its_page(stage):
    page = stage.open("kmeans").page
    assert page.title() == "k-means – dmlib"
    page.get_by_role("link", name="Home").click()
    expect(page).to_have_title("dmlib: see data mining")
    page.get_by_role("link", name="Teach with it").click()
    expect(page).to_have_title("Teach with it – dmlib")


def test_an_unknown_address_is_not_found_and_known_ones_are(stage):
    statuses = {
        path: stage.page.request.get(f"{stage.address}/{path}").status
        for path in ("random_forest", "kmeans", "courses", "sitemap.xml", "_stcore/health")
    }
    assert statuses.pop("random_forest") == 404
    assert set(statuses.values()) == {200}
