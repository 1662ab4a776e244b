/* Parts of reading a plan. */
#ifndef SWP_PLAN_IMPL_H
#define SWP_PLAN_IMPL_H

#include "cb_yaml.h"
#include "swp_plan.h"

/* swp_plan_load of n bytes of text; path stands for the file, and files beside it are looked for. */
CB_CHECKED cb_status swp_plan_parse(const char *text, size_t n, const char *path, swp_plan *out, cb_err *err);

/* Reads `vary`, a list of maps, or the rows of a CSV table. */
CB_CHECKED cb_status swp_variables_read(cb_ynode list, swp_plan *plan, cb_err *err);
CB_CHECKED cb_status swp_list_read(const swp_file *list, swp_plan *plan, cb_err *err);
/* Reads `keep`. */
CB_CHECKED cb_status swp_figures_read(cb_ynode list, swp_plan *plan, cb_err *err);
/* Refuses a name that cannot be a column, or that is taken. */
CB_CHECKED cb_status swp_name_check(const swp_plan *plan, const char *name, cb_err *err);

/* Splits the command into words at blanks; "double quotes" hold a word together. */
CB_CHECKED cb_status swp_words_split(const char *text, swp_plan *plan, cb_err *err);
/* Returns true if a word of the command has this part. */
bool swp_words_have(const swp_plan *plan, const char *part);
/* Checks the {names} of the command and the scene. */
CB_CHECKED cb_status swp_words_check(const swp_plan *plan, cb_err *err);
/* Refuses an option whose name ends in another unit than the variable it gets. */
CB_CHECKED cb_status swp_units_check(const swp_plan *plan, cb_err *err);

/* Returns the length of "{name}" at the start of text with its name in out; 0: there is none. */
size_t swp_placeholder(const char *text, char out[SWP_NAME_BYTES]);
/* Returns the variable's index, or -1. */
int swp_variable_find(const swp_plan *plan, const char *name);

/* The value of {seed} in a case: 1 to 999 999 999. */
int swp_case_seed(const swp_plan *plan, int index);

/* The words of a case's command, without "clothbench", and with --json as the last. */
typedef struct swp_command {
  char *argv[SWP_WORDS_MAX + 2]; /* NULL-terminated; a command may move its entries */
  int argc;
  char *word[SWP_WORDS_MAX + 1]; /* owned: the words of argv */
} swp_command;

/* Fills in {names}, {case}, {seed}, {folder} and {scene}, which is folder/scene.yaml.
 * Errors: CB_E_NOMEM; *out is then empty. */
CB_CHECKED cb_status swp_command_make(const swp_plan *plan, int index, const char *folder, swp_command *out,
                                      cb_err *err);
void swp_command_clear(swp_command *command);
/* Returns the text of the scene in a case, which the caller frees; NULL: there is none, or no memory. */
char *swp_case_scene(const swp_plan *plan, int index);

#endif
