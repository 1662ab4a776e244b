/* Which runs of a pair count. */
#ifndef LAB_SELECTION_H
#define LAB_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#define LAB_ANY_ORIGIN (-1) /* for an int that is a cb_origin or this */

/* A member that is NULL or 0 lets every run pass. */
typedef struct lab_selection {
  int origin;      /* a cb_origin; LAB_ANY_ORIGIN lets every run pass */
  const char *lot; /* of the cloth, as the campaign recorded it */
  const char *rig; /* name of the rig; of imported runs the file and line */
  int64_t campaign_id;
  /* Of the start of the run, UTC: 2026, 2026-11, 2026-11-24 or 2026-11-24T10:30. Both ends count: until
   * 2026-11 takes all of November. */
  const char *since, *until;
} lab_selection;

/* True if more than the origin is selected. */
bool lab_selection_is_partial(const lab_selection *sel);

#endif
