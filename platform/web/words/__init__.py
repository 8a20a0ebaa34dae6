"""What the pages say: cards, moves, results and faults in the reader's language."""

from web.words.cards import card_name
from web.words.changes import came_in
from web.words.disputes import dispute_error
from web.words.faults import fault_clause, fault_name, fault_sentence, fault_where
from web.words.formats import format_words, trial_answer
from web.words.moves import move_sentence
from web.words.results import match_end, result_sentence
from web.words.states import level_word, progress_state, version_state, worker_state

__all__ = [
    "came_in",
    "card_name",
    "dispute_error",
    "fault_clause",
    "fault_name",
    "fault_sentence",
    "fault_where",
    "format_words",
    "level_word",
    "match_end",
    "move_sentence",
    "progress_state",
    "result_sentence",
    "trial_answer",
    "version_state",
    "worker_state",
]
