/* Parts of playing a case. */
#ifndef SWP_RUN_IMPL_H
#define SWP_RUN_IMPL_H

#include <sys/types.h>

#include "cb_stop.h"
#include "swp_plan_impl.h"
#include "swp_run.h"

#define SWP_FOLDER_BYTES 4200

typedef struct swp_work {
  const swp_plan *plan;
  swp_play play;
  const int *cases; /* which, in the order in which they begin */
  int n_cases;
  int jobs;         /* cases beside each other, >= 1 */
  const char *keep; /* folder for the folders of the cases, if the plan keeps files */
  const cb_stop *stop;
  /* Takes an outcome, in the order in which cases end; an error ends the run. */
  cb_status (*take)(void *context, const swp_outcome *outcome, cb_err *err);
  void *context;
} swp_work;

/* The process must not have started threads. What is under way when the run ends early is killed and not
 * taken. Errors: CB_E_STOPPED once stop is set; CB_E_IO if a process or folder cannot be made; CB_E_NOMEM;
 * those of take. */
CB_CHECKED cb_status swp_run(const swp_work *work, cb_err *err);

/* Reads what became of a case from what it printed. status: as from waitpid. */
void swp_outcome_read(const swp_plan *plan, int status, const char *printed, const char *said,
                      swp_outcome *out);

/* Writes the sentence a command failed with: the last line it said, without "clothbench COMMAND: " and the
 * hint at --help. */
void swp_sentence_read(const char *said, char *out, size_t size);

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
