"""Pictures of few terms and topics of texts: against SciPy, by hand, invariants, and the page."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from scipy.linalg import svd

from dashboard.presets import link_of, presets
from dmlib.clustering.codes import patches
from dmlib.decomposition import NMF, Autoencoder, ImageParts, ImageSVD, SparseCoding
from dmlib.decomposition.factorisation.parts_scene import parts_scene
from dmlib.decomposition.factorisation.picture import from_rows
from dmlib.decomposition.factorisation.picture_parts import LEARNERS
from dmlib.decomposition.factorisation.picture_scene import picture_scene
from dmlib.decomposition.factorisation.reference import factorisation_reference
from dmlib.pictures.run import Run
from dmlib.problem import prepare_bags, prepare_image
from tests.pictures.examples import at
from tests.visit import sound, stage, technique, turn, upload, visit, warnings
from ui.below import tabs

SLUG = "factorisation"
PICTURE, TOPICS = {"factorisation.method": "Picture"}, {"factorisation.method": "Topics of texts"}


def picture(seed=0, shape=(14, 20)):
    return np.random.default_rng(seed).random(shape)


@given(st.integers(0, 50), st.integers(1, 14), st.sampled_from([(14, 20), (14, 20, 3)]))
def test_scipy_makes_the_same_picture(seed, k, shape):
    X = picture(seed, shape)
    model = ImageSVD(k).fit(X)
    U, sizes, V = svd(X.reshape(len(X), -1), full_matrices=False, lapack_driver="gesvd")
    expected = np.clip(U[:, :k] * sizes[:k] @ V[:k], 0, 1)
    np.testing.assert_allclose(model.rebuilt_.reshape(len(X), -1), expected, atol=1e-9)
    assert model.energy_ == pytest.approx((sizes[:k] ** 2).sum() / (sizes**2).sum())
    if k < 14:
        assert model.psnr_ == pytest.approx(-20 * np.log10(model.rmse_))


def test_a_picture_by_hand():
    """Two equal rows (0, 0, 1) and one (0.5, 0, 0): the lengths are √2 and 0.5."""
    model = ImageSVD(1).fit([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.5, 0.0, 0.0]])
    assert model.singular_values_ == pytest.approx([2**0.5, 0.5])
    assert model.energy_ == pytest.approx(2 / 2.25)
    assert model.rmse_ == pytest.approx((0.25 / 9) ** 0.5)
    assert model.psnr_ == pytest.approx(10 * np.log10(9 / 0.25))
    assert model.ratio_ == 9 / 6  # one code for each of 3 rows, one number for each of 3 columns


@given(st.integers(0, 30), st.integers(1, 9), st.sampled_from([(13, 17), (9, 11, 3)]))
def test_all_terms_make_the_picture_whatever_the_patch(seed, patch, shape):
    X = picture(seed, shape)
    model = ImageSVD(128, patch=patch).fit(X)
    np.testing.assert_allclose(model.rebuilt_.reshape(shape), X, atol=1e-9)
    assert model.energy_ == pytest.approx(1)


@given(st.integers(0, 30), st.sampled_from([1, 2, 4]), st.sampled_from([0.0, 0.2]))
def test_the_curve_is_the_error_of_each_number_of_terms(seed, patch, noise):
    model = ImageSVD(noise=noise, patch=patch, random_state=0)
    decomposition = model.decompose(0.3 + 0.4 * picture(seed, (12, 16)))
    clean = decomposition.clean
    expected = []
    for k in range(4):
        rows = decomposition.codes[:, :k] @ decomposition.terms[:k]
        rebuilt = from_rows(rows, clean.shape, patch)
        expected.append(10 * np.log10(1 / ((rebuilt - clean) ** 2).mean()))
    np.testing.assert_allclose(decomposition.curve(3), expected, rtol=1e-6)


def test_noise_goes_with_the_last_terms():
    x = np.linspace(0, 3, 60)
    clean = 0.5 + 0.2 * np.outer(np.sin(x), np.cos(x)) + 0.2 * np.outer(np.cos(2 * x), np.sin(x))
    with_noise = ImageSVD(noise=0.1, random_state=0).decompose(clean).noisy
    model = ImageSVD(3, noise=0.1, random_state=0).fit(clean)
    noisy = -10 * np.log10(((clean - with_noise[:, :, 0]) ** 2).mean())
    assert model.psnr_ > noisy + 8
    assert model.best_ in (2, 3)


@pytest.mark.parametrize(
    "X", [np.zeros((4, 5)), np.full((4, 5), 0.5), [[0.3, 0.4]], np.zeros((3, 3, 3))]
)
def test_pictures_without_anything_to_see(X):
    model = ImageSVD().fit(X)
    np.testing.assert_allclose(model.rebuilt_.ravel(), np.ravel(X), atol=1e-12)
    assert len(picture_scene(Run.of(prepare_image(X), ImageSVD())).frames) > 1


def test_the_library_agrees():
    run = Run.of(prepare_image(picture()), ImageSVD(5, patch=2, noise=0.1, random_state=0))
    assert factorisation_reference(run).answer(run).rmse_ == pytest.approx(run.fitted.rmse_)


def test_topics_of_four_texts():
    """Two texts of the sea, two of the field: each topic is the words of one pair."""
    sea = ["ship sail wind the", "sail ship wave the"]
    field = ["plough corn field the", "corn field ox the"]
    texts = [text.split() for text in (*sea, *field)]
    problem = prepare_bags(texts, called="text", tf_idf=True)
    assert problem.counts[:, problem.items.index("the")].tolist() == [0] * 4  # log(4 / 4)
    assert problem.counts[0, problem.items.index("ship")] == pytest.approx(np.log(2))
    model = NMF(2, random_state=0).fit(problem.data)
    heaviest = np.argsort(-model.components_, axis=1)[:, :4]
    topics = [sorted(problem.items[j] for j in items) for items in heaviest]
    assert sorted(topics) == [["corn", "field", "ox", "plough"], ["sail", "ship", "wave", "wind"]]


def test_the_page_names_the_topics():
    ledger = stage(sound(visit(SLUG, **TOPICS)))["frames"][-1]["ledger"]
    (table,) = [block for block in ledger if block.get("title") == "Topics"]
    (text,) = [row[2] for row in table["rows"] if "regime, weapons, destruction" in row[1]]
    assert "2002 George W Bush" in text


def own_picture():
    file = io.BytesIO()
    x, y = np.meshgrid(np.arange(40), np.arange(30))
    pixels = np.stack([6 * x, 8 * y, 3 * (x + y)], axis=-1).astype(np.uint8)
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def test_an_own_picture_is_rebuilt():
    page = visit(SLUG, source="upload", **PICTURE)
    page.file_uploader[0].upload("own.png", own_picture(), "image/png")
    scene = stage(sound(page.run()))
    assert "of the energy at" in scene["frames"][-1]["caption"]
    assert "for 3,600" in scene["frames"][-1]["caption"]  # 40 · 30 · 3


@pytest.mark.parametrize("method", ["Picture", "Picture of parts", "Topics of texts"])
def test_every_tab_opens(method):
    for title in tabs(technique(SLUG)):
        page = sound(visit(SLUG, {f"{SLUG}.tab": title}, **{"factorisation.method": method}))
        if title not in ("How many parts", "Empty cells"):
            assert warnings(page) == [], title


def test_methods_change_the_data_there_and_back():
    page = visit(SLUG)
    phrases = {"Picture": "terms keep", "SVD": "25,600 cells", "Topics of texts": "46,956 cells"}
    for method, phrase in phrases.items():
        page = sound(turn(page, "factorisation.method", method))
        assert phrase in stage(page)["frames"][-1]["caption"]


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        (
            "A picture of ten terms",
            "98.1 % of the energy at 26.6 dB, with 4,690 numbers for 32,640",
        ),
        (
            "Noise goes with the last terms",
            "25.1 dB against the picture without noise, best with 14",
        ),
        ("Topics of presidents", "6 parts keep 30.8 %"),
    ],
)
def test_a_preset_shows_what_it_says(title, sentence):
    (preset,) = (preset for preset in presets(SLUG) if preset.title == title)
    assert sentence in stage(visit(SLUG, **link_of(SLUG, preset)))["frames"][-1]["caption"]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("shape", [(14, 20), (13, 17, 3)])
def test_learned_parts_are_those_of_the_table_of_patches(learner, shape):
    X = picture(1, shape)
    model = ImageParts(learner, 5, patch=4, max_iter=8, random_state=0).fit(X)
    table = patches(np.atleast_3d(X), 4)
    np.testing.assert_array_equal(model.patches_.table, table)
    learners = {"nmf": NMF, "autoencoder": Autoencoder, "sparse_coding": SparseCoding}
    expected = learners[learner](5, max_iter=8, random_state=0)
    expected.fit_from(list(expected.steps(table))[:-1], table)
    rebuilt = expected.codes_ @ expected.components_ + expected.offset_
    np.testing.assert_allclose(model.factorisation_.components_, expected.components_)
    expected = np.clip(from_rows(rebuilt, np.atleast_3d(X).shape, 4), 0, 1)
    np.testing.assert_allclose(model.rebuilt_, expected)
    assert model.psnr_ == pytest.approx(-20 * np.log10(model.rmse_))
    assert model.rmse_ == pytest.approx(np.sqrt(((expected - np.atleast_3d(X)) ** 2).mean()))


@pytest.mark.parametrize("learner", LEARNERS)
def test_libraries_make_the_same_of_learned_parts(learner):
    model = ImageParts(learner, 4, patch=3, noise=0.1, max_iter=5, random_state=0)
    run = Run.of(prepare_image(picture()), model)
    space = {"model": run.fitted, "X": run.problem.data}
    exec(factorisation_reference(run).code, space)
    for reference in (factorisation_reference(run).answer(run), space["reference"]):
        assert reference.rmse_ == pytest.approx(run.fitted.rmse_, rel=1e-6)
        assert reference.energy_ == pytest.approx(run.fitted.energy_, rel=1e-6)


def test_few_parts_take_noise_out():
    x = np.linspace(0, 3, 60)
    clean = 0.5 + 0.2 * np.outer(np.sin(x), np.cos(x)) + 0.2 * np.outer(np.cos(2 * x), np.sin(x))
    for learner in LEARNERS:
        model = ImageParts(learner, 4, patch=5, noise=0.1, max_iter=150, random_state=0).fit(clean)
        noisy = ImageParts(learner, noise=0.1, patch=5, random_state=0).patches(clean)[0].noisy
        assert model.psnr_ > -10 * np.log10(((clean - noisy[:, :, 0]) ** 2).mean()) + 3, learner


def test_how_many_numbers_learned_parts_need():
    X = picture(2, (12, 12))  # 9 patches of 16 numbers
    params = {"n_components": 3, "patch": 4, "n_nonzero_coefs": 1, "max_iter": 3}
    models = {name: ImageParts(name, **params, random_state=0).fit(X) for name in LEARNERS}
    sizes = {name: 144 / model.ratio_ for name, model in models.items()}
    assert sizes["nmf"] == pytest.approx(3 * (9 + 16))
    assert sizes["autoencoder"] == pytest.approx(3 * (9 + 16) + 16)
    assert sizes["sparse_coding"] == pytest.approx(2 * 9 + 3 * 16 + 16)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(
    "X", [np.zeros((4, 5)), np.full((4, 5), 0.5), [[0.3, 0.4]], np.zeros((3, 3, 3))]
)
def test_parts_of_pictures_without_anything_to_see(learner, X):
    run = Run.of(prepare_image(X), ImageParts(learner, patch=2, max_iter=30, random_state=0))
    assert len(parts_scene(run).frames) > 1
    assert run.fitted.rmse_ < 0.5


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("A flower of sixteen parts", "K-SVD at 26.5 dB"),
        ("Few atoms leave the noise out", "24.6 dB"),
    ],
)
def test_a_preset_of_parts_shows_what_it_says(title, sentence):
    (preset,) = (preset for preset in presets(SLUG) if preset.title == title)
    assert sentence in stage(visit(SLUG, **link_of(SLUG, preset)))["frames"][-1]["caption"]


def test_an_own_picture_is_made_of_parts():
    content = io.BytesIO()
    Image.fromarray((255 * picture(3, (40, 50, 3))).astype(np.uint8)).save(content, "PNG")
    link = {"factorisation.method": "Picture of parts"}
    for learner in LEARNERS:
        settings = {**link, "factorisation.learner": learner}
        page = upload(SLUG, "own.png", content.getvalue(), **settings)
        assert "Done" in stage(sound(page))["frames"][-1]["caption"]


@pytest.mark.parametrize("patch", [1, 4])
def test_terms_answer_to_their_values_and_pictures(patch):
    scene = picture_scene(Run.of(prepare_image(picture()), ImageSVD(3, patch=patch)))
    (table,) = [block for block in scene.frames[-1].ledger if getattr(block, "by", "") == "terms"]
    point, side = [mark for mark in scene.marks if mark.of == table.by]
    last = dict(zip(point.numbers.rows[-1], point.y.rows[-1], strict=True))
    assert last[table.rows[-1][0]] == pytest.approx(table.rows[-1][2], rel=1e-3)
    if patch == 1:
        sizes = dict(zip(side.numbers.rows[-1], side.y.rows[-1], strict=True))
        pairs = [(sizes[n], np.log10(size)) for n, size, _ in table.rows if n]
        np.testing.assert_allclose(*zip(*pairs, strict=True), rtol=1e-2, atol=1e-2)
    else:
        assert [at(side.x0, -1)[n - 1] for n in (1, 2, 3)] == [0, 5, 10]


def test_parts_of_a_picture_answer_to_their_small_pictures():
    model = ImageParts(n_components=6, patch=3, max_iter=2)
    scene = parts_scene(Run.of(prepare_image(picture()), model))
    frames = next(mark for mark in scene.marks if mark.of == "part")
    (table,) = [block for block in scene.frames[-1].ledger if getattr(block, "by", "") == frames.of]
    assert sorted(row[0] for row in table.rows) == sorted(at(frames.numbers, -1))
    image = next(mark for mark in scene.marks if mark.panel == "parts")
    pixels = np.asarray(image.pixels.rows[-1]).reshape(image.height, image.width)
    for x0, y1 in zip(at(frames.x0, -1), at(frames.y1, -1), strict=True):
        tile = pixels[image.height - int(y1) :, int(x0) :][:3, :3]
        assert {0, 255} & set(tile.ravel().tolist())  # each part is shaded up to its largest number
