"""Numbers in a report: each must occur in the document beside it."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

# A number with its separators; digits after a letter are part of a name, such as b2.
NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.])\d")
WELL_FORMED = re.compile(r"(\d+|\d{1,3}(,\d{3})+)(\.\d+)?")
# A shortened number: its first and last digits, and how many it has.
SHORTENED = re.compile(r"(\d{8})…(\d{8}) \((\d+) digits\)")
# What is typed has commas without spaces.
TYPED = re.compile(r"--moves \S+")
LONG = 10**39


def strange_numbers(text: str, document: Any, constants: Iterable[float] = ()) -> list[str]:
    """List the numbers in a string that are malformed, or that its document does not have.

    A decimal is the rounding of a number of the document, and a percentage of a share; a count may
    be the length of a list. `constants` are in fixed prose.
    """
    facts = {*constants, *_facts(document)}
    shares = [fact for fact in facts if isinstance(fact, float) or fact in (0, 1)]
    text = TYPED.sub(lambda typed: typed[0].replace(",", " "), text)

    written = str(document)

    def is_shortened(match: re.Match[str]) -> bool:
        return match[0] in written or any(
            str(fact).startswith(match[1]) and str(fact).endswith(match[2])
            for fact in facts
            if isinstance(fact, int) and fact >= LONG and len(str(fact)) == int(match[3])
        )

    strange = [match[0] for match in SHORTENED.finditer(text) if not is_shortened(match)]
    text = SHORTENED.sub(" ", text)
    for match in NUMBER.finditer(text):
        before, after = text[max(0, match.start() - 6) : match.start()], text[match.end() :][:1]
        if not _occurs(match[0], after == "%", before, facts, shares):
            strange.append(match[0] + "%" * (after == "%"))
    return strange


def malformed_numbers(text: str) -> list[str]:
    """List the numbers in a string whose groups of digits do not have three."""
    numbers = [match[0] for match in NUMBER.finditer(_with_spaces(text))]
    return [number for number in numbers if not WELL_FORMED.fullmatch(number)]


def _with_spaces(text: str) -> str:
    """Write moves that are to be typed with spaces between them."""
    return TYPED.sub(lambda typed: typed[0].replace(",", " "), text)


def _facts(document: Any) -> Iterator[float]:
    """List the numbers of a document, the lengths of its lists, and the numbers in its strings."""
    if isinstance(document, bool) or document is None:
        return
    if isinstance(document, int | float):
        yield abs(document)
        if abs(document) >= LONG:
            yield len(str(abs(document)))
    elif isinstance(document, str):
        for match in NUMBER.finditer(document):
            if WELL_FORMED.fullmatch(match[0]):
                number = match[0].replace(",", "")
                yield float(number) if "." in number else int(number)
                if document[match.end() :][:1] == "%":
                    yield float(number) / 100
    else:
        yield len(document)
        parts = document.items() if isinstance(document, dict) else enumerate(document)
        for key, part in parts:
            yield from _facts(part)
            yield from _facts(key) if isinstance(key, str) else ()


def _occurs(
    number: str, percent: bool, before: str, facts: set[float], shares: list[float]
) -> bool:
    """Return whether a number is one of the facts, or the rounding of one."""
    if not WELL_FORMED.fullmatch(number):
        return False
    digits = number.replace(",", "")
    places = len(digits.partition(".")[2])
    if percent:
        if before.endswith(("over ", "under ")):
            least, most = sorted((float(digits) / 100, float(before.endswith("over "))))
            return any(least <= share <= most for share in shares)
        return any(
            digits in (f"{share:.{places}%}"[:-1], f"{100 * share:.{places}f}") for share in shares
        )
    if not places:
        return int(digits) in facts
    if before.endswith("under "):
        return any(0 < fact <= float(digits) for fact in facts)
    return any(f"{fact:.{places}f}" == digits for fact in facts if fact < LONG)
