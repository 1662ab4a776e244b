/* Parts of playing a case. */
#ifndef SWP_RUN_IMPL_H
#define SWP_RUN_IMPL_H

#include <sys/types.h>

#include "swp_run.h"

#define SWP_FOLDER_BYTES 4200

/* Makes the folder of a case, if its command needs one ("" if not), with the scene in it. */
CB_CHECKED cb_status swp_folder_make(const swp_work *work, int index, char out[SWP_FOLDER_BYTES],
                                     cb_err *err);
/* Removes it with all that is in it, unless the plan keeps files. "" is allowed. */
void swp_folder_end(const swp_work *work, const char *folder);

/* What a child prints, as it comes. */
typedef struct swp_pipe {
  int fd; /* -1: ended */
  char *text;
  size_t n, room;
} swp_pipe;

typedef struct swp_child {
  pid_t pid; /* 0: none */
  int index;
  double since_s;
  swp_pipe out, err;
  char folder[SWP_FOLDER_BYTES];
} swp_child;

/* Starts a case. The child dies with this process, and hears no signals of its terminal. */
CB_CHECKED cb_status swp_child_start(const swp_work *work, int index, swp_child *out, cb_err *err);
/* Reads what came of a pipe. */
CB_CHECKED cb_status swp_pipe_read(swp_pipe *p, cb_err *err);
/* Waits for the child's end and frees what it owns; *status is as from waitpid. */
void swp_child_end(const swp_work *work, swp_child *c, int *status, swp_outcome *outcome);
/* Kills it and frees what it owns. A child that is none is allowed. */
void swp_child_kill(const swp_work *work, swp_child *c);

#endif
