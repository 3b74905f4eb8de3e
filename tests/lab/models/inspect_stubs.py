"""What the mock of a model says, apart from Inspect, which takes a second to import."""

from zerosum.lab.models.suites import SUITES

FAULTS = {
    "I would rather subtract the smaller number.": "unreadable",
    "": "unreadable",
    "MOVE: 9": "illegal",
    "MOVE: 1": "cut_off",
    "I cannot help with that.": "refused",
}
# A suite with some of the questions.
FEW = {"zerosum-sizes": SUITES["zerosum-sizes"]._replace(parts=SUITES["zerosum-sizes"].parts[::10])}
