from .apriori.algorithm import AIS, SETM, Apriori, AprioriHybrid, AprioriStep, AprioriTid, apriori, apriori_steps
from .fp_growth.algorithm import FPGrowth, FPGrowthStep, fp_growth, fp_growth_steps

__all__ = [
    "AIS",
    "SETM",
    "Apriori",
    "AprioriHybrid",
    "AprioriStep",
    "AprioriTid",
    "FPGrowth",
    "FPGrowthStep",
    "apriori",
    "apriori_steps",
    "fp_growth",
    "fp_growth_steps",
]
