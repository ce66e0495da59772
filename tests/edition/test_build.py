"""Builds: what is written, what is built again, and what is said when it cannot be."""

import errno
import json

import pytest

from dashboard.courses import courses
from edition import __main__ as command
from edition import manifest
from edition.build import _build_data, build
from edition.concepts import glossary_page, problems_page
from edition.documents import Site, courses_page, failures_page, home_page
from edition.manifest import FolderError, Manifest

SLUG = "data_overview"


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """A folder with one page."""
    folder = tmp_path_factory.mktemp("edition")
    build(folder, [SLUG], "https://example.org/", lambda _: None)
    return folder


def test_files_of_an_edition(edition):
    names = {path.name for path in edition.iterdir()}
    assert {"index.html", "courses.html", "failures.html", f"{SLUG}.html", "assets"} <= names
    state = (edition / "data" / SLUG / "opening.js").read_text("utf-8")
    assert state.startswith(f'dmlib.deliver("{SLUG}/opening",')


def test_nothing_is_asked_of_another_host(edition):
    """Addresses of others are links that a reader may follow."""
    for path in edition.glob("*.html"):
        text = path.read_text("utf-8")
        assert 'src="http' not in text, path
        assert text.count("<link") == text.count('href="assets/') + text.count('href="data/'), path


def test_what_has_not_changed_is_not_built_again(edition):
    sentences = []
    before = (edition / "data" / SLUG / "opening.js").stat().st_mtime_ns
    build(edition, [SLUG], "", sentences.append)
    assert sentences[0] == "0 of 1 pages have changed."
    assert (edition / "data" / SLUG / "opening.js").stat().st_mtime_ns == before
    build(edition, [SLUG], "https://example.org", lambda _: None)


def test_a_link_leads_to_the_same_state_in_the_app(edition):
    text = (edition / f"{SLUG}.html").read_text("utf-8")
    config = json.loads(text.split('<script id="config" type="application/json">')[1].split("<")[0])
    assert config["app"] == "https://example.org"
    assert config["states"][0] == {
        **config["states"][0], "name": "opening", "path": SLUG
    }  # fmt: skip


def test_a_folder_with_something_else_stays_as_it_is(tmp_path):
    (tmp_path / "thesis.txt").write_text("a year of work")
    with pytest.raises(FolderError):
        build(tmp_path, [SLUG], "", lambda _: None)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_pages_that_are_not_there_have_no_cards():
    site = Site(("kmeans",))
    assert "kmeans.html" in home_page(site)
    assert "svm.html" not in home_page(site) + failures_page(site)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
        (PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
        (FolderError("That folder holds something else."), "holds something else"),
        (KeyboardInterrupt(), "goes on from there"),
    ],
)
def test_what_goes_wrong_is_a_sentence(error, sentence, monkeypatch, capsys, tmp_path):
    def fail(*_):
        raise error

    monkeypatch.setattr(command, "build", fail)
    assert command.main(["--out", str(tmp_path / "site")]) > 0
    assert sentence in capsys.readouterr().err


def test_an_unknown_page_is_named(capsys, tmp_path):
    assert command.main(["--out", str(tmp_path), "--only", "kmeans", "k_means"]) == 2
    assert "There is no page k_means" in capsys.readouterr().err


def test_a_folder_is_seen_from_where_the_command_is_given(monkeypatch, tmp_path):
    folders = []
    monkeypatch.setattr(command, "build", lambda folder, *_: folders.append(folder))
    assert command.main(["--base", str(tmp_path), "--out", "site"]) == 0
    assert folders == [tmp_path / "site"]


def full_disk():
    """A page whose second script does not fit onto the disk."""
    yield f"{SLUG}/opening", "half of a page"
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_pages_that_were_complete(edition):
    before = {path: path.read_bytes() for path in edition.rglob("*") if path.is_file()}
    with pytest.raises(OSError, match="No space left"):
        _build_data(Manifest.of(edition), {SLUG: full_disk}, lambda _: None)
    assert {path: path.read_bytes() for path in before} == before
    sentences = []
    build(edition, [SLUG], "https://example.org", sentences.append)
    assert sentences[0] == "0 of 1 pages have changed."


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "index.html"
    manifest.write_whole(path, b"before")

    def fail(new, _content):
        new.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(manifest.Path, "write_bytes", fail)
    with pytest.raises(OSError, match="No space left"):
        manifest.write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_leads_on_in_each_of_its_courses(edition):
    text = (edition / f"{SLUG}.html").read_text("utf-8")
    stops = [stop for course in courses().values() for stop in course.stops if stop.page == SLUG]
    assert text.count('class="way"') == len(stops) > 0
    for stop in stops:
        _, after = stop.neighbours
        query = f"?course={after.course.slug}&amp;lecture={after.number}"
        assert f'href="https://example.org/{after.page}{query}"' in text
        query = f"?course={stop.course.slug}&amp;lecture={stop.number}"
        assert f'href="{SLUG}.html{query}"' in (edition / "courses.html").read_text("utf-8")


@pytest.mark.parametrize("page", [problems_page, glossary_page, courses_page, home_page])
def test_what_is_not_there_is_no_link(page):
    text = page(Site(("kmeans",)))
    assert 'href="kmeans.html' in text or page is home_page
    assert 'href="svm.html' not in text
    assert 'href="problems.html"' in text
