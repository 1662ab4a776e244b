/* A sweep: one command of clothbench, played over many cases. This header reads its plan and says what case i
 * is. docs/reference/sweep-file.md lists the keys of a plan.
 *
 * Case i is a function of the plan and of i alone. So it is the same on every machine and in any order. */
#ifndef SWP_PLAN_H
#define SWP_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"

/* Where the cases lie. A Latin hypercube has one case in every n-th of each variable's range (McKay,
 * Beckman, Conover, Technometrics 21:239, 1979); another number of cases is another design. More cases of
 * Sobol's sequence only add to those before. */
typedef enum swp_design {
  SWP_GRID,   /* every combination of the values; the last variable changes first */
  SWP_LHS,    /* a Latin hypercube */
  SWP_SOBOL,  /* Sobol's sequence (cb_sobol.h) */
  SWP_LIST,   /* the rows of a CSV table */
  SWP_INDICES /* for indices of sensitivity (swp_indices.h): blocks of d + 2 cases with d variables */
} swp_design;

#define SWP_CASES_MAX 10000000
#define SWP_VARIABLES_MAX 20
#define SWP_INDEX_VARIABLES_MAX 10 /* a block has two independent points */
#define SWP_FIGURES_MAX 64
#define SWP_WORDS_MAX 96
#define SWP_NAME_BYTES 48
#define SWP_PATH_BYTES 160

/* One thing that changes from case to case. It has values, or a range, or a normal distribution. */
typedef struct swp_variable {
  char name[SWP_NAME_BYTES]; /* as in {name}; ends in its unit */
  char **value;              /* owned texts; NULL: a distribution */
  size_t n_values;
  double from, to; /* uniform */
  double mean, sd; /* normal, if sd > 0 */
  bool log;        /* uniform in the logarithm; from > 0 */
  bool whole;      /* whole numbers from..to */
} swp_variable;

/* A number of the command's --json document that becomes a column. */
typedef struct swp_figure {
  char name[SWP_NAME_BYTES];
  char path[SWP_PATH_BYTES]; /* keys and indices between dots: "predicted.0.mean" */
} swp_figure;

/* What the Slurm script says of itself; "" or 0: not said. */
typedef struct swp_slurm {
  char partition[64], account[64];
  int minutes; /* limit of a task */
} swp_slurm;

/* A file of the plan: the plan itself, its scene, its list. */
typedef struct swp_file {
  char name[200]; /* without a folder; "": none */
  char *text;
} swp_file;
#define SWP_FILES 3

typedef struct swp_plan {
  char name[SWP_NAME_BYTES];
  swp_file file[SWP_FILES];   /* those beside the plan first; the plan, as plan.yaml, last */
  char *text;                 /* of all of them: what makes two plans the same */
  char *words[SWP_WORDS_MAX]; /* the command, with its {names} */
  size_t n_words;
  const char *scene; /* text of a scene with {names}, of one of the files; NULL: none */
  swp_design design;
  int n_cases; /* of the whole sweep */
  int seed;
  bool keep_files; /* the folders of the cases stay */
  swp_variable variable[SWP_VARIABLES_MAX];
  size_t n_variables;
  swp_figure figure[SWP_FIGURES_MAX];
  size_t n_figures;
  swp_slurm slurm;
} swp_plan;

/* Reads a plan, with the scene and the list it names, which are looked for beside it. Checks everything that
 * needs no command: that each variable is used, and each {name} is known; that --option-mm gets millimetres.
 * The caller frees *out with swp_plan_clear, also on failure.
 * Errors: as cb_yaml_load, cb_csv_parse; CB_E_RANGE with file:line. */
CB_CHECKED cb_status swp_plan_load(const char *path, swp_plan *out, cb_err *err);
void swp_plan_clear(swp_plan *plan);

/* Writes the value of each variable in a case as texts to out[0 .. n_variables - 1]. 0 <= index < n_cases. */
#define SWP_VALUE_BYTES 200
void swp_case_values(const swp_plan *plan, int index, char (*out)[SWP_VALUE_BYTES]);

/* Writes "case 17 (bend_N_m = 2e-05, seed_at = 3)" to out. */
void swp_case_say(const swp_plan *plan, int index, char *out, size_t size);

#endif
