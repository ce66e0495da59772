"""The page of strings: presets, the lesson, typed strings, its pictures."""

from functools import partial

import numpy as np
import pytest

from dmlib.datasets import load
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula
from dmlib.pictures.marks import Raster, Rects
from dmlib.pictures.run import Run
from dmlib.problem import prepare_texts
from dmlib.similarity import StringAlignment, StringKernel, align, edit_distance, spectrum_kernel
from dmlib.similarity.strings.figures.all_pairs import all_pairs_data
from dmlib.similarity.strings.figures.classification import classification_data
from dmlib.similarity.strings.scene import strings_scene
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at
from tests.runs import stopped
from tests.visit import open_preset, sentences_of, sound, stage, visit

SLUG = "strings"

run_of = partial(open_preset, SLUG)


# --- presets and lesson ---------------------------------------------------------------------------


def test_kitten():
    run, _, look_for = run_of("Kitten and sitting")
    assert (run.fitted.value_, run.fitted.alignment_) == (3, ("kitten-", "sitting"))
    assert look_for.startswith("Three edits")


def test_swapped():
    run = run_of("Two letters swapped").run
    plain = run_of("Two letters swapped", measure="levenshtein").run
    assert (run.fitted.value_, plain.fitted.value_) == (1, 2)
    assert edit_distance("form", "from", "hamming") == 2


def test_scores():
    run, _, look_for = run_of("A global alignment")
    first, second = run.fitted.alignment_
    n_gaps = (first + second).count("-")
    assert (run.fitted.value_, run.fitted.n_matches_, n_gaps, len(first)) == (0, 4, 2, 8)
    assert "4 matches, 2 mismatches and 2 gaps" in look_for
    run, _, look_for = run_of("The best pair of substrings")
    assert (run.fitted.value_, run.fitted.alignment_) == (13, ("GTTGAC", "GTT-AC"))
    assert align("GGTTGACTA", "TGTTACGG", match=3.0, mismatch=-3.0, gap=-2.0)[2] == 4
    assert "score 13. A global alignment scores 4" in look_for


def test_languages():
    run, _, look_for = run_of("One to ten in two languages")
    assert run.problem.names[:2] == ("English", "Norwegian")
    assert look_for.startswith(f"{run.fitted.value_:g} edits")
    assert len(run.problem.texts) == 11


def test_downtown():
    run, _, look_for = run_of("Downtown and known")
    assert run.fitted.value_ == 2
    assert "so the kernel is 2" in look_for
    assert spectrum_kernel("downtown", "known", 2) == 4


def test_motif():
    run, _, look_for = run_of("A motif in DNA")
    assert run.fitted.value_ == 2
    assert "2 pairs of equal 5-mers" in look_for
    assert [run.problem.classes[run.problem.y[i]] for i in (0, 4)] == ["motif", "motif"]
    data = classification_data(StringKernel(normalize=True), run.problem)
    assert (data.machine[0], data.machine[3]) == (15, 2)
    assert (np.array(data.neighbour) >= data.machine).all()
    assert "misclassifies 15 with k = 1" in text_of(SLUG)
    assert "2 with k = 4" in text_of(SLUG)


def test_promoters():
    run, _, look_for = run_of("Promoters of a bacterium")
    first, second = (run.problem.texts[i] for i in (0, 9))
    assert "Both promoters have tataat" in look_for
    assert "tataat" in first
    assert "tataat" in second
    has_motif = ["tataat" in text for text in run.problem.texts]
    assert (sum(has_motif[:53]), sum(has_motif[53:106])) == (10, 0)
    data = classification_data(StringKernel(normalize=True), run.problem)
    assert (data.n_strings, data.machine[0], data.machine[5]) == (106, 29, 3)
    assert "3 errors of 106 at k = 6" in look_for
    assert "misclassifies 29 with k = 1 and 3 with k = 6" in " ".join(text_of(SLUG).split())


def test_delta():
    run = run_of("Only equal strings are alike").run
    assert (run.fitted.matrix_ == np.eye(6)).all()


