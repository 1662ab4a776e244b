/* Which property of a cloth makes its predicted drape uncertain, and so, what to measure next. A sweep finds
 * it (docs/reference/sweep-file.md): lab_drape_plan_write makes its plan from a cloth of the store, and
 * lab_drape_influences are what it found. */
#ifndef LAB_DRAPE_PLAN_H
#define LAB_DRAPE_PLAN_H

#include "lab_drape_prediction.h"

typedef struct lab_drape_plan {
  double specimen_cm, support_cm; /* diameters */
  int vertices;                   /* of a drape, about */
  int rows;                       /* of the design `indices` */
} lab_drape_plan;

/* Returns the plan of a short sweep: 30 cm on 18 cm, 400 vertices, 32 rows. */
lab_drape_plan lab_drape_plan_default(void);

/* Writes the plan of the sweep: the cloth in numbers, and a variable for each property that is uncertain.
 * Stretch and shear are their first slopes, and between warp and weft bending has Peirce's form. Errors:
 * CB_E_RANGE for a cloth without a name, or if no property is uncertain; those of the file. */
CB_CHECKED cb_status lab_drape_plan_write(const char *path, const lab_drape_cloth *cloth,
                                          const lab_drape_plan *plan, cb_err *err);

/* What tells a property of such a plan; NULL: another plan's variable. */
const char *lab_drape_property_source(const char *variable);

/* ---- what the sweep found ---- */

#define LAB_DRAPE_INFLUENCES_MAX 20

/* Shares of the figure's variance (Sobol), with their 95 % intervals. */
typedef struct lab_drape_influence {
  char property[48];
  double alone, alone_lo95, alone_hi95; /* goes if this property alone is known */
  double total, total_lo95, total_hi95; /* stays if all others are known */
  double sd_if_known;                   /* of the figure */
  const char *source;                   /* what tells it; NULL: unknown */
} lab_drape_influence;

typedef struct lab_drape_influences {
  char figure[48]; /* coefficient */
  int rows;        /* of the design, which count */
  double mean, sd; /* of the figure, over the uncertainty of the cloth */
  size_t n;
  lab_drape_influence each[LAB_DRAPE_INFLUENCES_MAX]; /* largest total first */
} lab_drape_influences;

/* Makes the document of docs/reference/json, "plan --sweep". NULL: no memory. */
json_t *lab_drape_influences_json(const lab_drape_influences *f);

#endif
