/* Parts of reading a plan. */
#ifndef SWP_PLAN_IMPL_H
#define SWP_PLAN_IMPL_H

#include "cb_yaml.h"
#include "swp_plan.h"

/* Reads `vary`, a list of maps, or the rows of a CSV table. */
CB_CHECKED cb_status swp_variables_read(cb_ynode list, swp_plan *plan, cb_err *err);
CB_CHECKED cb_status swp_list_read(const swp_file *list, swp_plan *plan, cb_err *err);
/* Reads `keep`. */
CB_CHECKED cb_status swp_figures_read(cb_ynode list, swp_plan *plan, cb_err *err);
/* Refuses a name that cannot be a column, or that is taken. */
CB_CHECKED cb_status swp_name_check(const swp_plan *plan, const char *name, cb_err *err);

/* Splits the command into words at blanks; "double quotes" hold a word together. */
CB_CHECKED cb_status swp_words_split(const char *text, swp_plan *plan, cb_err *err);
/* Checks the {names} of the command and the scene. */
CB_CHECKED cb_status swp_words_check(const swp_plan *plan, cb_err *err);
/* Refuses an option whose name ends in another unit than the variable it gets. */
CB_CHECKED cb_status swp_units_check(const swp_plan *plan, cb_err *err);

/* Returns the length of "{name}" at the start of text with its name in out; 0: there is none. */
size_t swp_placeholder(const char *text, char out[SWP_NAME_BYTES]);
/* Returns the variable's index, or -1. */
int swp_variable_find(const swp_plan *plan, const char *name);

#endif
