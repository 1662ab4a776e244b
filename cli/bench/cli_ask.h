/* Lists of questions (daq_questions.h) at the terminal. At every question "?" explains it, "b" asks the one
 * before again, whose answer stays at Enter, and "q" leaves, as the end of the input does. A wrong answer is
 * explained in one sentence and asked again. */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include "cb_conditions.h"
#include "daq_questions.h"

/* Asks all that are wanted. draft: a file that has the answers so far while the questions last, from which
 * they are taken up again; NULL: none is kept. The caller removes it once the answers are at their place.
 * Error: CB_E_STOPPED, with what becomes of the answers; CB_E_IO of the draft. */
CB_CHECKED cb_status cli_ask(const char *command, daq_questions *q, const char *draft, cb_err *err);

/* A question of its own: yes or no. Enter is yes. Error: CB_E_STOPPED. */
CB_CHECKED cb_status cli_ask_yes(const char *text, const char *help, const char *left, bool *yes,
                                 cb_err *err);

/* Asks for a line, such as a reason. *back: the person went back, by "b" or Enter. Error: CB_E_STOPPED. */
CB_CHECKED cb_status cli_ask_line(const daq_ask *question, char out[DAQ_ANSWER], bool *back, cb_err *err);

/* Asks once for each condition of air and specimen that the campaign file lacks; Enter leaves it unrecorded.
 */
CB_CHECKED cb_status cli_ask_conditions(cb_conditions *c, cb_err *err);

#endif
