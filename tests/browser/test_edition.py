"""The static edition, opened from a folder without a network."""

import json
import re
from shutil import copytree
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from dashboard.courses import courses
from dashboard.technique import technique_of
from dashboard.traits import advice, all_traits, best
from dmlib.datasets import load
from edition.build import build
from edition.states import finished_view, states
from tests.browser.access import serious
from tests.browser.visits import SIZE

pytestmark = pytest.mark.browser

SLUGS = ("data_overview", "missing_values", "discretisation", "linear_regression", "kmeans")
CONCEPTS = "problems", "methods", "glossary"
PAGES = (
    *("index", "courses", "failures", *CONCEPTS, "kmeans.worksheet", "missing_values.worksheet"),
    *SLUGS,
)
LARGE = "three-centres-and-five"
"""A preset of k-means whose steps come after its picture."""
PHONE = {"width": 390, "height": 844}
KB = 1000
MAX_FIRST = 300 * KB
"""Bytes until the first picture of a page."""


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edition")
    build(folder, SLUGS, "https://app.example", lambda _: None)
    return folder


@pytest.fixture
def reader(browser, edition):
    """Return a function that opens pages of the edition, for who has no network."""
    contexts, errors, hosts = [], [], []

    def arrive(name, folder=edition, **options):
        context = browser.new_context(**{"offline": True, "viewport": SIZE} | options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("request", lambda request: hosts.append(request.url.partition("://")[0]))
        tab.goto((folder / name).as_uri() if "#" not in name else f"{folder.as_uri()}/{name}")
        return tab

    yield arrive
    for context in contexts:
        context.close()
    assert errors == []
    assert set(hosts) <= {"file", "data", "blob"}


def stage_of(tab):
    """The stage of a tab, once it is drawn."""
    stage = tab.get_by_test_id("stage")
    expect(stage).to_have_attribute("data-frame", stage.get_attribute("data-frame") or "0")
    return stage


def test_pages_open_without_a_network(reader):
    for name in PAGES:
        tab = reader(f"{name}.html")
        expect(tab.locator("h1").first).to_be_visible()
        if name in SLUGS:
            expect(tab.get_by_test_id("stage")).to_have_attribute("data-rev", re.compile(r"\d+"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "name", ["index", "courses", "failures", *CONCEPTS, "kmeans", "linear_regression"]
)
def test_pages_are_for_everybody(name, scheme, reader):
    tab = reader(f"{name}.html", color_scheme=scheme)
    expect(tab.locator("h1").first).to_be_visible()
    assert serious(SimpleNamespace(page=tab), "body") == []


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_need_not_scroll_sideways(name, reader):
    tab = reader(f"{name}.html", viewport=PHONE)
    width = "document.documentElement.scrollWidth"
    if not name.endswith("worksheet"):
        assert tab.evaluate(width) <= PHONE["width"]


def test_the_player_goes_from_step_to_step(reader):
    stage = stage_of(reader("kmeans.html"))
    last = int(stage.get_attribute("data-frames")) - 1
    expect(stage).to_have_attribute("data-frame", str(last))
    caption = stage.locator(".dm-caption").inner_text()
    stage.locator("[data-act=back]").click()
    expect(stage).to_have_attribute("data-frame", str(last - 1))
    expect(stage.locator(".dm-caption")).not_to_have_text(caption)


def test_the_menu_has_all_presets(reader):
    tab = reader("kmeans.html")
    menu = tab.get_by_label("Try this")
    titles = menu.locator("option").all_inner_texts()
    assert {preset.title for preset in technique_of("kmeans").presets} <= set(titles)
    preset = technique_of("kmeans").presets[1]
    menu.select_option(preset.title)
    expect(tab.locator("#note")).to_have_text(preset.look_for)
    stage = tab.get_by_test_id("stage")
    expect(stage).to_have_attribute("data-frame", str(preset.settings["step"]))
    assert tab.url.endswith(f"#{preset.slug}")
    stage.locator("input[name='kmeans.n_clusters']").press("End")
    expect(tab.locator("#note")).to_have_text(f"Changed since: {preset.look_for}")
    tab.go_back()
    expect(tab.locator("#note")).to_have_text(technique_of("kmeans").entry.summary)


def test_an_address_opens_its_preset_and_its_contrast(reader):
    failing = next(preset for preset in technique_of("kmeans").presets if preset.failure)
    tab = reader(f"kmeans.html#{failing.slug}.instead")
    expect(tab.get_by_test_id("stage")).to_have_attribute("data-runs", "2")
    assert "pin=" in tab.get_by_role("link", name="Open in the full app").get_attribute("href")


def test_a_slider_shows_what_the_app_shows(reader):
    tab = reader("kmeans.html")
    stage = stage_of(tab)
    slider = stage.locator("input[name='kmeans.n_clusters']")
    slider.focus()
    slider.press("Home")
    expect(stage.locator(".dm-results")).to_contain_text(sse(n_clusters=1))
    slider.press("ArrowRight")
    expect(stage.locator(".dm-results")).to_contain_text(sse(n_clusters=2))
    link = tab.get_by_role("link", name="Open in the full app")
    expect(link).to_have_attribute("href", "https://app.example/kmeans?kmeans.n_clusters=2")


def sse(**params):
    """The headline of the opening of k-means with these parameters."""
    opening = next(states(technique_of("kmeans")))
    settings, panel = opening.settings, opening.view().panel
    for name, value in params.items():
        settings = panel.change(settings, {"name": f"kmeans.{name}", "value": str(value)})
    return finished_view(opening.technique, settings).headlines()[-1][0].text


def ends(edition):
    """The last values of both sliders of the opening of k-means."""
    script = (edition / "data/kmeans/opening.js").read_text("utf-8")
    state = json.loads(script[script.index("{") : script.rindex(")")])
    return [control["options"][-1][0] for control in state["controls"]]


def test_two_sliders_move_together(reader, edition):
    tab = reader("kmeans.html")
    stage = stage_of(tab)
    clusters = stage.locator("input[name='kmeans.n_clusters']")
    restarts = stage.locator("input[name='kmeans.n_init']")
    clusters.press("End")
    restarts.press("End")
    n_clusters, n_init = ends(edition)
    link = tab.get_by_role("link", name="Open in the full app")
    query = f"kmeans.n_clusters={n_clusters}&kmeans.n_init={n_init}"
    expect(link).to_have_attribute("href", f"https://app.example/kmeans?{query}")
    expect(stage.locator(".dm-results")).to_contain_text(sse(n_clusters=n_clusters, n_init=n_init))
    expect(tab.locator("#note")).to_have_text(technique_of("kmeans").entry.summary)
    top = clusters.input_value()
    clusters.press("ArrowLeft")
    expect(tab.locator("#note")).to_contain_text("only some pairs of positions were computed")
    expect(clusters).not_to_have_value(top)
    expect(restarts).to_have_value(restarts.get_attribute("max"))


def test_a_slider_that_goes_back_says_so(reader, edition, tmp_path):
    folder = tmp_path / "edition"
    copytree(edition, folder)
    script = folder / "data/kmeans/opening.js"
    text, n_changed = re.subn(r'"pairs":\[\[.*?\]\]', '"pairs":[]', script.read_text("utf-8"))
    assert n_changed == 1
    script.write_text(text, "utf-8")
    tab = reader("kmeans.html", folder)
    stage = stage_of(tab)
    clusters = stage.locator("input[name='kmeans.n_clusters']")
    own = clusters.input_value()
    clusters.press("End")
    expect(clusters).not_to_have_value(own)
    stage.locator("input[name='kmeans.n_init']").press("End")
    expect(tab.locator("#note")).to_contain_text("Clusters k is back at")
    expect(clusters).to_have_value(own)
    expect(stage.locator(".dm-results")).to_contain_text(sse(n_init=ends(edition)[1]))


def test_the_steps_of_a_large_picture_follow_it(reader, edition):
    assert (edition / f"data/kmeans/{LARGE}.steps.js").is_file()
    stage = stage_of(reader(f"kmeans.html#{LARGE}"))
    caption = stage.locator(".dm-caption").inner_text()
    stage.locator("[data-act=first]").click()
    expect(stage).to_have_attribute("data-frame", "0")
    expect(stage.locator(".dm-caption")).not_to_have_text(caption)


def test_a_picture_whose_steps_are_missing_stays(reader, edition, tmp_path):
    folder = tmp_path / "edition"
    copytree(edition, folder)
    (folder / f"data/kmeans/{LARGE}.steps.js").unlink()
    tab = reader(f"kmeans.html#{LARGE}", folder)
    expect(tab.get_by_role("alert")).to_contain_text("Files of this page are missing")
    expect(tab.get_by_test_id("stage")).to_have_attribute("data-rev", re.compile(r"\d+"))


def test_a_typed_value_leads_to_the_nearest_position(reader):
    stage = stage_of(reader("kmeans.html"))
    slider = stage.locator("input[name='kmeans.n_clusters']")
    stage.get_by_label("Clusters k, value").fill("1")
    stage.get_by_label("Clusters k, value").press("Enter")
    expect(slider).to_have_value("0")


def test_formulas_are_drawn(reader):
    tab = reader("linear_regression.html")
    formulas = tab.locator("article math")
    assert formulas.count() > 10
    box = formulas.first.bounding_box()
    assert box["width"] > 5
    assert box["height"] > 5
    assert "$" not in tab.locator("article").inner_text()


def test_practice_is_graded(reader, edition):
    tab = reader("kmeans.html")
    script = (edition / "data/kmeans/practice.js").read_text("utf-8")
    questions = json.loads(script[script.index("[") : script.rindex(")")])[0]["round"]
    stage = stage_of(tab)
    tab.get_by_role("button", name="Practise").click()
    for number, question in enumerate(questions, 1):
        expect(stage.locator(".dm-prompt")).to_contain_text(f"{number} of {len(questions)}")
        expect(stage.locator(".dm-prompt")).to_contain_text(question["prompt"])
        tab.get_by_role("button", name="Skip").click()
    expect(stage.locator(".dm-prompt")).to_contain_text(f"0 of {len(questions)} answers right")
    tab.get_by_role("button", name="End").click()
    expect(stage.locator(".dm-question")).to_be_hidden()


def test_steps_wait_for_predictions(reader):
    tab = reader("kmeans.html")
    stage = stage_of(tab)
    tab.get_by_role("button", name="Predict").click()
    expect(tab.get_by_role("button", name="Predict")).to_have_attribute("aria-pressed", "true")
    stage.press("Home")
    tab.get_by_role("button", name="Play", exact=False).first.click()
    expect(stage.locator(".dm-question")).to_be_visible()


def test_worksheets_have_their_keys(reader):
    tab = reader("kmeans.worksheet.html")
    expect(tab.locator("main")).to_have_attribute("data-written", "3")
    assert tab.locator(".sheet h1", has_text="key").count() == 3


def test_files_that_are_missing_are_a_sentence(reader, edition, tmp_path):
    (tmp_path / "kmeans.html").write_bytes((edition / "kmeans.html").read_bytes())
    tab = reader("kmeans.html", tmp_path)
    expect(tab.get_by_role("alert")).to_have_text(
        "Files of this page are missing: copy the whole folder, not the page alone."
    )


def test_the_search_finds_pages(reader):
    tab = reader("index.html")
    tab.get_by_label("Search").fill("lloyd")
    expect(tab.locator(".gallery [data-words]:visible")).to_have_count(1)
    pages = tab.locator("[data-words]:visible").get_by_role("link", name="k-means", exact=True)
    expect(pages).to_have_count(2)  # the technique, and what the glossary says of it
    tab.get_by_label("Search").fill("zzz")
    expect(tab.get_by_role("status")).to_have_text("Nothing matches. Try a shorter word.")


def test_a_failure_leads_to_its_run(reader):
    tab = reader("failures.html")
    tab.get_by_label("Cause").select_option("start")
    tab.locator("[data-words]:visible a").first.click()
    expect(tab.get_by_test_id("stage")).to_have_attribute("data-runs", "1")
    assert "#" in tab.url


@pytest.mark.parametrize("slug", SLUGS)
def test_the_first_picture_is_small(slug, edition):
    page = (edition / f"{slug}.html").read_text("utf-8").partition('<p class="remark">')[0]
    files = ("assets/edition.css", "assets/edition.js", f"data/{slug}/opening.js")
    n_bytes = len(page.encode()) + sum((edition / name).stat().st_size for name in files)
    assert n_bytes <= MAX_FIRST


def test_the_map_leads_to_families_and_back(reader):
    tab = reader("problems.html")
    families = tab.locator(".leaf:visible h3")
    n_families = families.count()
    tab.get_by_label("Baskets: sets of items").check()
    expect(tab.get_by_label("Yes, a number")).to_be_disabled()
    expect(families).not_to_have_count(n_families)
    tab.get_by_label("Find rules").check()
    expect(families).to_have_count(1)
    expect(families).to_have_text("Association")
    tab.go_back()
    expect(tab.get_by_label("Find rules")).not_to_be_checked()
    expect(tab.get_by_label("Baskets: sets of items")).to_be_checked()


def test_techniques_that_suit_a_table_come_first(reader):
    tab = reader("methods.html")
    tab.get_by_label("For the data").select_option("iris")
    suited = tab.locator("#suited li")
    rows = advice(load("iris"), "classes")
    expect(suited).to_have_count(len(best(rows)))
    expect(suited.first).to_contain_text(rows[0].reason)
    tab.get_by_label("To find").select_option("groups")
    expect(suited.first).to_contain_text(advice(load("iris"), "groups")[0].traits.entry.title)
    tab.get_by_label("Easy to read").check()
    n_readable = sum(traits.readable == "high" for traits in all_traits().values())
    expect(tab.locator("tbody tr:visible")).to_have_count(n_readable)


def test_home_finds_terms_and_first_concepts(reader):
    tab = reader("index.html")
    expect(tab.get_by_role("heading", name="Glossary")).to_be_hidden()
    tab.get_by_label("Search").fill("sensitivity")
    tab.get_by_role("link", name="recall", exact=True).click()
    expect(tab.locator("#recall")).to_be_in_viewport()
    tab.get_by_label("Search").fill("sensitivity")
    expect(tab.locator(".term:visible")).not_to_have_count(0)
    tab.go_back()
    tab.get_by_label("Search").fill("cheat sheet")
    expect(tab.locator("main").get_by_role("link", name="Which method?")).to_be_visible()


def test_a_course_leads_from_page_to_page(reader):
    tab = reader("courses.html")
    tab.get_by_role("link", name="Meet your data").first.click()
    way = tab.locator(".way:visible")
    expect(way).to_have_count(1)
    course = next(iter(courses().values()))
    stop = next(stop for stop in course.stops if stop.page == "data_overview")
    expect(way.get_by_role("link").first).to_have_text(f"{course.title} · {stop.lecture.title}")
    expect(way.get_by_role("link").last).to_have_attribute(
        "href", re.compile(f"lecture={stop.neighbours[1].number}$")
    )
    expect(reader("data_overview.html").locator(".way:visible")).to_have_count(0)
