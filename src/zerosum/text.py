"""Text helpers: read and shorten numbers, join lists, suggest names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence

from zerosum.errors import UnreadableMove

# Shares that differ by less are equal, but for rounding.
EQUAL = 1e-9
# Reading a number takes time quadratic in its length: a quarter of a second here.
LONGEST_NUMBER = 200_000
LONG_NUMBER = 40
# The patterns are compiled when they are first used: not all are before the first prompt.
LONG_FOR_A_BUTTON = r"(\d{4})\d{2,}(\d{4})"
VERY_LONG = rf"\d{{1,3}}(?:,\d{{3}}){{{LONG_NUMBER // 3},}}|\d{{{LONG_NUMBER},}}"
IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"} | {
    word: word for word in ("always", "as", "this", "thus")
}
# In the name of a method or a file, but not in an ordinary word.
NAMED = r"[(._]"
# Control characters other than tabs and line ends, separators of lines and paragraphs, overrides
# of the direction, lone surrogates.
OBEYED = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
# The codes of a terminal for what stands out; a win, a loss and a draw have a sign as well.
STYLES = {"problem": "33", "aside": "2", "strong": "1", "win": "32", "loss": "31", "draw": "36"}


def brief(value: object, width: int = 40) -> str:
    """Write a value for a message: one short line without control characters.

    >>> brief(7), brief("a" * 100, 10), brief(10**5000)
    ('7', 'aaaaaaaaa… (100 characters)', 'a number of about 5001 digits')
    """
    if type(value) is int and value.bit_length() > 3 * width and abs(value) >= 10**width:
        # A conversion to text may be forbidden (sys.set_int_max_str_digits), and is slow.
        digits = int((value.bit_length() - 1) * 0.30103) + 1
        return f"a number of about {digits + (abs(value) >= 10**digits)} digits"
    try:
        text = value if isinstance(value, str) else repr(value)
    except ValueError:  # a number in it is too long for this interpreter
        text = f"{type(value).__name__} with very long numbers"
    start = printable(text[:width])
    if len(text) <= width:
        return start
    return f"{start[:-1]}… ({len(text)} characters)"


def printable(text: str) -> str:
    r"""Replace what a terminal would obey instead of showing: control characters, bidi overrides.

    >>> printable("Ada\x1b[2J")
    'Ada�[2J'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "�" for c in text)


def styled(text: str, style: str, color: bool) -> str:
    """Show text, never obey it; style it if colour is on, which never carries meaning alone."""
    text = visible(text)
    code = STYLES.get(style) if color and text else None
    return f"\x1b[{code}m{text}\x1b[0m" if code else text


def visible(text: str) -> str:
    r"""Replace what a terminal would obey, in several lines of any script, emoji included.

    >>> visible("Take\x1b[2J\nतीन, ۳ or 👨‍👩‍👧")
    'Take�[2J\nतीन, ۳ or 👨‍👩‍👧'
    """
    if all(map(str.isprintable, text.split("\n"))):  # as nearly always
        return text
    return re.sub(OBEYED, "�", text)


def short(text: str) -> str:
    """Shorten very long numbers to their first and last digits.

    >>> short("leaving " + "7" * 100), short(f"in {10**40:,} moves")
    ('leaving 77777777…77777777 (100 digits)', 'in 10000000…00000000 (41 digits) moves')
    """
    if len(text) < LONG_NUMBER:
        return text

    def ends(match: re.Match[str]) -> str:
        digits = match[0].replace(",", "")
        return f"{digits[:8]}…{digits[-8:]} ({len(digits)} digits)"

    return re.sub(VERY_LONG, ends, text)


def tight(text: str) -> str:
    """Shorten long numbers to their first and last digits, for a button.

    >>> tight("below 987654321"), tight("below " + "7" * 40)
    ('below 987654321', 'below 7777…7777')
    """
    return re.sub(LONG_FOR_A_BUTTON, r"\1…\2", text)


def tail(number: int) -> str:
    """Write a number for a button, a long one by its last digits.

    >>> tail(-12), tail(98765432109876543210)
    ('−12', '…3210')
    """
    return re.sub(LONG_FOR_A_BUTTON, r"…\2", signed(number, ""))


