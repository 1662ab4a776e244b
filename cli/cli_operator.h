/* The person at the bench: stops by Ctrl-C, and presses Enter when asked to. */
#ifndef CLI_OPERATOR_H
#define CLI_OPERATOR_H

#include <stdatomic.h>

#include "cb_err.h"

/* From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored) raise the flag, which is returned. */
const atomic_bool *cli_operator_listen(void);
/* Shows the text and waits for Enter; CB_E_STOPPED after a signal or the end of the input. context is not used. */
CB_CHECKED cb_status cli_operator_ask(void *context, const char *text, cb_err *err);

#endif
