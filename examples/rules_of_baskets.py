"""The association rules of a list of baskets, with a test that counts all rules that were tried."""

import pandas as pd

from dmlib.association import AssociationRules
from dmlib.datasets import load

baskets = load("planted_baskets")
X = pd.DataFrame(
    [{item: item in basket for item in baskets.items} for basket in baskets.transactions]
)
model = AssociationRules(min_support=0.1, min_confidence=0.6, correction="holm").fit(X)
rules = model.rules_.sort_values("lift", ascending=False)
for antecedents, consequents, lift in rules[["antecedents", "consequents", "lift"]].values:
    print(f"{' and '.join(antecedents)} -> {' and '.join(consequents)}: lift {lift:.2f}")
