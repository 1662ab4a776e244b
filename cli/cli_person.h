/* Words with the person at the bench, who may press Ctrl-C at any of them: a command that asks listens to
 * signals before (cli_signals_listen). */
#ifndef CLI_PERSON_H
#define CLI_PERSON_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_conditions.h"
#include "cb_err.h"

/* The one prompt that precedes motion and weights: shows the text and returns CB_OK when Enter was pressed on
 * an empty line after the prompt was shown. A line is empty that has no byte before its line feed, or a
 * carriage return alone. Any other line is shown, explained and asked again. What waits on a terminal when
 * the prompt is written was typed before it (a second Enter at the prompt before, the rest of a text that was
 * pasted) and is thrown away, also where it is asked again; an empty line within 0.2 s of one that was
 * refused belongs to that paste, too. A pipe knows neither, and is read line by line. CB_E_STOPPED after a
 * signal, and where the input ends, also behind half a line. context is not used: this is a prompt of the
 * engine's kind. */
CB_CHECKED cb_status cli_person_confirm(void *context, const char *text, cb_err *err);

/* One line from standard input, without its end and without blanks around it, for an answer that moves
 * nothing; errors as above. *whole: it is all in out; else it was cut, or has a NUL. */
CB_CHECKED cb_status cli_person_line(char *out, size_t size, bool *whole, cb_err *err);

/* Asks for everything the campaign file did not say of air and specimen, once; Enter leaves it unrecorded. A
 * wrong answer is explained and asked again. */
CB_CHECKED cb_status cli_person_conditions(cb_conditions *c, cb_err *err);

#endif
