from tests.visit import visit, sound, stage, technique, watched_runs, linked, warnings
import sys
with watched_runs() as seen:
    p=sound(visit("lda_classifier"))
print(warnings(p))
for f in stage(p)["frames"]: print(f["phase"],"|",f["caption"])
r=seen[-1]
for b in technique("lda_classifier").scene(r).frames[-1].ledger+technique("lda_classifier").scene(r).frames[4].ledger+technique("lda_classifier").scene(r).frames[5].ledger:
    print(b)
from dmlib.classification.lda_classifier.figures.assumptions import *
from dmlib.classification.lda_classifier.figures.logistic_rival import *
print(assumptions_data(r.problem).test); d=rival_data(r); print(d.errors,d.differing); logistic_rival(r); assumptions(r)
for pr in technique("lda_classifier").presets:
    with watched_runs() as seen: p=sound(visit("lda_classifier", **linked("lda_classifier",pr.settings)))
    r=seen[-1]; print(pr.title, warnings(p), stage(p)["frames"][-1]["caption"], (r.fitted.predict(r.problem.training.data)!=r.problem.training.y).sum(), len(r.problem.training.X)); print(rival_data(r).errors)
