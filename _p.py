import sys
from tests.photos import *
from ui.adopt import link_of
from ui.presets import presets

out = Path("/tmp/lda_photos")
out.mkdir(exist_ok=True)
with Server() as server, chromium() as browser:
    for scheme, name in (("light", "1366x768"), ("dark", "1920x1080"), ("light", "390x844")):
        stage = visit(browser, server, scheme, SIZES[name])
        for slug in sys.argv[1:]:
            stage.open(slug).page.mouse.move(0, 0)
            photograph(stage, out / f"{slug}_{name}_{scheme}.png", name == "390x844")
            stage.page.set_viewport_size({"width": SIZES[name][0], "height": SIZES[name][1]})
        if name == "1366x768":
            for slug in sys.argv[1:]:
                for i, p in enumerate(presets(slug)):
                    stage.open(slug, **link_of(slug, p)).page.mouse.move(0, 0)
                    photograph(stage, out / f"{slug}_p{i}.png", False)
        stage.page.context.close()
