"""Questions about decisions for language models, and their answers."""

from typing import TYPE_CHECKING

from zerosum.lazy import lazy_names

if TYPE_CHECKING:
    from zerosum.lab.models.answers import AnswerFile as AnswerFile
    from zerosum.lab.models.answers import ModelAnswer as ModelAnswer
    from zerosum.lab.models.answers import answers_in as answers_in
    from zerosum.lab.models.answers import read_answers as read_answers
    from zerosum.lab.models.marking import mark as mark
    from zerosum.lab.models.marking import read_questions as read_questions
    from zerosum.lab.models.prompts import PromptOptions as PromptOptions
    from zerosum.lab.models.prompts import prompt_of as prompt_of
    from zerosum.lab.models.questions import Question as Question
    from zerosum.lab.models.questions import questions_of as questions_of
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