def test_the_table_of_the_lesson():
    text = section(text_of(SLUG), "By hand")
    lines = [line for line in text.splitlines() if line.startswith("| **")]
    rows = [[int(cell) for cell in line.split("|")[2:-1]] for line in lines]
    assert rows == StringAlignment().fit(["kitten", "sitting"]).matrix_.tolist()
    assert f"{100_000**2:,} cells" in text_of(SLUG)


# --- typed strings and files ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (" ; ;", "There is no string"),
        ("alone", "There is 1 string"),
        ("<b>x</b>; $a$", "edits turn"),
        ("; ".join(["word"] * 300), "0 edits turn"),
    ],
)
def test_typed_strings(words, sentence):
    page = sound(visit(SLUG, source="draw", words=words))
    captions = [frame["caption"] for frame in stage(page)["frames"]]
    assert sentence in " ".join([*sentences_of(page), *captions])


def test_strings_of_different_length_have_no_hamming_distance():
    page = sound(visit(SLUG, source="draw", words="tea; teas", **{f"{SLUG}.measure": "hamming"}))
    assert "Choose strings of equal length" in " ".join(sentences_of(page))


def test_a_file_of_very_long_strings_is_cut():
    page = visit(SLUG, source="upload")
    content = b"acgt" * 25_000 + b"\n" + b"aggt" * 25_000
    page.file_uploader[0].upload("long.txt", content, "text/plain")
    scene = stage(sound(page.run()))
    assert "the first 600 characters are used" in " ".join(scene["notes"])
    assert scene["frames"][-1]["caption"].startswith("Done.")


# --- pictures and figures -------------------------------------------------------------------------


def scene_of(texts, model, **names):
    return strings_scene(Run.of(prepare_texts(texts, **names), model))


def cells_of(table, image):
    """Return row and column of the pixels of an image that rows of a table are linked to."""
    numbers = list(at(image.numbers, -1))
    return [divmod(numbers.index(number), image.width) for number in table.numbers]


