"""How a newcomer learns a game: from the winning side, in steps made from its values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Generic, Literal, NamedTuple

from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import GRADES, Puzzle, fails, puzzles, task
from zerosum.coach.verdicts import DOES, only_good_move
from zerosum.errors import TooLarge
from zerosum.limits import LESSON_POSITIONS, QUICK
from zerosum.protocol import Game, Move, S, Value
from zerosum.registry import entry_of
from zerosum.solver.solution import Solution
from zerosum.states import LARGE, largest, leaves, next_states, walk
from zerosum.text import counted, either, lower_first, percent, short, signed, tight, upper_first
from zerosum.wording.words import MOST_LISTED, variant_title

StepKind = Literal["goal", "lost", "law", "draw", "puzzle"]
# The most lost positions that are tried for a step.
MOST_TRIED = 200
# The most steps about lost positions and about a law, of puzzles, and before the match.
MOST_LOST, MOST_LAWS, MOST_PUZZLES, MOST_STEPS = 2, 2, 3, 7
# A win this short is shown move by move; other lines are cut after some moves more.
QUICK_WIN, MOST_SHOWN = 3, 4
# With more moves than this, a sentence does not list what they leave.
MOST_LEFT = 12
NO_LESSON = "No choice in it changes who wins, or its numbers are very large."
# A puzzle of a lesson takes about this many moves.
PUZZLE_PLIES = range(3, 12)


class LessonStep(NamedTuple, Generic[S]):
    """A true statement, a position to try, and why its right move is right.

    `about` is a position that the statement is about, if its words do not say which. The position
    to try may be of another variant, such as one with larger numbers: that of `coach`.
    """

    kind: StepKind
    title: str
    text: str
    coach: Coach[S]
    state: S
    task: str
    right: tuple[Move, ...]
    reason: str
    about: S | None = None

    def said(self, move: Move) -> str:
        """Answer a move: why it is right, or what it leads to."""
        if move in self.right:
            done = f"{self.coach.words.label(self.state, move)}."
            return f"Right! {self.reason}" if self.reason else done
        value = self.coach.solution.move_value(self.state, move)
        line = line_after(self.coach, self.state, move)
        return f"That {fails(value)}: {line} Try again."


def why_second(solution: Solution[S]) -> str:
    """Return why a newcomer should move second against the computer; or nothing.

    >>> import zerosum
    >>> why_second(zerosum.solve(zerosum.game("even-steven")))
    'From this start, whoever moves second can win, so the computer begins.'
    """
    if solution.value(solution.game.initial()).result != "loss":
        return ""
    return "From this start, whoever moves second can win, so the computer begins."


def lesson(
    coach: Coach[S], coach_of: Callable[[Game[Any]], Coach[Any]]
) -> tuple[LessonStep[Any], ...]:
    """Make the lesson of a game: its goal, what is lost, the law, and puzzles of each grade.

    `coach_of` advises on the variant that the puzzles are from. A game may lack some of the steps;
    one with very large numbers, or without a choice that matters, has none.

    >>> import zerosum
    >>> coach_of = lambda game: Coach(zerosum.solve(game))
    >>> steps = lesson(coach_of(zerosum.game("even-steven")), coach_of)
    >>> for step in steps[1:4]:
    ...     print(step.kind, step.state.number, step.right, step.title)
    lost 4 (2,) 2 is lost for whoever has to move.
    lost 6 (1,) 5 is lost for whoever has to move.
    law 12 (1,) The player to move loses if the number is odd and at least 5.
    >>> steps[2].text
    'From 5 you can only leave 4, and your opponent then wins.'
    >>> steps[2].said(1)
    'Right! You leave 5. From there they can only leave 4, and you then win.'
    """
    if largest(coach.solution.whole().game.initial()) > LARGE:
        return ()
    made = _Lesson(coach)
    steps = list(islice(made.lost(), MOST_LOST))
    steps += made.law() or made.draw()
    if not steps:
        return ()
    steps.insert(0, made.goal())
    usual, options = entry_of(coach.game), coach.words.puzzles
    games = [coach.game]
    if coach.game == usual.variant():
        # Those with other rules, not only larger numbers, would be another lesson.
        games = [usual.variant(**some) for some in options if some.keys() == options[0].keys()]
    most = min(MOST_PUZZLES, MOST_STEPS - len(steps))
    coaches = [coach if game == coach.game else coach_of(game) for game in games]
    return (*steps, *made.puzzles(coaches, most))


def line_after(coach: Coach[S], state: S, move: Move) -> str:
    """Write out a move and best play after it; it begins with 'you'."""
    over = coach.game.outcome(coach.game.play(state, move)) is not None
    rest = coach.phrases.line(state, after=move, most=MOST_SHOWN)
    rest = f", and {rest.removeprefix('you ')}" if over else f"; {rest}"
    return f"you play {coach.words.button(state, move)}{rest}"


def _reason(coach: Coach[S], state: S, answer: Move) -> str:
    """Say why the only good move of a position is good."""
    value = coach.solution.value(state)
    quick = value.plies is not None and value.plies <= QUICK_WIN
    reason = "" if quick else coach.reason(state)
    if reason or value.result == "win":
        line = line_after(coach, state, answer)
        return reason or upper_first(line)
    wrong = next(move for move in coach.game.moves(state) if move != answer)
    return f"Every other move loses. For example, {line_after(coach, state, wrong)}"


class _Lesson(Generic[S]):
    """The steps of a lesson while it is made; no position is tried twice."""

    def __init__(self, coach: Coach[S]) -> None:
        """Visit the positions, from the end of a well-played game backward."""
        self.coach, self.solution, self.game = coach, coach.solution, coach.game
        line = [self.game.initial()]
        for move in self.solution.line(line[0]):
            line.append(self.game.play(line[-1], move))
        # A table knows values at once; a theory may have to factor numbers.
        limit = LESSON_POSITIONS if self.solution.solved is None else QUICK.positions
        roots = {self._same(state): state for state in reversed(line)}
        visited = list(walk(self.game, *roots.values(), limit=limit, key=self._same))
        self.complete = len(visited) < limit
        going_on = [state for state in visited if self.game.outcome(state) is None]
        self.values = {state: self.solution.value(state) for state in going_on}
        # The number that the game turns on, if the players share all there is.
        lines, fields = coach.words.numbers.lines, coach.words.fields(line[0])
        shared = len(lines) == 1 and all(field.seat is None for field in fields)
        self.name = lines[0][0] if self.complete and shared else None
        self.used: set[Any] = set()
        self.taught: set[S] = set()  # lost positions
        self._leading: dict[int, dict[Any, list[tuple[S, Move]]]] = {}

    def goal(self) -> LessonStep[S]:
        """State the goal, and ask for a win at once; or for any move, if there is no choice."""
        title, text = self.coach.words.goal(), short(self.coach.words.in_a_turn())
        for state in self._of("win", 1):
            answer = only_good_move(self.solution, state)
            if answer is not None:
                return self._step("goal", title, text, state, answer)
        # The first position with a choice.
        near = walk(self.game, limit=MOST_TRIED)
        several = (state for state in near if self._moves(state) > 1)
        state = next(several, self.game.initial())
        right = self.game.moves(state)[:MOST_LISTED]
        task = "Make a move to see what it does."
        return LessonStep("goal", title, text, self.coach, state, task, right, "")

    def lost(self) -> Iterator[LessonStep[S]]:
        """Teach small lost positions, each longer: all with one number if lost, or one."""
        numbers: dict[Any, list[S]] = {}
        for state in self.values if self.name else ():
            numbers.setdefault(getattr(state, self.name or ""), []).append(state)
        groups = [
            (number, states)
            for number, states in numbers.items()
            if all(self.values[state].result == "loss" for state in states)
        ]
        groups.sort(key=lambda group: self._longest(group[1]))
        alone = ((None, [state]) for state in self._of("loss"))
        longest = tried = 0
        for number, states in chain(groups, alone):
            if self._longest(states) <= longest or tried == MOST_TRIED:
                continue
            tried += 1
            found = self._leading_to(states)
            if found is None:
                continue
            state, answer = found
            longest = self._longest(states)
            self.taught.update(states)
            if number is None:
                title, example = "This position is lost for whoever has to move.", states[0]
                defence = self.solution.best(example)[0]
                text = f"Every move loses. For example, {line_after(self.coach, example, defence)}"
                yield self._step("lost", title, text, state, answer)._replace(about=example)
                continue
            title = f"{number} is lost for whoever has to move."
            text = f"From {number} you {self._replies(states, ('you have', 'your opponent', 's'))}"
            left = self.game.play(state, answer)
            reply = self._replies([left], ("they have", "you", ""))
            step = self._step("lost", title, text, state, answer)
            yield step._replace(reason=f"You leave {number}. From there they {reply}")

    def law(self) -> list[LessonStep[S]]:
        """Teach the law found in the table, a part at a time; or else the theory."""
        taught = self._parts()
        statement = self.coach.theory_statement
        if not taught and statement:
            first, _, rest = statement.partition(". ")
            for state, answer in self._choices():
                step = self._step("law", f"{first.removesuffix('.')}.", rest, state, answer)
                return [step._replace(reason=self.coach.reason(state) or step.reason)]
        return taught

    def _parts(self) -> list[LessonStep[S]]:
        """Teach the parts of a law that tells who loses, or who wins; the last one tells it all."""
        from zerosum.coach.laws.discovery import find_law
        from zerosum.coach.laws.sentences import grouped, said, why

        try:
            law = find_law(self.solution) if self.complete else None
        except TooLarge:
            law = None
        if law is None or len(law.parts) != 1 or "draw" in (law.parts[0].result, law.otherwise):
            return []
        part, steps = law.parts[0], list[LessonStep[S]]()
        groups = list(grouped(law.features, part.clauses))
        untaught = {law.clause(state) for state in self.values.keys() - self.taught}
        new = [group for group in groups if untaught & {(part.result, each) for each in group}]
        for group in new or groups[:1]:
            for state, answer in self._choices():
                after = self.game.play(state, answer)
                if self.game.outcome(after) is not None:
                    continue
                by = law.clause(after if part.result == "loss" else state)
                if by is None or by[1] not in group:
                    continue
                title = law.statement
                if len(groups) > 1:
                    when = said(law.features, group)
                    title = short(f"The player to move {DOES[part.result]} if {when}.")
                step = self._step("law", title, "", state, answer)
                move = tight(self.coach.words.step(state, answer).text)
                steps.append(step._replace(reason=why(law, state, after, move)))
                break
        del steps[MOST_LAWS:]
        whole = f"In short, {lower_first(law.statement)} " * (len(groups) > 1)
        advice = ""
        if part.result == "loss":
            advice = "So leave your opponent a position like this."
        texts = [advice] * len(steps[:-1]) + [f"{whole}{law.reach} {advice}".rstrip()]
        return [step._replace(text=text) for step, text in zip(steps, texts, strict=False)]

    def draw(self) -> list[LessonStep[S]]:
        """Teach to hold the draw, if the game is one."""
        value = self.solution.value(self.game.initial())
        if value.result != "draw":
            return []
        ends = "goes on forever" if value.endless else "is a draw"
        title, text = f"With best play, this game {ends}.", "Neither side can force a win."
        return [
            self._step("draw", title, text, puzzle.state, puzzle.answer)
            for puzzle in islice(self._fresh(self.coach, "draw"), 1)
        ]

    def puzzles(self, coaches: Sequence[Coach[Any]], most: int) -> list[LessonStep[Any]]:
        """Pose puzzles from easy to hard, of each grade if there are any."""
        coach_of = {coach.game: coach for coach in coaches}
        unsorted = {self._tried(p.state): p for coach in coaches for p in self._fresh(coach)}
        found = sorted(unsorted.values(), key=lambda puzzle: puzzle.id)
        # In an order that nobody can guess, and rather neither at once nor in very many moves.
        found.sort(key=lambda puzzle: puzzle.value.plies not in PUZZLE_PLIES)
        grades = [puzzle.grade for puzzle in found]
        found = [found[grades.index(grade)] for grade in GRADES if grade in grades] + found
        chosen = sorted(
            list({p.id: p for p in found}.values())[:most], key=lambda p: GRADES.index(p.grade)
        )
        steps = []
        for puzzle in chosen:
            missed = percent(puzzle.missed["medium"])
            plies = puzzle.value.plies  # which the grade depends on too
            long = "" if plies is None else f", and the win takes {counted(plies, 'move')}"
            text = f"A medium player misses it {missed} of the time{long}."
            if puzzle.game != self.game:
                text = f"From {variant_title(puzzle.game)}. {text}"
            title = f"{'An' if puzzle.grade == 'easy' else 'A'} {puzzle.grade} puzzle."
            steps.append(
                self._step(
                    "puzzle", title, text, puzzle.state, puzzle.answer, coach_of[puzzle.game]
                )
            )
        return steps

    def _step(
        self,
        kind: StepKind,
        title: str,
        text: str,
        state: Any,
        answer: Move,
        coach: Coach[Any] | None = None,
    ) -> LessonStep[Any]:
        """Make a step about the only good move of a position, to be used once."""
        coach = coach or self.coach
        self.used.add(self._tried(state))
        asked = f"It is your move. {task(coach.solution.value(state))} Find it."
        reason = _reason(coach, state, answer)
        return LessonStep(kind, title, text, coach, state, asked, (answer,), reason)

    def _fresh(self, coach: Coach[Any], result: str = "") -> Iterator[Puzzle[Any]]:
        """Find the puzzles of a variant, perhaps with one result, not yet tried."""
        for puzzle in puzzles(coach.solution):
            if result in ("", puzzle.value.result) and self._tried(puzzle.state) not in self.used:
                yield puzzle

    def _of(self, result: str, plies: int | None = None) -> list[S]:
        """List the positions with a result, the shortest first, then the smallest."""
        found = [
            state
            for state, value in self.values.items()
            if value.result == result and plies in (None, value.plies)
        ]

        def size(state: S) -> tuple[int, int]:
            numbers = (abs(leaf) for _, leaf in leaves(state) if isinstance(leaf, int))
            return self.values[state].plies or 0, sum(numbers)

        return sorted(found, key=size)

    def _longest(self, states: Sequence[S]) -> int:
        """Return in how many moves the last of some positions is lost."""
        return max(self.values[state].plies or 0 for state in states)

    def _choices(self) -> Iterator[tuple[S, Move]]:
        """List the untried positions with one winning move, the longest wins first."""
        for state in islice(reversed(self._of("win")), LESSON_POSITIONS):
            answer = only_good_move(self.solution, state)
            if answer is not None and self._tried(state) not in self.used:
                yield state, answer

    def _leading_to(self, states: Sequence[S]) -> tuple[S, Move] | None:
        """Return an untried position whose only winning move leads to one of some lost ones."""
        for state in states:
            plies = self.values[state].plies
            if plies is None:
                continue
            if plies not in self._leading:
                leading = self._leading[plies] = {}
                for before in self._of("win", plies + 1):
                    answer = only_good_move(self.solution, before)
                    if answer is not None:
                        after = self._same(self.game.play(before, answer))
                        leading.setdefault(after, []).append((before, answer))
            for before, answer in self._leading[plies].get(self._same(state), ()):
                if self._tried(before) not in self.used:
                    return before, answer
        return None

    def _replies(self, states: Sequence[S], words: tuple[str, str, str]) -> str:
        """Say what can be left from lost positions with a number, and what then.

        `words` are what the mover has, whom that lets win, and the ending of the verb.
        """
        have, winner, ending = words
        pairs = [(state, after) for state in states for after in next_states(self.game, state)]
        after = [after for _, after in pairs]
        left = sorted({getattr(state, self.name or "") for state in after}, reverse=True)
        listed = either([signed(number, "") for number in left])
        leave = f"can {'only ' * (len(left) == 1)}leave {listed}"
        if len(left) > MOST_LEFT:
            leave = f"can leave any of {len(left)} numbers"
        over = [self.game.outcome(state) is not None for state in after]
        if all(over):
            return f"{leave}, and then {have} lost."
        if any(over) or any(before.player == then.player for before, then in pairs):
            return f"{leave}, and {winner} win{ending}."
        once = " at once" * all(self.solution.value(state) == Value("win", 1) for state in after)
        return f"{leave}, and {winner} then win{ending}{once}."

    def _moves(self, state: S) -> int:
        """Count the moves of a position; after the end there are none."""
        if self.game.outcome(state) is not None:
            return 0
        return len(self.game.moves(state))

    def _same(self, state: Any) -> Any:
        """Return what stands for a position and its equals by symmetry."""
        return self.game.canonical(state)

    def _tried(self, state: Any) -> Any:
        """Return the same for either player, so that nobody is asked twice about it."""
        return self._same(state)._replace(player=0)
