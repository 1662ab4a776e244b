/* The campaigns whose runs were pooled in one law, and how their descriptions of the specimens differ. */
#ifndef LAB_POOLED_H
#define LAB_POOLED_H

#include <jansson.h>
#include <stdbool.h>

#include "cb_store.h"

/* What a campaign records about its specimens. */
typedef enum lab_specimen { LAB_CLOTH_LOT, LAB_CLOTH_SIDE, LAB_WASH_STATE, LAB_BODY_SPECIMEN } lab_specimen;
#define LAB_SPECIMENS 4
extern const char *const lab_specimen_names[]; /* "cloth_lot", "cloth_side", "wash_state", "body_specimen" */

typedef struct lab_pooled_campaign {
  int64_t id;
  char name[64];
  size_t n_runs;                /* runs with a kinetic force */
  char says[LAB_SPECIMENS][64]; /* by lab_specimen; "": not recorded */
} lab_pooled_campaign;

/* The campaigns, in the order of their runs. Read from a document, `says` is known only where they differ. */
typedef struct lab_pooled {
  size_t n;
  lab_pooled_campaign *campaigns; /* owned */
  bool differs[LAB_SPECIMENS];    /* two campaigns recorded different values */
} lab_pooled;

void lab_pooled_clear(lab_pooled *p);

/* Returns the runs of all campaigns that recorded the same value as this one; 0 if an earlier campaign
 * recorded it, too. A loop over the campaigns thus meets every value once. */
size_t lab_pooled_runs(const lab_pooled *p, lab_specimen what, size_t campaign);

#endif
