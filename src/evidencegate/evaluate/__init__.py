"""Figures on labelled files, with intervals, calibration and the cases behind them."""

from evidencegate.evaluate._artefacts import Artefacts
from evidencegate.evaluate._calibration import Bin, Calibration, Point, calibration, coverage_at, precision_coverage
from evidencegate.evaluate._counter import CounterResult, counter
from evidencegate.evaluate._factuality import FactualityResult, factuality
from evidencegate.evaluate._figures import Figures, figures
from evidencegate.evaluate._metrics import Interval, PerLabel
from evidencegate.evaluate._retrieval import RetrievalResult, retrieval
from evidencegate.evaluate._stance import StanceResult, stance

__all__ = [
    # calls
    "counter",
    "factuality",
    "retrieval",
    "stance",
    # results
    "Artefacts",
    "CounterResult",
    "FactualityResult",
    "Figures",
    "Interval",
    "PerLabel",
    "RetrievalResult",
    "StanceResult",
    # calibration
    "Bin",
    "Calibration",
    "Point",
    "calibration",
    "coverage_at",
    "figures",
    "precision_coverage",
]
