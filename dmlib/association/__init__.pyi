from .apriori.algorithm import AIS, Apriori, AprioriStep, AprioriTid, apriori, apriori_steps

__all__ = [
    "AIS",
    "Apriori",
    "AprioriStep",
    "AprioriTid",
    "apriori",
    "apriori_steps",
]
