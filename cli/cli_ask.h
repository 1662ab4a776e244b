/* Words with the person at the terminal, who may press Ctrl-C at any of them. */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include <stdatomic.h>
#include <stddef.h>

#include "cb_conditions.h"
#include "cb_err.h"

/* One line from standard input, without its end and without blanks around it. Returns early, CB_E_STOPPED, once *stop is true or
 * the input ends. A line that is too long is cut. */
CB_CHECKED cb_status cli_ask_line(const atomic_bool *stop, char *out, size_t size, cb_err *err);

/* Asks for everything the campaign file did not say of air and specimen, once; Enter leaves it unrecorded. A wrong answer is
 * explained and asked again. */
CB_CHECKED cb_status cli_ask_conditions(const atomic_bool *stop, cb_conditions *c, cb_err *err);

#endif
