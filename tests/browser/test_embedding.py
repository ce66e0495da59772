"""The stage in a page of somebody else: another site, without its cookies, honest or hostile."""

import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from dashboard.form import NO_FILE_IN_FRAME
from dmlib import play
from dmlib.clustering import KMeans
from tests.browser.modules import call
from tests.browser.running import Server
from tests.browser.test_drop import DRAG, TABLE
from ui.embedding import embedding_line

pytestmark = pytest.mark.browser

LISTEN = """<!doctype html><title>Course</title><link rel="icon" href="data:,">
<script>window.heard = []; addEventListener('message', ({ origin, data }) => {
  if (data?.dmlib) heard.push({ origin, ...data });
});</script>
"""
COMMAND = """(message) => {
  document.querySelector('iframe').contentWindow.postMessage(message, '*');
}"""
RUBBISH = """() => {
  const messages = [null, 7, 'go', [], {}, { dmlib: 2, type: 'go', step: 0 },
    { dmlib: 1 }, { dmlib: 1, type: 'fly' }, { dmlib: 1, type: 'go' },
    { dmlib: 1, type: 'go', step: '0' }, { dmlib: 1, type: 'go', step: NaN },
    { dmlib: 1, type: 'set', name: 'kmeans.n_clusters' },
    { dmlib: 1, type: 'set', name: 'kmeans.n_clusters', value: { toString: 1 } },
    { dmlib: 1, type: 'set', name: 'kmeans.n_clusters', value: [[3]] },
    { dmlib: 1, type: 'set', name: 'kmeans.n_clusters', value: '9'.repeat(1000) },
    { dmlib: 1, type: 'set', name: '__proto__', value: 1 },
    { dmlib: 1, type: 'set', name: 'source', value: 'upload' },
    { dmlib: 1, type: 'set', name: { a: 1 }, value: 1 }];
  for (const message of messages) {
    document.querySelector('iframe').contentWindow.postMessage(message, '*');
  }
}"""
SPY = """<script>
  for (const step of [0, 1]) parent.frames[0].postMessage({ dmlib: 1, type: 'go', step }, '*');
  document.title = 'done';
</script>"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Write nothing to the test's output."""


