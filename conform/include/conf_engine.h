/* Programs that play experiments: this one, Blender, or any command that reads a folder. */
#ifndef CONF_ENGINE_H
#define CONF_ENGINE_H

#include "cb_stop.h"
#include "conf_case.h"

typedef struct conf_engine {
  char name[200];      /* "clothbench", "blender", or a command with {folder} */
  char version[80];    /* what it says of itself; "": not known yet */
  bool has_directions; /* false: one stiffness for warp and weft */
  double limit_s;      /* a command that takes longer is ended */
} conf_engine;

/* Errors: CB_E_ARG for a word that is no program and has no {folder}. */
CB_CHECKED cb_status conf_engine_init(const char *word, conf_engine *out, cb_err *err);

/* Plays an experiment. keep: folder for the files of the case; NULL: a temporary one, which is removed.
 * position: CONF_TIMES blocks of c->n_vertices, the caller's. version may be NULL. May be called by several
 * threads.
 * Errors: CB_E_NOTFOUND if the program is not there; CB_E_IO if it fails, or its files lack positions;
 * CB_E_TIMEOUT; CB_E_STOPPED; those of the simulator; CB_E_NOMEM. */
CB_CHECKED cb_status conf_engine_play(const conf_engine *e, const conf_case *c, const char *keep,
                                      const cb_stop *stop, double (*position)[3], char version[80],
                                      cb_err *err);

#endif
