"""The quick depth chooses sweeps by differing files, by the last runs and by a budget."""

import subprocess

import pytest

import dmlib
from tests import sweeps
from tests.sweeps import ALL, choose, last_release, techniques

CHANGELOG = """# Changelog

## [Unreleased]

- A line.

## [0.2.0] - 2026-12-01

Commit `0123456789`.

### Added

## [0.1.0]

Commit `aaaaaaa`.
"""


@pytest.mark.parametrize(
    ("tags", "release"),
    [
        ([], "0123456789"),
        (["v0.1.0"], "0123456789"),
        (["v0.1.0", "v0.2.0"], "v0.2.0"),
        (["0.2.0"], "0.2.0"),
    ],
)
def test_the_last_release_is_its_tag_or_the_commit_that_the_changelog_names(tags, release):
    assert last_release(CHANGELOG, tags) == release


@pytest.mark.parametrize(
    "changelog", ["", "## [Unreleased]\n", "## [0.1.0]\n\n### Added\n\nCommit `0123456`.\n"]
)
def test_a_changelog_that_names_no_commit_names_no_release(changelog):
    assert last_release(changelog, ["v9.9.9"]) == ""


def test_the_projects_own_changelog_names_the_version_and_the_commit_of_its_last_release():
    changelog = (sweeps.ROOT / "CHANGELOG.md").read_text("utf-8")
    assert last_release(changelog, [f"v{dmlib.__version__}"]) == f"v{dmlib.__version__}"
    assert last_release(changelog, [])
    assert max(map(len, changelog.splitlines())) <= 120


@pytest.mark.parametrize(
    ("file", "slugs"),
    [
        ("dmlib/clustering/kmeans/scene.py", {"kmeans"}),
        ("tests/clustering/kmeans/test_page.py", {"kmeans"}),
        ("assets/pages/roc/presets.toml", {"roc"}),
        ("pages/similarity.py", {"similarity"}),  # its tests lie in the folder of its family
        ("dmlib/regression/design.py", set(sweeps._family("regression"))),
        ("tests/clustering/test_validity.py", set()),
        ("docs/testing.md", set()),
        ("CHANGELOG.md", set()),
        ("dmlib/__init__.py", set()),
        ("benchmarks/load.py", set()),
        ("tests/test_dev.py", set()),
    ],
)
def test_a_file_touches_the_sweeps_of_its_technique_or_family(file, slugs):
    assert techniques([file]) == slugs


@pytest.mark.parametrize(
    "file",
    [
        "ui/page.py",
        "dmlib/pictures/run.py",
        "dmlib/params.py",
        "tests/visit.py",
        "tests/contract/test_links.py",
    ],
)
def test_what_all_share_touches_the_sweeps_of_all(file):
    assert techniques(["docs/testing.md", file]) == ALL


def test_a_family_has_the_techniques_with_a_page():
    assert {"kmeans", "dbscan"} <= sweeps._family("clustering")
    assert sweeps._family("similarity") >= {"similarity", "strings"}
    assert sweeps._family("ui") == set()


def test_the_oldest_run_comes_first_and_the_budget_ends_it():
    record = {"a": (300.0, 5.0), "b": (100.0, 6.0), "c": (200.0, 50.0), "d": (400.0, 1.0)}
    assert choose("abcd", record, "", budget=20) == (["b", "c"], ["a", "d"])
    assert choose("abcd", record, "", budget=60) == (["b", "c", "a"], ["d"])
    assert choose("abcd", record, "", budget=600) == (["b", "c", "a", "d"], [])


def test_what_was_never_run_comes_before_all_others_and_takes_what_is_usual():
    record = {"a": (100.0, 5.0), "b": (200.0, 5.0)}
    assert choose("abn", record, "", budget=sweeps.USUAL + 1)[0] == ["n", "a"]


def test_in_a_fresh_clone_each_commit_has_its_order_and_all_have_their_turn():
    first = [choose(ALL, {}, commit, budget=3 * sweeps.USUAL)[0] for commit in map(str, range(200))]
    assert first[0] == choose(sorted(ALL), {}, "0", budget=3 * sweeps.USUAL)[0]
    assert {slug for slugs in first for slug in slugs} == ALL
    assert {len(slugs) for slugs in first} == {3}


def test_nothing_that_differs_sweeps_nothing():
    assert choose([], {"a": (1.0, 2.0)}, "seed") == ([], [])


@pytest.fixture
def repository(tmp_path, monkeypatch):
    def git(*command):
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        done = subprocess.run(
            ["git", *names, *command], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init", "-b", "main")
    (tmp_path / "CHANGELOG.md").write_text("## [0.1.0]\n")
    git("add", ".")
    git("commit", "-m", "first")
    monkeypatch.setattr(sweeps, "ROOT", tmp_path)
    return tmp_path, git


def test_what_differs_from_the_release_is_committed_or_not(repository):
    root, git = repository
    release = git("rev-parse", "HEAD")
    (root / "CHANGELOG.md").write_text(f"## [0.1.0]\n\nCommit `{release[:10]}`.\n")
    git("commit", "-am", "second")
    assert sweeps.differing() == set()
    assert sweeps.commit() == git("rev-parse", "HEAD") != release
    (root / "pages").mkdir()
    (root / "pages" / "roc.py").write_text("1")
    assert sweeps.differing() == {"roc"}
    (root / "pages" / "kmeans.py").write_text("1")
    git("add", ".")
    git("commit", "-m", "third")
    assert sweeps.differing() == {"roc", "kmeans"}
    git("tag", "v0.1.0")
    assert sweeps.differing() == set()


def test_where_the_release_is_not_known_all_may_differ(repository, tmp_path, monkeypatch):
    root, _ = repository
    assert sweeps.differing() == ALL  # no commit is named
    (root / "CHANGELOG.md").write_text("## [0.1.0]\n\nCommit `0123456789`.\n")
    assert sweeps.differing() == ALL  # a clone without its history
    outside = tmp_path / "outside"
    outside.mkdir()
    monkeypatch.setattr(sweeps, "ROOT", outside)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(outside / ".git"))
    assert sweeps.differing() == ALL
    assert sweeps.commit() == ""
