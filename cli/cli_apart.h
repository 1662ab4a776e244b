/* Work in a process of its own, so that it can be broken off at any moment without asking every loop in
 * it. */
#ifndef CLI_APART_H
#define CLI_APART_H

#include <stddef.h>

#include "cb_stop.h"

/* Fills result; what it points to must be constants of the program. */
typedef cb_status cli_work(const void *context, void *result, cb_err *err);

/* Has the work done by a child of this process, which must have run no threads yet, and copies its result,
 * size bytes, and its status and sentence. CB_E_STOPPED as soon as it is wanted to stop: the child is ended,
 * result is as it was. CB_E_IO: there was no process, or it broke down. Signals but SIGTSTP reach the child
 * through this process alone; it ends when this process does. */
CB_CHECKED cb_status cli_apart(cli_work *work, const void *context, void *result, size_t size,
                               const cb_stop *stop, cb_err *err);

#endif
