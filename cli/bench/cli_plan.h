/* `clothbench plan` of a cloth: what to measure next for its predicted drape. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "lab_drape_plan.h"

/* plan --cloth NAME --out PLAN.yaml: writes the plan of the sweep that tells. Returns a cli_exit. */
int cli_plan_cloth(const char *cloth, const char *db, const char *out);
/* plan --sweep FOLDER: what the sweep found. Returns a cli_exit. */
int cli_plan_sweep(const char *folder, bool json);

/* Reads the indices of the first figure that a gathered sweep keeps. Errors: as swp_home_open,
 * swp_home_indices. */
CB_CHECKED cb_status cli_plan_influences(const char *folder, lab_drape_influences *out, cb_err *err);

#endif
