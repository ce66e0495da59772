"""Folders of editions are told from others, and pages that have changed from the rest."""

import pytest

from edition import manifest
from edition.manifest import FolderError, Manifest, digest, inputs_of


def test_a_folder_with_something_else_is_refused_and_stays(tmp_path):
    (tmp_path / "thesis.txt").write_text("a year of work")
    with pytest.raises(FolderError, match="holds something else"):
        Manifest.of(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_is_refused(tmp_path):
    (tmp_path / "site").write_text("")
    with pytest.raises(FolderError, match="is a file"):
        Manifest.of(tmp_path / "site")


@pytest.mark.parametrize("text", ["", "[]", '{"pages": 1}', "{}"])
def test_a_list_that_is_none_is_refused(tmp_path, text):
    (tmp_path / manifest.FILE).write_text(text)
    with pytest.raises(FolderError):
        Manifest.of(tmp_path)


def test_an_edition_is_recognised(tmp_path):
    Manifest(tmp_path, {"kmeans": {"README.md": digest("README.md")}}).write()
    assert Manifest.of(tmp_path).pages == {"kmeans": {"README.md": digest("README.md")}}


def test_a_page_is_current_until_one_of_its_files_changes(tmp_path, monkeypatch):
    (tmp_path / "data" / "kmeans").mkdir(parents=True)
    (tmp_path / "presets.toml").write_text("one")
    monkeypatch.setattr(manifest, "ROOT", tmp_path)
    digest.cache_clear()
    edition = Manifest(tmp_path, {"kmeans": {"presets.toml": digest("presets.toml")}})
    assert edition.is_current("kmeans")
    assert not edition.is_current("svm")
    (tmp_path / "presets.toml").write_text("another")
    digest.cache_clear()
    assert not edition.is_current("kmeans")
    digest.cache_clear()


def test_a_page_is_made_of_its_modules_and_their_content():
    import pages.kmeans

    names = inputs_of([pages.kmeans.__name__, "dmlib.clustering.kmeans.scene"])
    assert {
        "pages/kmeans.py",
        "dmlib/clustering/kmeans/scene.py",
        "assets/pages/kmeans/presets.toml",
        "requirements.txt",
    } <= names.keys()
    assert not [name for name in names if "svm" in name]
