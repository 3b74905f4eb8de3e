"""Games in bulk: a game as arrays, many games at once, policies measured exactly."""

from typing import TYPE_CHECKING

from zerosum.lazy import lazy_names

if TYPE_CHECKING:
    from zerosum.bulk.batch import Batch as Batch
    from zerosum.bulk.policies import best_response as best_response
    from zerosum.bulk.policies import exploitability as exploitability
    from zerosum.bulk.policies import outcome_chances as outcome_chances
    from zerosum.bulk.table import Table as Table
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
