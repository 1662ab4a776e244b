/* Questions to the person at the bench: a table of them, and the answers so far. Each belongs to a key of a
 * file and is checked as that key is. An answer is kept as the key would have it: "2 cm" to a question in mm
 * is "20". Nothing here prints or reads the keyboard. */
#ifndef DAQ_QUESTIONS_H
#define DAQ_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_yaml.h"

#define DAQ_QUESTIONS_MOST 32
#define DAQ_ANSWER 512

typedef struct daq_ask {
  cb_yfield field;     /* key, kind, bounds in the key's unit; required: "" is no answer */
  const char *text;    /* "Temperature of the air at the bench" */
  const char *help;    /* what it means: sentences, the last without its full stop */
  const char *unit;    /* of the key, a name of cb_unit_find; NULL: none */
  const char *example; /* an answer */
} daq_ask;

/* What Enter takes, and why it is proposed; "": nothing. */
typedef struct daq_proposal {
  char text[DAQ_ANSWER], why[400];
} daq_proposal;

typedef struct daq_questions {
  const daq_ask *table;
  size_t n;                                    /* at most DAQ_QUESTIONS_MOST */
  const char *left;                            /* what becomes of the answers where somebody leaves */
  char answer[DAQ_QUESTIONS_MOST][DAQ_ANSWER]; /* as the key has it */
  bool given[DAQ_QUESTIONS_MOST];              /* "" may be an answer */
  /* Each may be NULL. wanted: whether question i is asked, by the answers so far. propose: what Enter takes,
   * where there is no answer. check: whether answer i, which is in its place, agrees with the others. */
  bool (*wanted)(void *context, size_t i);
  void (*propose)(void *context, size_t i, daq_proposal *p);
  cb_status (*check)(void *context, size_t i, cb_err *err);
  void *context;
} daq_questions;

/* The next question that is asked, from i on; the one before i. n: there is none. */
size_t daq_questions_next(const daq_questions *q, size_t i);
size_t daq_questions_before(const daq_questions *q, size_t i);
/* What Enter takes: the answer so far, else what is proposed. */
void daq_questions_proposal(const daq_questions *q, size_t i, daq_proposal *p);
/* Returns what a line typed at question i asks for: '?' to explain, 'b' to go back ("b", "back", "<"), 'q' to
 * leave; 0: it is an answer. A word that is one of the question's choices is an answer. */
char daq_questions_key(const daq_questions *q, size_t i, const char *line);
/* Takes an answer; "" is what is proposed. On failure the answer before stays.
 * Errors: CB_E_PARSE, CB_E_RANGE, `key = 'got': wanted`; those of check. */
CB_CHECKED cb_status daq_questions_answer(daq_questions *q, size_t i, const char *line, cb_err *err);

/* An answer as it is shown: words of a choice in the person's language. */
const char *daq_ask_shown(const daq_ask *q, const char *answer);
/* "Temperature of the air at the bench [degC]", "Side of the cloth that is rubbed (face | back)". */
void daq_ask_text(const daq_ask *q, char out[300]);
/* What question i means, which answers it takes, an example, and what Enter takes. */
void daq_questions_explain(const daq_questions *q, size_t i, char out[1000]);
/* The answers so far as a file, and back; a question whose answer does not hold any more has none. */
CB_CHECKED cb_status daq_questions_save(const daq_questions *q, const char *path, cb_err *err);
CB_CHECKED cb_status daq_questions_load(daq_questions *q, const char *path, cb_err *err);

#endif
