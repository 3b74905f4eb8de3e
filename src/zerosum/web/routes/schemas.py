"""The answers of the API, as JSON Schema."""

from __future__ import annotations

from typing import Any, get_args

from zerosum.coach.verdicts import VERDICTS
from zerosum.match import Ending
from zerosum.options import OptionKind
from zerosum.protocol import Result
from zerosum.web.refusals import STATUS

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
MAYBE_TEXT: Schema = {"type": ["string", "null"]}
FLAG: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer"}
MAYBE_WHOLE: Schema = {"type": ["integer", "null"]}
POINTS: Schema = {"type": "number", "minimum": 0, "multipleOf": 0.5}
PLAYER: Schema = {"type": "integer", "enum": [0, 1]}
MAYBE_PLAYER: Schema = {"enum": [0, 1, None]}


def record(**properties: Schema) -> Schema:
    """Describe an object with all of these fields; later versions may add more."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def many(items: Schema) -> Schema:
    """Describe a list."""
    return {"type": "array", "items": items}


def maybe(schema: Schema) -> Schema:
    """Describe what may be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def ref(name: str) -> Schema:
    """Refer to another schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def exact(**properties: Schema) -> Schema:
    """Describe an exact answer, or an unknown one with the reason."""
    unknown = record(exact={"const": False}, reason=TEXT)
    return {"anyOf": [record(exact={"const": True}, **properties), unknown]}


FIELD = record(name=TEXT, title=TEXT, value=TEXT, kind={"enum": ["number", "lives"]})
VALUE = record(
    result={"enum": list(get_args(Result))},
    plies=MAYBE_WHOLE,
    endless=FLAG,
    glyph=TEXT,
    text=TEXT,
)
VERDICT = {"enum": list(VERDICTS)}
BOARD = record(rows=many(many(record(text=TEXT, moves=many(TEXT)))))
OPTION = record(
    name=TEXT,
    title=TEXT,
    help=TEXT,
    kind={"enum": list(get_args(OptionKind))},
    default=TEXT,
    least=MAYBE_WHOLE,
    most=MAYBE_WHOLE,
    choices=many(TEXT),
)
ENDED = record(by={"enum": list(get_args(Ending))}, winner=MAYBE_PLAYER, text=TEXT, reason=TEXT)
SHOWN = {
    "state": TEXT,
    "position": TEXT,
    "fields": many(ref("Field")),
    "player_fields": many(many(ref("Field"))),
    "board": maybe(ref("Board")),
}
JUDGED = record(move=TEXT, value=ref("Value"), verdict=VERDICT, word=TEXT, best=FLAG)

SCHEMAS: Schema = {
    "Error": record(error=record(code={"enum": list(STATUS)}, message=TEXT)),
    "Health": record(status={"const": "ok"}),
    "Games": record(
        games=many(record(name=TEXT, title=TEXT, summary=TEXT, options=many(OPTION))),
    ),
    "Field": FIELD,
    "Value": VALUE,
    "Board": BOARD,
    "Table": record(
        format={"const": "zerosum-table"},
        version={"const": 1},
        id=TEXT,
        change=WHOLE,
        ply=WHOLE,
        game=record(name=TEXT, title=TEXT, options={"type": "object"}, variant=TEXT),
        mode={"enum": ["friend", "bot", "here"]},
        watch=FLAG,
        you=many(PLAYER),
        watching=FLAG,
        waiting=FLAG,
        players={
            **many(
                record(
                    name=TEXT,
                    bot=MAYBE_TEXT,
                    joined=FLAG,
                    seat=PLAYER,
                    score=POINTS,
                    tally=WHOLE,
                    fields=many(ref("Field")),
                )
            ),
            "minItems": 2,
            "maxItems": 2,
        },
        fields=many(ref("Field")),
        board=maybe(ref("Board")),
        turn=maybe(record(player=PLAYER, yours=FLAG, text=TEXT, prompt=TEXT)),
        moves=many(
            record(
                move=TEXT,
                label=MAYBE_TEXT,
                legal=FLAG,
                why=MAYBE_TEXT,
                changes=many(record(name=TEXT, player=MAYBE_PLAYER, value=TEXT)),
            )
        ),
        more=WHOLE,
        digits=FLAG,
        last=many(record(ply=WHOLE, player=PLAYER, move=TEXT, text=TEXT, said=TEXT)),
        news=many(record(change=WHOLE, ply=WHOLE, text=TEXT)),
        said=TEXT,
        clock=maybe(record(seconds={"type": "number"}, left={"type": ["number", "null"]})),
        series=record(games=WHOLE, game=WHOLE, score=many(POINTS)),
        ended=maybe(ENDED),
        over=FLAG,
        reviewable=many(WHOLE),
        offers=many(record(kind=TEXT, player=PLAYER)),
        can=many(TEXT),
        coach=record(want=many(TEXT), open=FLAG, yours=TEXT),
        link=TEXT,
        next=MAYBE_TEXT,
    ),
    "Advice": {
        "allOf": [
            record(ply=WHOLE),
            exact(
                value=ref("Value"),
                standing=TEXT,
                hint=TEXT,
                why=many(TEXT),
                moves=many(JUDGED),
                more=WHOLE,
            ),
        ]
    },
    "Review": exact(
        game=WHOLE,
        names=many(TEXT),
        svg=TEXT,
        text=many(TEXT),
        turning_point=MAYBE_WHOLE,
        plies=many(record(ply=WHOLE, **SHOWN, value=ref("Value"), verdict=maybe(VERDICT))),
        summary=many(TEXT),
    ),
    "Position": record(
        exact=FLAG,
        **SHOWN,
        mover=PLAYER,
        over=MAYBE_TEXT,
        value=maybe(ref("Value")),
        moves=many(
            record(
                move=TEXT,
                label=TEXT,
                to=TEXT,
                value=maybe(ref("Value")),
                verdict=maybe(VERDICT),
                word=TEXT,
                best=FLAG,
            )
        ),
        more=WHOLE,
    ),
    "Theory": record(theory=TEXT),
    "Puzzle": {
        "anyOf": [
            record(
                id=TEXT,
                game=TEXT,
                title=TEXT,
                variant=TEXT,
                grade=TEXT,
                **SHOWN,
                task=TEXT,
                moves=many(record(move=TEXT, label=TEXT)),
            ),
            record(none=TEXT),
        ]
    },
    "Answer": record(right=FLAG, answer=MAYBE_TEXT, value=ref("Value"), text=TEXT, why=many(TEXT)),
}
