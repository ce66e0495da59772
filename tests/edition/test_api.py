"""The documentation of dmlib: every public name has its place, and examples play."""

import base64
import inspect
import re

import pytest

import dmlib
from dmlib.clustering import DBSCAN, LVQ, KMeans, SelfOrganizingMap
from dmlib.neural import ElmanNetwork
from dmlib.pictures.encode import decode
from edition import __main__ as command
from edition.api.docstrings import DocstringError, html_of
from edition.api.documents import api_documents
from edition.api.objects import PREFIX, pages_of, public_objects
from edition.api.runs import MAX_BYTES, example_fits, run_of
from edition.build import build
from edition.documents import Site

SLUG = "data_overview"
PAGE = "preprocessing.data_overview"


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    """All pages, of an edition with one technique."""
    site = Site(("kmeans",), api=tuple({each.page: None for each in public_objects()}))
    return dict(api_documents(site, tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """A folder with one technique."""
    folder = tmp_path_factory.mktemp("edition")
    build(folder, [SLUG], "", lambda _: None)
    return folder


def public(value):
    return next(each for each in public_objects() if each.value is value)


def captions(run):
    return [frame["caption"] for frame in decode(base64.b64decode(run["scene"]))["frames"]]


def test_every_public_object_has_its_place(documents):
    names = {name for stub in (dmlib, dmlib.clustering, dmlib.similarity) for name in stub.__all__}
    assert names <= {each.name for each in public_objects()}
    absent = [
        each.address
        for each in public_objects()
        if f'<h2 id="{each.name}">' not in documents[each.page]
        or f'href="{each.address}"' not in documents["index"]
    ]
    assert absent == []


def test_nothing_of_the_markup_is_shown(documents):
    for page, document in documents.items():
        prose = re.sub(r"<pre.*?</pre>", "", document, flags=re.DOTALL)
        assert re.findall(r":\w+:`|``|system-message|\.\. \w+::", prose) == [], page
        assert not re.search(r" at 0x\w+", prose), page


def test_formulas_and_references(documents):
    page = documents["clustering.dbscan"]
    assert "<math" in page
    references = page.partition("References</h3>")[2].partition("</ol>")[0]
    items = re.findall(r"<li><p>(.*?)</p>", references)
    assert [re.search(r"\((\d{4})\)", item)[1] for item in items] == ["1996", "2017"]
    assert '<span class="gp">&gt;&gt;&gt; </span>' in page


def test_a_name_leads_to_its_description():
    def described():
        """See :func:`elsewhere`, and :class:`~dmlib.clustering.KMeans`."""

    addresses = {"dmlib.clustering.KMeans": "clustering.kmeans.html#KMeans"}
    html = html_of("described", described, lambda name: addresses.get(name, ""))
    assert '<a class="reference external" href="clustering.kmeans.html#KMeans">' in html
    assert "<code>KMeans</code>" in html
    assert "See <code>elsewhere</code>" in html


@pytest.mark.parametrize("fault", ["An open ``literal.", "A line.\n\nNotes\n-----\nA *star.\n"])
def test_a_docstring_that_cannot_be_parsed_is_named(fault, monkeypatch, capsys, tmp_path):
    def described():
        pass

    described.__doc__ = fault
    with pytest.raises(DocstringError, match=r"docstring of dmlib\.described cannot be parsed"):
        html_of("dmlib.described", described, lambda _: "")

    def fail(*_):
        html_of("dmlib.described", described, lambda _: "")

    monkeypatch.setattr(command, "build", fail)
    assert command.main(["--out", str(tmp_path / "site")]) == 1
    assert "dmlib.described" in capsys.readouterr().err


def test_an_example_that_fails_is_named(monkeypatch):
    monkeypatch.setattr(DBSCAN, "__doc__", "Cluster.\n\nExamples\n--------\n>>> DBSCAN(absent)\n")
    with pytest.raises(DocstringError, match="The example of DBSCAN fails"):
        example_fits(DBSCAN)


def test_a_run_is_that_of_play():
    estimator, X, y = example_fits(DBSCAN)[0]
    run = run_of(public(DBSCAN), "")
    assert captions(run) == [frame.caption for frame in dmlib.play(estimator, X, y).frames]
    assert run["note"] == "On the example above"
    assert DBSCAN.fit is inspect.getattr_static(DBSCAN, "fit"), "the class is as it was"


def test_an_example_that_does_not_play_runs_on_the_opening_of_its_page():
    assert run_of(public(LVQ), "") is None
    run = run_of(public(LVQ), "vector_quantisation")
    assert len(captions(run)) == run["frame"] + 1 > 2
    assert run["note"] != "On the example above"
    assert len(run["scene"]) <= MAX_BYTES * 4 / 3


@pytest.mark.parametrize(
    ("model", "slug"), [(ElmanNetwork, "rnn"), (SelfOrganizingMap, "vector_quantisation")]
)
def test_a_large_opening_plays_too(model, slug):
    run = run_of(public(model), slug)
    assert len(captions(run)) == run["frame"] + 1 > 2


def test_pages_of_techniques_are_those_of_their_classes():
    assert pages_of([SLUG]) == [PAGE]
    assert pages_of(["lda_projection"]) == ["classification.lda_classifier"]
    assert public(KMeans).page == "clustering.kmeans"


def test_links_lead_to_files_of_the_edition(edition):
    pages = {path: path.read_text("utf-8") for path in edition.rglob("*.html")}
    assert {path.name for path in (edition / "api").iterdir()} == {"index.html", f"{PAGE}.html"}
    for path in (edition / "api").iterdir():
        assert 'src="http' not in pages[path]
        for link in re.findall(r'(?:href|src)="([^"]+)"', pages[path]):
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.is_file(), link
            assert not anchor or f'id="{anchor}"' in pages[target], link


def test_code_leads_to_its_class_and_back(edition):
    assert f'href="api/{PAGE}.html#ColumnSummary"' in (edition / f"{SLUG}.html").read_text("utf-8")
    page = (edition / "api" / f"{PAGE}.html").read_text("utf-8")
    assert f'href="../{SLUG}.html"' in page
    assert f'data-run="{PREFIX}{PAGE}/ColumnSummary"' in page


def test_a_run_that_has_not_changed_is_not_built_again(edition):
    script = edition / "data" / f"{PREFIX}{PAGE}" / "ColumnSummary.js"
    before = script.stat().st_mtime_ns
    build(edition, [SLUG], "", lambda _: None)
    assert script.stat().st_mtime_ns == before
