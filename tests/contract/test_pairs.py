"""Two runs side by side: any two that answer one question, made of their two views alone."""

from dataclasses import replace

import numpy as np
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.differences import common_rows, matched
from dashboard.form import Form
from dashboard.pairs import PREFIX, Pair, rival_link
from dashboard.parameters import method_of
from dashboard.pin import MAX_CHARACTERS, ON, Pin, pin_text, with_pin
from dashboard.pinned import pinned_view
from dashboard.rounds import view_of
from dashboard.runs import Memory
from dashboard.settings import PIN, Settings
from dashboard.view import view
from dmlib.pictures.encode import decode, encode
from dmlib.pictures.marks import Points, Segments
from dmlib.pictures.motion import still
from dmlib.pictures.pair import JOINS, PINNED
from dmlib.pictures.scene import Frame, Scene
from tests.visit import ignored, picture, sound, takes_tables, technique, visit

RIVALS = [(slug, rival) for slug in CATALOGUE for rival in technique(slug).rivals()]
NEXT = [
    (slug, rivals[0] if not later else later[0])
    for slug in CATALOGUE
    if (rivals := technique(slug).rivals())
    for later in [
        [rival for rival in rivals if list(CATALOGUE).index(rival) > list(CATALOGUE).index(slug)]
    ]
]
"""Each page with the next one that answers its question."""
FEW_ROWS = ("hierarchical", "apriori", "fp_growth", "association_rules")
"""Pages that draw a sample of the rows that others show, or have baskets in their order."""
HOSTILE = (
    "",
    "kmeans",
    "?",
    "nowhere?seed=1",
    "../../app?seed=1",
    "kmeans?pin=kmeans%3Fpin%3Dkmeans",
    "kmeans?kmeans.n_clusters=-1&seed=1e99&data=nothing&source=upload",
    "kmeans?" + "seed=1&" * 2000,
    "svm?svm.C=nan&source=draw&points=9,9,9",
    "kmeans?seed=%00%ff&%F0%9F%98%80=1",
    "hopfield?patterns=1",
)


def view_of_link(slug, link):
    """Return the view of a link, as its page opens it."""
    page = technique(slug)
    settings, memory = Settings.from_query(link, page.opening_link), Memory()
    pinned = pinned_view(settings, memory)
    form = Form(settings)
    method = method_of(page, form)
    data = page.kind(method).choose(page, method, form)
    return view(page, settings, data, memory, pinned=pinned)


def view_of_page(slug, link=None):
    """Return the view of one run."""
    page_view = view_of(
        technique(slug), Settings.from_query(link or {}, technique(slug).opening_link)
    )
    assert page_view is not None
    return page_view


def packed_mark(mark):
    """Return a mark as bytes, the name of its panel and what can be selected apart."""
    plain = replace(mark, panel="data", **({"data": False} if isinstance(mark, Points) else {}))
    return encode(Scene((), (plain,), (Frame(""),)))


