/* Words with the person at the bench, who may press Ctrl-C at any of them. */
#ifndef CLI_PERSON_H
#define CLI_PERSON_H

#include <stdatomic.h>
#include <stddef.h>

#include "cb_conditions.h"
#include "cb_err.h"

/* From here on SIGINT, SIGTERM and SIGHUP (what is ignored stays ignored: nohup) set the flag that is returned, instead of ending
 * the program. The functions below look at it. */
const atomic_bool *cli_person_listen(void);

/* One line from standard input, without its end and without blanks around it. Returns early, CB_E_STOPPED, after a signal or where
 * the input ends. A line that is too long is cut. */
CB_CHECKED cb_status cli_person_line(char *out, size_t size, cb_err *err);

/* Shows the text and returns when Enter was pressed; errors as above. context is not used: this is a prompt of the engine's kind. */
CB_CHECKED cb_status cli_person_confirm(void *context, const char *text, cb_err *err);

/* Asks for everything the campaign file did not say of air and specimen, once; Enter leaves it unrecorded. A wrong answer is
 * explained and asked again. */
CB_CHECKED cb_status cli_person_conditions(cb_conditions *c, cb_err *err);

#endif
