/* The person at the bench: Ctrl-C, and a prompt that waits for Enter. */
#ifndef CLI_PERSON_H
#define CLI_PERSON_H

#include <stdatomic.h>

#include "cb_err.h"

/* From here on SIGINT, SIGTERM and SIGHUP (unless ignored: nohup) set the flag that is returned, instead of ending the program. */
const atomic_bool *cli_person_stop_flag(void);

/* Returns when Enter was pressed; CB_E_STOPPED once the flag is set or standard input ends. */
CB_CHECKED cb_status cli_person_confirm(const char *text, cb_err *err);

#endif