def check(pair_view, slug, rival):
    """Check that a pair shows both runs, and in each frame the marks of the two alone."""
    pinned, scene = pair_view.pinned, pair_view.picture
    assert pinned.technique.slug == slug
    assert pair_view.technique.slug == rival
    frames = pair_view.pair.frames
    assert frames[0] == (0, 0)
    assert frames[-1] == (len(pinned.scene.frames) - 1, len(pair_view.scene.frames) - 1)
    names = [panel.name for panel in scene.panels]
    assert names == [
        *(PINNED + panel.name for panel in pinned.scene.panels),
        *(panel.name for panel in pair_view.scene.panels),
    ]
    for k in {0, len(frames) // 2, len(frames) - 1}:
        i, j = frames[k]
        marks = [mark for mark in still(scene, k).marks if not is_ring(mark)]
        expected = [*still(pinned.scene, i).marks, *still(pair_view.scene, j).marks]
        assert [*map(packed_mark, marks)] == [*map(packed_mark, expected)]
        assert scene.frames[k].caption == pair_view.scene.frames[j].caption
        assert scene.frames[k].pinned.caption == pinned.scene.frames[i].caption


def is_ring(mark):
    """Whether a mark only says which rows differ."""
    if not isinstance(mark, Points):
        return is_join(mark)
    shape = zip((mark.symbol, mark.size, mark.hollow), ([3], [9.0], [1]), strict=True)
    return all(np.array_equal(value, part) for value, part in shape)


@pytest.mark.parametrize("slug", CATALOGUE)
def test_a_run_can_be_pinned_beside_itself(slug):
    pair_view = view_of_link(slug, {PIN: [pin_text(slug, {})]})
    one = view_of_page(slug, {PIN: [pin_text(slug, {})]})
    check(pair_view, slug, slug)
    packed = decode(pair_view.encoded(0))
    assert packed["pair"]["ends"][1] == len(one.scene.frames) - 1
    assert len(packed["frames"]) == len(packed["results"]) or not packed["results"]
    assert [
        panel["name"] for panel in packed["panels"] if not panel["name"].startswith(PINNED)
    ] == [panel.name for panel in one.scene.panels]


@pytest.mark.parametrize(("slug", "rival"), NEXT)
def test_techniques_of_one_question_stand_side_by_side_on_the_same_data(slug, rival):
    side_by_side(slug, rival)


@pytest.mark.sweep
@pytest.mark.parametrize(("slug", "rival"), RIVALS)
def test_any_two_openings_of_one_question_can_be_paired(slug, rival):
    side_by_side(slug, rival)


def side_by_side(slug, rival):
    """Open a page beside the opening of another one."""
    pair_view = view_of_link(rival, rival_link(view_of_page(slug)))
    check(pair_view, slug, rival)
    assert pair_view.pinned.run is not None
    left, right = pair_view.pinned.data, pair_view.data
    if takes_tables(rival) and left.source == "library":
        page = technique(rival)
        if left.table.name not in page.data.tables(page, pair_view.page.method):
            return  # one that needs numbers, beside one that shows names
    assert left.table_code == right.table_code
    if rival not in FEW_ROWS:  # of missing values some techniques keep the rows
        assert abs(len(left.problem.rows) - len(right.problem.rows)) <= 2
    if takes_tables(rival):
        n_common = len(common_rows(pair_view.pinned, pair_view)[0])
        assert n_common >= min(len(left.problem.rows), len(right.problem.rows)) - 2


def test_equal_runs_do_not_differ():
    pair_view = view_of_link("kmeans", {"seed": ["3"], PIN: ["kmeans?seed=3"]})
    texts = {each.text for each in pair_view.pair.differences if each.text}
    assert texts == {"0 of 150 rows differ; adjusted Rand index 1."}


def test_clusters_are_matched_by_overlap_whatever_their_numbers():
    left = np.array([0, 0, 0, 1, 1, 2, -1])
    assert matched(left, np.array([2, 2, 2, 0, 0, 1, -1])).tolist() == left.tolist()
    more = matched(left, np.array([2, 2, 3, 0, 0, 1, 1]))
    assert more[:2].tolist() == [0, 0]
    assert more[2] > 2  # a fourth cluster has no counterpart
    assert more[6] == 2


def test_what_differs_is_counted_and_marked():
    pair_view = view_of_link(
        "kmeans", {"kmeans.n_clusters": ["2"], PIN: ["kmeans?kmeans.n_clusters=3"]}
    )
    left, right = (each.run.fitted.labels_ for each in (pair_view.pinned, pair_view))
    overlap = max(
        sum(np.count_nonzero((left == a) & (right == b)) for a, b in enumerate(order))
        for order in ([0, 1, -1], [0, -1, 1], [1, 0, -1], [1, -1, 0], [-1, 0, 1], [-1, 1, 0])
    )
    end = pair_view.pair.differences[-1]
    assert end.rows.sum() == len(left) - overlap
    assert end.text.startswith(f"{len(left) - overlap} of 150 rows differ;")
    rings = [
        m for m in still(pair_view.picture, len(pair_view.pair.frames) - 1).marks if is_ring(m)
    ]
    assert [np.asarray(ring.opacity).tolist() for ring in rings] == [end.rows.tolist()] * 2


def test_headline_numbers_stand_beside_each_other_with_their_difference():
    pair_view = view_of_link(
        "kmeans", {"kmeans.n_clusters": ["5"], PIN: ["kmeans?kmeans.n_clusters=3"]}
    )
    left, right = (each.run.fitted.inertia_ for each in (pair_view.pinned, pair_view))
    (number,) = (n for n in pair_view.pair.results()[-1] if n["label"] == "SSE")
    assert (number["pinned"], number["text"]) == (f"{left:.1f}", f"{right:.1f}")
    assert number["note"] == f"difference −{left - right:.1f}"


def test_coefficients_of_another_sign_are_named():
    link = {"data": ["diabetes"], "source": ["library"], "ridge_lasso.method": ["Ridge"]}
    pinned = pin_text("linear_regression", {"data": ["diabetes"], "source": ["library"]})
    pair_view = view_of_link("ridge_lasso", {**link, PIN: [pinned]})
    slopes = [np.asarray(each.run.fitted.coef_) for each in (pair_view.pinned, pair_view)]
    count = int(np.sum(slopes[0] * slopes[1] < 0))
    text = pair_view.pair.differences[-1].text
    assert text.startswith("Predictions differ by ")
    assert (f"Other sign of {count} of" if count else "No coefficient has another sign") in text


def test_the_controls_of_a_pinned_run_change_it_and_not_the_other():
    pair_view = view_of_link("kmeans", {PIN: ["kmeans?kmeans.n_clusters=3"]})
    message = {"name": f"{PREFIX}kmeans.n_clusters", "value": "4"}
    default = pin_text("kmeans", {"opening": ["defaults"]})
    settings = pair_view.panel.change(pair_view.settings, message)
    assert settings.text(PIN) == "kmeans?kmeans.n_clusters=4"
    assert settings.text("kmeans.n_clusters") == pair_view.settings.text("kmeans.n_clusters")
    nonsense = {"name": f"{PREFIX}kmeans.n_clusters", "value": "many"}
    assert pair_view.panel.change(settings, nonsense).text(PIN) == default


def test_pinning_again_replaces_and_unpinning_returns():
    page = technique("kmeans")
    before = Settings.from_query({"seed": ["1"], "svm.C": ["3"], "step": ["4"]}, page.opening_link)
    once = with_pin(page, before, ON)
    assert once.text(PIN) == "kmeans?seed=1"
    again = with_pin(page, once.with_text("seed", "2"), ON)
    assert again.text(PIN) == "kmeans?seed=2"
    assert with_pin(page, once, "").texts == before.texts


def test_the_link_of_a_pair_opens_the_same_pair():
    page = visit("kmeans", seed="3", **{PIN: "dbscan?seed=1&dbscan.eps=0.7"})
    first = picture(sound(page))
    assert first["pair"]["titles"][0].startswith("DBSCAN")
    second = picture(sound(visit("kmeans", **page.query_params)))
    assert (second["pair"], second["results"]) == (first["pair"], first["results"])


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_pin_is_refused_in_a_sentence_or_read_as_far_as_it_can_be(text):
    page = sound(visit("kmeans", **{PIN: text}))
    try:
        Pin.parse(text)
    except ValueError:
        assert ignored(page) == {PIN}
        assert "pair" not in picture(page)
    else:
        assert len(text) <= MAX_CHARACTERS
        assert picture(page)["pair"]["ends"]


def test_who_practises_sees_one_run():
    packed = picture(sound(visit("kmeans", practice="1", seed="3", **{PIN: "kmeans?seed=1"})))
    assert "pair" not in packed
    assert packed["quiz"]["questions"]


def test_both_runs_are_of_the_readers_own_file():
    rows = "".join(f"{i % 7},{(3 * i) % 11}\n" for i in range(40))
    page = visit("kmeans", source="upload", **{PIN: "kmeans?source=upload&kmeans.n_clusters=4"})
    page.file_uploader[0].upload("mine.csv", f"a,b\n{rows}".encode(), "text/csv")
    packed = picture(sound(page.run()))
    assert "of 40 rows differ" in packed["pair"]["differences"][-1]


def test_runs_that_share_no_rows_are_not_counted():
    pair = Pair.of(view_of_page("kmeans"), view_of_page("kmeans", {"data": ["wine"]}))
    assert {each.text for each in pair.differences} == {""}
    assert "Wine" in pair.packed()["titles"][1]


def test_edges_that_only_one_run_has_are_counted_and_drawn():
    link = {"spectral.affinity": ["knn"], "spectral.n_neighbors": ["6"]}
    pin = pin_text("spectral", {**link, "spectral.n_neighbors": ["10"]})
    pair_view = view_of_link("spectral", {**link, PIN: [pin]})
    graphs = [
        {tuple(edge) for edge in each.run.fitted.edges().tolist()}
        for each in (pair_view.pinned, pair_view)
    ]
    counts = len(graphs[0] - graphs[1]), len(graphs[1] - graphs[0])
    assert counts[0] > 0
    end = pair_view.pair.differences[-1]
    assert f"{counts[0]} edges are only at the left, {counts[1]} only at the right" in end.text
    last = len(pair_view.pair.frames) - 1
    alone_at_end = [mark for mark in still(pair_view.picture, last).marks if is_join(mark)]
    assert tuple(len(np.asarray(mark.x0)) for mark in alone_at_end) == counts
    before = [mark for mark in still(pair_view.picture, last - 1).marks if is_join(mark)]
    assert [len(np.asarray(mark.x0)) for mark in before] == [0, 0]


def is_join(mark):
    """Whether a mark only says which edges differ."""
    if not isinstance(mark, Segments):
        return False
    return np.array_equal(mark.color, [JOINS.color]) and mark.width == 2.5


def test_rows_that_one_technique_leaves_out_are_not_compared():
    link = {"data": ["penguins"], "source": ["library"]}
    pair_view = view_of_link("knn", {**link, PIN: [pin_text("naive_bayes", link)]})
    left, right = (len(each.data.problem.rows) for each in (pair_view.pinned, pair_view))
    assert left > right  # naive Bayes takes rows with missing values
    assert f"of {right} rows differ in the predicted class" in pair_view.pair.differences[-1].text
    end = still(pair_view.picture, len(pair_view.pair.frames) - 1).marks
    ringed = [int(np.sum(mark.opacity)) for mark in end if is_ring(mark)]
    assert ringed == [int(pair_view.pair.differences[-1].rows.sum())] * 2
    assert "penguins" not in " ".join(pair_view.pair.packed()["titles"]).lower()