def signed(number: int, plus: str = "+") -> str:
    """Write a number with its sign, a real minus.

    >>> signed(7), signed(-3), signed(7, "")
    ('+7', '−3', '7')
    """
    return f"−{-number}" if number < 0 else f"{plus}{number}"


def read_whole(text: str, most: int = LONGEST_NUMBER) -> int:
    """Read a typed whole number, in the digits of any script.

    >>> read_whole(" +7 "), read_whole("-3"), read_whole("٤٢")
    (7, -3, 42)
    >>> read_whole("1.0")
    Traceback (most recent call last):
    ...
    zerosum.errors.UnreadableMove: '1.0' is not a whole number.
    """
    text = text.strip()
    digits = text[1:] if text[:1] in ("+", "-", "−") else text
    if not digits.isdecimal():
        raise UnreadableMove(f"'{brief(text)}' is not a whole number.")
    if len(digits) > most:
        raise UnreadableMove(f"A number of {len(digits)} digits is too long; the limit is {most}.")
    limit = sys.get_int_max_str_digits()
    if limit and len(digits) > limit:
        raise UnreadableMove(
            f"A number of {len(digits)} digits is too long for this Python "
            f"({limit}; see sys.set_int_max_str_digits)."
        )
    value = int(digits)
    return value if digits is text or text[0] == "+" else -value


def read_numbers(text: str, most: int = LONGEST_NUMBER) -> tuple[int, ...]:
    """Read whole numbers with commas or spaces between them.

    >>> read_numbers("1,3, 6"), read_numbers("1 3")
    ((1, 3, 6), (1, 3))
    """
    try:
        parts = text.split("," if "," in text else None)
        return tuple(read_whole(part, most) for part in parts)
    except UnreadableMove as error:
        raise UnreadableMove(f"{error} Separate numbers with commas, such as 1,3,6.") from error