@contextmanager
def site(folder):
    """Yield the address of a site with the files of a folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://localhost:{running.server_port}"
        running.shutdown()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("course")


@pytest.fixture(scope="module")
def course(folder):
    """A site that the operator allows to show the app."""
    with site(folder) as address:
        yield address


@pytest.fixture(scope="module")
def stranger(folder):
    """A site that nobody has allowed it."""
    with site(folder) as address:
        yield address


@pytest.fixture(scope="module")
def app(course):
    with Server(DMLIB_FRAME_ANCESTORS=course) as running:
        yield running.address
        assert "Traceback" not in running.log, running.log


@pytest.fixture
def errors():
    return []


@pytest.fixture
def tab(browser, errors):
    """A tab in which other sites have no cookies."""
    context = browser.new_context(viewport={"width": 1000, "height": 640})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.setCookieControls",
        {
            "enableThirdPartyCookieRestriction": True,
            "disableThirdPartyCookieMetadata": True,
            "disableThirdPartyCookieHeuristics": True,
        },
    )
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    yield page
    context.close()


@pytest.fixture
def embed(tab, folder):
    """Return a function that opens a page of a site with the frame of a link."""

    def open_page(address, link):
        (folder / "index.html").write_text(
            LISTEN + embedding_line(link, "Stage", "Moodle"), "utf-8"
        )
        tab.goto(f"{address}/index.html")
        return tab.frame_locator("iframe").first.get_by_test_id("stage")

    return open_page


def messages_of(tab, kind):
    return tab.evaluate("(kind) => heard.filter(({ type }) => type === kind)", kind)


def wait_for(tab, kind, **content):
    """Wait until a message of a kind has come that says this."""
    tab.wait_for_function(
        """([kind, content]) => heard.some((message) => message.type === kind
          && Object.entries(content).every(([name, value]) => message[name] === value))""",
        arg=[kind, content],
    )


def test_the_stage_fills_the_frame_of_another_site_without_its_cookies(tab, embed, app, course):
    stage = embed(course, f"{app}/kmeans?step=3")
    expect(stage).to_have_attribute("data-frame", "3")
    frame = tab.frames[1]
    cookie = "document.cookie = 'a=1; SameSite=None; Secure'; document.cookie"
    assert frame.evaluate(cookie) == ""
    for part in ("stAppHeader", "stHeading", "stTabs"):
        expect(
            tab.frame_locator("iframe").get_by_test_id(part).locator("visible=true")
        ).to_have_count(0)
    expect(stage.locator(".dm-own")).to_be_visible()
    bottom, height = frame.evaluate(
        "[document.querySelector('.dm-stage').getBoundingClientRect().bottom, innerHeight]"
    )
    assert 0 <= height - bottom < 24
    stage.locator("[data-act=forward]").click()
    expect(stage).to_have_attribute("data-frame", "4")


def test_a_control_asks_the_server_and_the_link_opens_what_is_set(tab, embed, app, course):
    stage = embed(course, f"{app}/kmeans")
    stage.get_by_role("slider", name="Clusters k", exact=True).press("ArrowLeft")
    expect(stage.locator(".dm-results")).to_contain_text("Iterations")
    tab.frames[1].wait_for_url("**n_clusters=5**")
    with tab.context.expect_page() as opening:
        stage.locator(".dm-own").click()
    own = opening.value
    expect(own.get_by_role("heading", name="k-means", exact=True)).to_be_visible()
    assert "n_clusters=5" in own.url
    assert "embed" not in own.url


def test_a_file_is_refused_with_a_sentence(tab, embed, app, course):
    stage = embed(course, f"{app}/kmeans")
    stage.wait_for()
    frame = tab.frames[1]
    overlay = tab.frame_locator("iframe").locator(".dm-drop")
    overlay.wait_for(state="attached")
    frame.evaluate(DRAG, [[["people.csv", TABLE]], ["dragenter", "dragover"]])
    expect(overlay).to_have_text(NO_FILE_IN_FRAME)
    frame.evaluate(DRAG, [[["people.csv", TABLE]], ["drop"]])
    expect(tab.frame_locator("iframe").locator("input[type=file]")).to_have_count(0)


def test_a_site_that_is_not_named_shows_nothing(tab, embed, app, stranger):
    embed(stranger, f"{app}/kmeans")
    tab.wait_for_load_state("networkidle")
    assert tab.frames[1].url.startswith("chrome-error:")
    assert messages_of(tab, "ready") == []


# Messages


def test_an_honest_parent_drives_the_stage_and_hears_of_it(tab, embed, app, course):
    stage = embed(course, f"{app}/kmeans?step=3")
    wait_for(tab, "ready", page="kmeans")
    wait_for(tab, "step", step=3)
    (ready,) = messages_of(tab, "ready")
    assert ready["origin"] == app
    assert {"name": "kmeans.n_clusters", "label": "Clusters k", "value": "6"} in ready["controls"]
    assert messages_of(tab, "step")[-1]["caption"] == stage.locator(".dm-caption").inner_text()
    tab.evaluate(COMMAND, {"dmlib": 1, "type": "go", "step": 5})
    expect(stage).to_have_attribute("data-frame", "5")
    wait_for(tab, "step", step=5)
    tab.evaluate(COMMAND, {"dmlib": 1, "type": "set", "name": "kmeans.n_clusters", "value": 4})
    tab.wait_for_function(
        "heard.some(({ controls }) => controls?.some(({ name, value }) =>"
        " name === 'kmeans.n_clusters' && value === '4'))"
    )
    tab.evaluate(COMMAND, {"dmlib": 1, "type": "hello"})
    tab.wait_for_function("heard.filter(({ type }) => type === 'ready').length >= 3")


def test_an_answer_is_told_to_the_parent(tab, embed, app, course):
    stage = embed(course, f"{app}/perceptron?practice=own")
    question = stage.get_by_test_id("question")
    expect(question).to_be_visible()
    tab.evaluate(COMMAND, {"dmlib": 1, "type": "go", "step": 0})  # in a round the parent waits
    question.get_by_role("button", name="Skip (S)").wait_for()
    answer(question)
    wait_for(tab, "answer")
    (told,) = messages_of(tab, "answer")
    assert told["prompt"]
    assert isinstance(told["right"], bool)
    assert told["given"] is not None


def answer(question):
    """Answer the first question that has options; skip those before it."""
    options = question.locator(".dm-answer button:visible")
    while question.get_attribute("data-kind") != "option":
        question.get_by_role("button", name="Skip (S)").click()
    options.first.click()


def test_rubbish_changes_nothing_and_says_nothing(tab, embed, app, course, errors):
    stage = embed(course, f"{app}/kmeans?step=3")
    wait_for(tab, "step", step=3)
    before = [*errors]
    tab.evaluate(RUBBISH)
    tab.evaluate(COMMAND, {"dmlib": 1, "type": "go", "step": 4})  # taken in turn, after all of it
    wait_for(tab, "step", step=4)
    assert [message["step"] for message in messages_of(tab, "step")] == [3, 4]
    assert len(messages_of(tab, "ready")) == 1
    assert errors == before
    expect(stage).to_have_attribute("data-frames", "20")


def test_only_the_parent_is_messages_of(tab, embed, app, course, stranger, folder):
    (folder / "spy.html").write_text(SPY, "utf-8")
    embed(course, f"{app}/kmeans?step=3")
    wait_for(tab, "step", step=3)
    tab.evaluate(
        """(address) => new Promise((done) => {
          const spy = Object.assign(document.createElement('iframe'), { src: address });
          spy.onload = done;
          document.body.append(spy);
        })""",
        f"{stranger}/spy.html",
    )
    assert tab.frames[2].title() == "done"
    tab.evaluate(COMMAND, {"dmlib": 1, "type": "go", "step": 6})
    wait_for(tab, "step", step=6)
    assert [message["step"] for message in messages_of(tab, "step")] == [3, 6]


def test_a_saved_page_understands_the_same(tab, embed, course, folder, errors):
    run = play(KMeans(2, random_state=0), [[0.0, 0.0], [1.0, 0.0], [9.0, 1.0], [10.0, 1.0]])
    run.save(folder / "run.html")
    stage = embed(course, f"{course}/run.html")
    last = len(run.frames) - 1
    wait_for(tab, "ready", steps=last)
    tab.evaluate(RUBBISH)
    tab.evaluate(COMMAND, {"dmlib": 1, "type": "go", "step": 1})
    wait_for(tab, "step", step=1, caption=run.frames[1].caption)
    expect(stage).to_have_attribute("data-frame", "1")
    assert errors == []


def test_a_slide_from_a_file_drives_a_saved_page(tab, folder, errors):
    run = play(KMeans(2, random_state=0), [[0.0, 0.0], [1.0, 0.0], [9.0, 1.0], [10.0, 1.0]])
    run.save(folder / "run.html")
    (folder / "slide.html").write_text(LISTEN + '<iframe src="run.html"></iframe>', "utf-8")
    tab.goto((folder / "slide.html").as_uri())
    wait_for(tab, "ready", steps=len(run.frames) - 1, origin="null")
    tab.evaluate(COMMAND, {"dmlib": 1, "type": "go", "step": 1})
    wait_for(tab, "step", step=1, caption=run.frames[1].caption)
    assert errors == []


def test_a_page_without_an_origin_is_answered_unless_origins_are_named(modules):
    body = """
      const meta = Object.assign(document.createElement('meta'),
        { name: 'dmlib-frame-ancestors', content: 'https://a.example' });
      const targets = [];
      for (const named of [false, true]) {
        if (named) document.head.append(meta);
        const embedding = new m.Embedding({ go() {}, set() {}, tell() {} });
        embedding.answerTo('null');
        targets.push(embedding.target);
      }
      meta.remove();
      return targets;"""
    assert call(modules, "stage/embedding.js", body) == ["*", ""]


@pytest.mark.parametrize(
    ("origin", "sources", "named"),
    [
        ("https://a.example", [], True),
        ("https://a.example", ["https://a.example"], True),
        ("https://a.example", ["https://a.example:443"], True),
        ("https://a.example:8443", ["https://a.example"], False),
        ("http://a.example", ["https://a.example"], False),
        ("https://x.a.example", ["https://*.a.example"], True),
        ("https://a.example", ["https://*.a.example"], False),
        ("https://evil-a.example", ["https://*.a.example"], False),
        ("https://a.example.evil", ["https://a.example", "https://*.a.example"], False),
        ("https://x.a.example:8443", ["https://*.a.example"], False),
        ("null", ["https://a.example"], False),
    ],
)
def test_origins_are_compared_as_the_browser_does(modules, origin, sources, named):
    body = "return m.isNamed(...argument);"
    assert call(modules, "stage/embedding.js", body, [origin, sources]) is named
