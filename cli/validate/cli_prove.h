/* Playing experiments in other programs: `validate export`, `export material --prove`. */
#ifndef CLI_PROVE_H
#define CLI_PROVE_H

#include "cli.h"
#include "conf_proof.h"

/* Plays all experiments with the progress of the command, on `meshes`: "20,10,5" [mm]; NULL: 10, 5, 3.33.
 * experiments: names of those to play; NULL: all. keep may be NULL. Of a command: hinges, it bends at edges;
 * one_direction, it is told the mean of warp and weft. Errors: CB_E_ARG for such a list; those of conf_prove.
 */
CB_CHECKED cb_status cli_prove(const char *command, const exch_cloth *cloth, const char *engine,
                               const char *meshes, const char *experiments, const char *keep, bool hinges,
                               bool one_direction, conf_proof *out, cb_err *err);

/* Reads a cloth of the database of a --db. body: whose friction; NULL: that of the only body.
 * Errors: those of lab_export_cloth. */
CB_CHECKED cb_status cli_prove_cloth(const char *db, const char *name, const char *body, exch_cloth *out,
                                     cb_err *err);

#endif
