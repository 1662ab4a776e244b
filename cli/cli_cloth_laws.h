/* What a simulated cloth takes out of the laws of a real one: shared by `sim` and the experiments of `validate`. */
#ifndef CLI_CLOTH_LAWS_H
#define CLI_CLOTH_LAWS_H

#include "cb_stretch_law.h"
#include "cb_stretch_green.h"
#include "cli.h"
#include "sim_material.h"

/* Of curves that were tested, or of a table that was imported. CB_E_NOTFOUND: the law does not tell it; says what would. */
CB_CHECKED cb_status cli_cloth_curve(const cb_stretch_law *law, cb_stretch_axis axis, sim_curve *out, cb_err *err);

/* The cloth's facts, weighed. CB_E_NOTFOUND lists the cloths there are. */
CB_CHECKED cb_status cli_cloth_facts(cb_store *s, const char *name, cb_material *out, cb_err *err);

#endif
