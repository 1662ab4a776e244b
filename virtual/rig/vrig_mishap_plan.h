/* Which pulls of a virtual rig go wrong, and how: the list `mishaps` of a fault script
 * (docs/reference/virtual-faults.md). */
#ifndef VRIG_MISHAP_PLAN_H
#define VRIG_MISHAP_PLAN_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_rng.h"
#include "cb_yaml.h"
#include "vrig_mishap.h"

typedef struct vrig_mishap_rule {
  vrig_mishap mishap;
  int at_pull;        /* the number of a pull, from 1; 0: by chance */
  double every_pulls; /* mean number of pulls from one to the next */
} vrig_mishap_rule;

#define VRIG_MISHAP_RULES 32

typedef struct vrig_mishap_plan {
  size_t n;
  vrig_mishap_rule rule[VRIG_MISHAP_RULES];
} vrig_mishap_plan;

/* Reads the list; an absent one is an empty plan.
 * Errors, with file:line: those of cb_yaml_bind; CB_E_PARSE or CB_E_RANGE for a broken rule. */
CB_CHECKED cb_status vrig_mishap_plan_read(cb_ynode list, vrig_mishap_plan *p, cb_err *err);

/* Returns what goes wrong in a pull, by the first rule that wants it. Rules by chance draw once for every
 * pull: the same seed, the same mishaps. */
vrig_mishap vrig_mishap_plan_draw(const vrig_mishap_plan *p, unsigned long pull, cb_rng *rng);

#endif
