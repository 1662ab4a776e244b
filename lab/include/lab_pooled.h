/* Whose runs went into one law: their campaigns, and what these campaigns say differently about the
 * specimens. */
#ifndef LAB_POOLED_H
#define LAB_POOLED_H

#include <jansson.h>
#include <stdbool.h>

#include "cb_store.h"

/* What a campaign writes down about its specimens. */
typedef enum lab_specimen { LAB_CLOTH_LOT, LAB_CLOTH_SIDE, LAB_WASH_STATE, LAB_BODY_SPECIMEN } lab_specimen;
#define LAB_SPECIMENS 4
extern const char *const lab_specimen_names[]; /* "cloth_lot", "cloth_side", "wash_state", "body_specimen" */

typedef struct lab_campaign {
  int64_t id;
  char name[64];
  size_t n_runs;                /* with a kinetic force */
  char says[LAB_SPECIMENS][64]; /* "": nothing */
} lab_campaign;

/* Campaigns in the order of their runs. In what was read from a document, `says` is known only where they
 * differ. */
typedef struct lab_pooled {
  size_t n;
  lab_campaign *campaigns;     /* owned */
  bool differs[LAB_SPECIMENS]; /* two campaigns have written down different values */
} lab_pooled;

void lab_pooled_clear(lab_pooled *p);

/* The runs of all campaigns that say the same as this one; 0: a campaign before it says so, too. So a loop
 * over the campaigns meets every value once. */
size_t lab_pooled_runs(const lab_pooled *p, lab_specimen what, size_t campaign);

#endif