def formulas(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def test_the_ledger_has_the_candidates():
    scene = scene_of(["kitten", "sitting"], StringAlignment())
    frame = next(frame for frame in scene.frames if frame.caption.startswith("Cell (1, 1)"))
    assert frame.caption == "Cell (1, 1): k is substituted by s, and the distance is 1."
    assert formulas(frame) == ["D(1, 1) = min(1, 2, 2) = 1"]
    frame = next(frame for frame in scene.frames if frame.caption.startswith("Cell (2, 2)"))
    assert frame.caption == "Cell (2, 2): i meets i, and the distance is 1."
    model = StringAlignment("smith-waterman", match=3.0, mismatch=-3.0, gap=-2.0)
    scored = scene_of(["GGTTGACTA", "TGTTACGG"], model)
    assert "5 · 3 + 0 · (−3) + 1 · (−2) = 13" in formulas(scored.frames[-1])


def test_an_alignment_grows_from_its_end():
    scene = scene_of(["kitten", "sitting"], StringAlignment())
    cells = next(mark for mark in scene.marks if isinstance(mark, Rects) and mark.panel == "data")
    n_visible = [int(np.isfinite(row).sum()) for row in cells.x0.rows[-9:]]
    assert n_visible == [*range(8), 7]


def test_a_move_of_the_ledger_answers_to_the_cell_that_it_comes_from():
    scene = scene_of(["kitten", "sitting"], StringAlignment())
    matrix = StringAlignment().fit(["kitten", "sitting"]).matrix_
    image = next(mark for mark in scene.marks if isinstance(mark, Raster))
    frame = next(frame for frame in scene.frames if frame.caption.startswith("Cell (3, 2)"))
    table = frame.ledger[0]
    cells = cells_of(table, image)
    assert (table.by, cells) == (image.of, [(2, 1), (2, 2), (3, 1)])
    assert [row[1] for row in table.rows] == [f"{matrix[cell]:g}" for cell in cells]


def test_the_moves_of_the_alignment_answer_to_the_cells_of_its_path():
    texts = ["ab cd", "ba cde"]
    scene = scene_of(texts, StringAlignment("damerau"))
    image = next(mark for mark in scene.marks if isinstance(mark, Raster))
    table = scene.frames[-1].ledger[-1]
    cells = cells_of(table, image)
    assert (table.by, cells) == (image.of, [(2, 2), (3, 3), (4, 4), (5, 5), (5, 6)])
    assert table.rows == [
        ("(2, 2)", "ab", "ba", "transposed"),
        ("(3, 3)", "␣", "␣", "equal"),
        ("(4, 4)", "c", "c", "equal"),
        ("(5, 5)", "d", "d", "equal"),
        ("(5, 6)", "-", "e", "gap"),
    ]


def test_parts_and_strings_of_the_ledger_answer_to_bars_places_and_cells():
    texts = ["downtown", "known", "down"]
    scene = scene_of(texts, StringKernel(), names=texts)
    parts, strings = scene.frames[-1].ledger[1:]
    panels = {panel.name: panel for panel in scene.panels}
    bars = [mark for mark in scene.marks if isinstance(mark, Rects) and mark.panel == "counts"]
    place = list(at(bars[0].numbers, -1)).index(parts.numbers[0])
    assert panels["counts"].y.ticks[round(at(bars[0].y0, -1)[place])] == parts.rows[0][0] == "own"
    assert [at(bar.x1, -1)[place] for bar in bars] == list(parts.rows[0][1:3])
    windows = [mark for mark in scene.marks if isinstance(mark, Rects) and mark.panel == "data"]
    assert [at(window.numbers, -1).tolist() for window in windows] == [[1, 1], [1]]
    assert parts.by == bars[0].of == windows[0].of
    image = next(mark for mark in scene.marks if isinstance(mark, Raster))
    cells = [list(at(image.numbers, -1)).index(number) for number in strings.numbers]
    # the first row has the kernels with the first string
    assert [texts[cell] for cell in cells] == [row[0] for row in strings.rows]
    assert (strings.by, np.count_nonzero(at(image.numbers, -1))) == (image.of, 3)


def test_counts_grow_with_the_window():
    scene = scene_of(["downtown", "known"], StringKernel(), names=["downtown", "known"])
    bars = [mark for mark in scene.marks if isinstance(mark, Rects) and mark.panel == "counts"]
    assert [np.sum(row) for row in bars[0].x1.rows] == [1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6]
    assert [np.sum(row) for row in bars[1].x1.rows][:8] == [0, 0, 0, 0, 0, 0, 1, 2]
    assert scene.frames[5].caption == "Place 6 of downtown: own is counted for the 2nd time."
    assert formulas(scene.frames[-1])[0] == "k = 2 · 1 = 2"
    image = next(mark for mark in scene.marks if isinstance(mark, Raster))
    assert [len(row) for row in image.pixels.rows][-3:] == [0, 4, 4]
    windows = [mark for mark in scene.marks if isinstance(mark, Rects) and mark.panel == "data"]
    assert [np.round(at(mark.x0, -1) - 0.55).tolist() for mark in windows] == [[1, 5], [2]]  # own


@pytest.mark.parametrize(
    "model",
    [StringAlignment(), StringAlignment("smith-waterman"), StringKernel(), StringKernel("gappy")],
)
@pytest.mark.parametrize(
    "texts", [["", ""], ["", "a"], ["a", "b"], ["ab cd", "ab\tcd"], ["x" * 300, "y" * 200]]
)
def test_awkward_strings_have_a_picture(texts, model):
    scene = scene_of(texts, model)
    assert scene.frames[-1].caption.startswith("Done.")
    assert all(frame.caption and frame.ledger for frame in scene.frames)
    assert len(encode(scene)) < 150_000


def test_a_stopped_run_shows_the_strings():
    run = Run.of(prepare_texts(["tea", "ten"]), StringAlignment())
    assert strings_scene(stopped(run, 2)).frames[0].caption.startswith("2 texts")


def test_all_pairs_of_the_languages():
    words = load("number_words")
    data = all_pairs_data(prepare_texts(words.texts, names=words.names))
    assert data.distances[0, 1] == edit_distance(*words.texts[:2]) == 27
    with pytest.raises(ValueError, match="only one string"):
        all_pairs_data(prepare_texts(["alone"]))


def test_strings_without_classes_lend_the_promoters():
    data = classification_data(StringKernel(normalize=True), prepare_texts(["a", "b"]))
    assert (data.own, data.n_strings) == (False, 106)