def either(words: list[str]) -> str:
    """Join words with commas and a final "or".

    >>> either(["13", "7"]), either(["1", "2", "3"])
    ('13 or 7', '1, 2 or 3')
    """
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def closest(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the name that was probably meant, or nothing."""
    from difflib import get_close_matches

    known = {known.lower(): known for known in names}
    typed = name.strip().lower()
    begins = [candidate for candidate in known if len(typed) > 2 and candidate.startswith(typed)]
    close = begins or get_close_matches(typed, known, n=1, cutoff=cutoff)
    return known[close[0]] if close else ""


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Ask whether the closest name was meant, if one is close.

    >>> did_you_mean("Evensteven", ["even-steven", "divisor-duel"]), did_you_mean("x", ["start"])
    ('did you mean even-steven?', '')
    """
    meant = closest(name, names)
    return f"did you mean {meant}?" if meant else ""


def plain_name(field: str) -> str:
    """Write the name of a field or an option as words.

    >>> plain_name("first_lives")
    'first lives'
    """
    return field.replace("_", " ").strip()


def runs(moves: Sequence[int | str], last_word: str = "") -> str:
    """List moves, with runs of three or more numbers as ranges, and a word before the last.

    >>> runs([1, 2, 4, 5, 6, 9]), runs(["b1", "b2"]), runs([1, 2, 3, 5], "and")
    ('1, 2, 4 to 6, 9', 'b1, b2', '1 to 3 and 5')
    """
    parts: list[list[int | str]] = []
    for move in moves:
        last = parts[-1][-1] if parts else None
        if isinstance(last, int) and isinstance(move, int) and move == last + 1:
            parts[-1].append(move)
        else:
            parts.append([move])
    listed: list[str] = []
    for run in parts:
        listed += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    if last_word and len(listed) > 1:
        listed[-2:] = [f"{listed[-2]} {last_word} {listed[-1]}"]
    return ", ".join(listed)


def with_name(name: str, value: object) -> str:
    """Write a number after its name.

    >>> with_name("start", 60), with_name("start", 10**1000)
    ('start 60', 'start of about 1001 digits')
    """
    return f"{name} {brief(value).removeprefix('a number ')}"


def percent(share: float, decimals: int = 0) -> str:
    """Write a share; one close to 0 or 1 is not written as that.

    >>> percent(0.618), percent(0.9996), percent(0.002), percent(1.0), percent(0.0)
    ('62%', 'over 99%', 'under 1%', '100%', '0%')
    >>> percent(0.4304, 1), percent(1.0, 1), percent(0.9999, 1), percent(0.0001, 1)
    ('43.0%', '100%', 'over 99.9%', 'under 0.1%')
    """
    if share < EQUAL or share > 1 - EQUAL:
        return f"{share:.0%}"
    least = 10 ** -(decimals + 2)
    if share < least:
        return f"under {least:.{decimals}%}"
    if share > 1 - least:
        return f"over {1 - least:.{decimals}%}"
    return f"{share:.{decimals}%}"


def does(name: str, verb: str) -> str:
    """Join a name and what somebody does; 'You' have a verb of your own.

    >>> does("Ada", "has won"), does("You", "has won"), does("You", "plays"), does("You", "went")
    ('Ada has won', 'You have won', 'You play', 'You went')
    """
    first, space, rest = verb.partition(" ")
    if name in ("You", "you", "they"):
        first = for_you(first)
    return f"{name} {first}{space}{rest}"


def upper_first(text: str) -> str:
    """Begin a sentence with a capital, unless the name of a method or a file is first.

    >>> upper_first("must be 1"), upper_first("play() fails"), upper_first("my.py: it fails")
    ('Must be 1', 'play() fails', 'my.py: it fails')
    """
    first = text.partition(" ")[0].rstrip(".:?")
    return text if re.search(NAMED, first) else f"{text[:1].upper()}{text[1:]}"


def lower_first(text: str) -> str:
    """Go on with a sentence that begins with a capital letter.

    >>> lower_first("Every move wins")
    'every move wins'
    """
    return f"{text[:1].lower()}{text[1:]}"


def for_you(verb: str) -> str:
    """Return a verb's form for 'you'; other words stay.

    >>> [for_you(verb) for verb in ("plays", "carries", "misses", "goes", "went", "always")]
    ['play', 'carry', 'miss', 'go', 'went', 'always']
    """
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    return re.sub(r"(?<=sh|ch|ss)es$|(?<=[^s])s$", "", re.sub("ies$", "ys", verb))


def whose(name: str) -> str:
    """Return the possessive of a name.

    >>> whose("Ada"), whose("You")
    ("Ada's", 'your')
    """
    return "your" if name == "You" else f"{name}'s"


def inside(name: str) -> str:
    """Return what somebody is called inside a sentence.

    >>> inside("Ada"), inside("You"), inside("Your opponent")
    ('Ada', 'you', 'your opponent')
    """
    return lower_first(name) if name in ("You", "Your opponent") else name


def against(names: Iterable[str]) -> str:
    """Name two players, you first.

    >>> against(("Bob", "You")), against(("Bob", "Ada"))
    ('You against Bob', 'Bob against Ada')
    """
    return " against ".join(sorted(names, key=lambda name: name != "You"))


def counted(count: int, noun: str) -> str:
    """Write a count before its noun, in the plural unless it is one.

    >>> counted(1, "move"), counted(2, "move"), counted(0, "saved match")
    ('1 move', '2 moves', '0 saved matches')
    """
    plural = "" if count == 1 else "es" if noun.endswith("ch") else "s"
    return f"{count:,} {noun}{plural}"


def score(points: Iterable[float]) -> str:
    """Write the points of both players, where a draw counts half a point.

    >>> score([2, 0]), score((1.5, 0.5))
    ('2 to 0', '1½ to ½')
    """
    return " to ".join(map(half_points, points))


def half_points(score: float) -> str:
    """Write a score in which a draw counts half a point.

    >>> half_points(2), half_points(1.5), half_points(0.5)
    ('2', '1½', '½')
    """
    whole, half = divmod(score, 1)
    return f"{int(whole) or ''}½" if half else str(int(whole))
