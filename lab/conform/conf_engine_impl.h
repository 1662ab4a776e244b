/* Parts of playing an experiment. */
#ifndef CONF_ENGINE_IMPL_H
#define CONF_ENGINE_IMPL_H

#include <jansson.h>

#include "cb_stop.h"
#include "conf_case.h"
#include "conf_engine.h"

#define CONF_FOLDER_BYTES 4096

/* Plays an experiment. keep: folder for the files of the case; NULL: a temporary one, which is removed, and
 * none for this program. position: CONF_TIMES blocks of c->n_vertices, the caller's. version may be NULL. May
 * be called by several threads. Errors: CB_E_NOTFOUND if the program is not there; CB_E_IO if it fails, or
 * its files lack positions; CB_E_TIMEOUT; CB_E_STOPPED; those of the simulator; CB_E_NOMEM. */
CB_CHECKED cb_status conf_engine_play(const conf_engine *e, const conf_case *c, const char *keep,
                                      const cb_stop *stop, double (*position)[3], char version[80],
                                      cb_err *err);

/* Scripts (Python) that play an experiment, and what they import as folder.py. */
extern const char conf_blender_play[], conf_mujoco_play[], conf_newton_play[], conf_pybullet_play[],
    conf_folder_py[];

/* Plays by this program's own simulator: its equilibrium, or its steps of 2 ms. */
CB_CHECKED cb_status conf_own_play(const conf_case *c, double (*position)[3], cb_err *err);

/* A number of a document; null if it is not finite. */
json_t *conf_number(double v);

/* Writes a file of a folder. Error: CB_E_IO. */
CB_CHECKED cb_status conf_text_write(const char *folder, const char *name, const char *text, cb_err *err);
/* Writes case.json and cloth.obj. Errors: CB_E_IO, CB_E_NOMEM. */
CB_CHECKED cb_status conf_folder_write(const conf_case *c, const char *folder, cb_err *err);
/* Reads out_0.obj, ...: the v lines alone, in the order of cloth.obj.
 * Errors: CB_E_IO; CB_E_PARSE for another number of vertices, or a number that is none. */
CB_CHECKED cb_status conf_folder_read(const conf_case *c, const char *folder, double (*position)[3],
                                      cb_err *err);
/* Reads positions from the text of such a file. `name` stands for it in errors. */
CB_CHECKED cb_status conf_positions_read(const char *text, const char *name, int n, double (*position)[3],
                                         cb_err *err);

#endif
