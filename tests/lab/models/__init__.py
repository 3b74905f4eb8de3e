"""Language models in tests. Here is what does not need Inspect, which takes a second to load."""

# What a mock of a model says, and which fault that is.
FAULTS = {
    "I would rather subtract the smaller number.": "unreadable",
    "": "unreadable",
    "MOVE: 9": "illegal",
    "MOVE: 1": "cut_off",
    "I cannot help with that.": "refused",
}
