/* Work in a child process, which can be stopped at any moment without a check in every loop. */
#ifndef CB_APART_H
#define CB_APART_H

#include <stddef.h>

#include "cb_stop.h"

/* The work. It fills result, which may point only to constants of the program. */
typedef cb_status cb_work(const void *context, void *result, cb_err *err);

/* Runs the work in a child of this process, which must not have started threads yet. Copies its result (size
 * bytes), status and message. The child gets no signals but SIGTSTP, and ends with this process. Errors:
 * CB_E_STOPPED once `stop` is set; the child is then killed, and result stays; CB_E_IO if the child could
 * not start, or crashed; those of the work. */
CB_CHECKED cb_status cb_apart(cb_work *work, const void *context, void *result, size_t size,
                              const cb_stop *stop, cb_err *err);

#endif
