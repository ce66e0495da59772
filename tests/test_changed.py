"""The tests that a change can touch are chosen by the paths of its files."""

import subprocess

import pytest

from tests import changed
from tests.changed import touched


@pytest.mark.parametrize(
    ("files", "places", "words"),
    [
        (
            "dmlib/clustering/kmeans/scene.py",
            "dmlib/clustering/kmeans tests/clustering/kmeans tests/contract",
            "kmeans",
        ),
        ("pages/roc.py", "dmlib/evaluation/roc tests/contract tests/evaluation/roc", "roc"),
        (
            "assets/pages/pca/lesson.md",
            "dmlib/decomposition/pca tests/contract tests/decomposition/pca",
            "pca",
        ),
        (
            "tests/classification/svm/test_smo.py",
            "dmlib/classification/svm tests/classification/svm tests/contract",
            "svm",
        ),
        ("dmlib/clustering/clusters.py", "tests/clustering", "clustering"),
        ("dmlib/evaluation/__init__.pyi", "tests/contract/test_imports.py", "test_imports"),
        (
            "assets/courses.toml",
            "tests/contract/test_courses.py tests/ui/test_home.py tests/ui/test_search.py",
            "test_courses or test_home or test_search",
        ),
        ("tests/clustering/test_validity.py", "tests/clustering/test_validity.py", "test_validity"),
        (
            "ui/bar.py assets/stage/axes.js",
            "tests/browser tests/contract tests/ui",
            "browser or contract or ui",
        ),
        ("pages/home.py", "tests/browser tests/contract tests/ui", "browser or contract or ui"),
        (
            "dev.py tests/contract/test_links.py",
            "tests/contract/test_links.py tests/test_dev.py",
            "test_dev or test_links",
        ),
        (
            "dmlib/trees/new.py",
            "tests/classification tests/contract tests/trees",
            "classification or contract or trees",
        ),
    ],
)
def test_a_change_runs_what_it_can_touch(files, places, words):
    assert touched(files.split()) == [*places.split(), "-k", words]


@pytest.mark.parametrize(
    "file",
    [
        "dmlib/pictures/run.py",
        "dmlib/params.py",
        "dmlib/problem/view.py",
        "tests/visit.py",
        "pyproject.toml",
        "new.py",
    ],
)
def test_what_all_hangs_on_runs_everything(file):
    assert touched(["docs/testing.md", "ui/bar.py", file]) == ["tests", "dmlib"]


def test_texts_for_people_and_tests_that_are_gone_run_nothing():
    assert touched(["docs/testing.md", "README.md", "tests/contract/test_that_is_gone.py"]) == []


@pytest.fixture
def repository(tmp_path, monkeypatch):
    def git(*command):
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *names, *command], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-b", "main")
    git("commit", "--allow-empty", "-m", "first")
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    return tmp_path, git


def test_changes_since_main_are_committed_ones_others_and_new_files(repository):
    root, git = repository
    for name in ("committed.py", "other.py", "kept.py"):
        (root / name).write_text("1")
    git("add", ".")
    git("commit", "-m", "second")
    git("checkout", "-b", "branch")
    (root / "committed.py").write_text("2")
    git("commit", "-am", "third")
    (root / "other.py").write_text("2")
    (root / "new.py").write_text("2")
    assert sorted(changed.changed()) == ["committed.py", "new.py", "other.py"]


def test_without_changes_no_test_is_run(repository, capsys):
    assert changed.main([]) == 0
    assert "Nothing that is tested has changed" in capsys.readouterr().err


def test_without_a_branch_to_compare_with_the_reader_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert changed.main([]) == 1
    assert "no clone of the repository" in capsys.readouterr().err
