#include "lab_friction_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct names {
  size_t n;
  char name[FIT_MAX_LOTS][sizeof(((cb_conditions *)0)->cloth_lot)];
} names;

/* FIT_MAX_LOTS: there are too many. */
static size_t index_of(names *list, const char *name) {
  size_t i = 0;
  while (i < list->n && strcmp(list->name[i], name) != 0) i++;
  if (i < list->n || i == FIT_MAX_LOTS) return i;
  memcpy(list->name[list->n++], name, strlen(name) + 1);
  return i;
}

static size_t count_recorded(const names *list) {
  size_t n = 0;
  for (size_t i = 0; i < list->n; i++) n += list->name[i][0] != '\0';
  return n;
}

static cb_status name_lots(cb_store *s, const cb_friction_obs *obs, size_t n, names *list, fit_lot_of *of,
                           bool *too_many, cb_err *err) {
  char preset[32];
  cb_conditions c = {.cloth_lot = ""};
  for (size_t i = 0; i < n && !*too_many; i++) {
    const int64_t campaign = obs[i].run.campaign_id;
    if (i == 0 || campaign != obs[i - 1].run.campaign_id)
      CB_TRY(cb_store_conditions_get(s, campaign, preset, &c, err));
    const size_t lot = index_of(list, c.cloth_lot);
    *too_many = lot == FIT_MAX_LOTS;
    of[i] = (fit_lot_of)lot;
  }
  return CB_OK;
}

cb_status lab_lots_of(cb_store *s, const cb_friction_obs *obs, size_t n, lab_lots *out, cb_err *err) {
  names list = {.n = 0};
  bool too_many = false;
  *out = (lab_lots){.of = malloc(n + 1)};
  if (!out->of) return cb_no_memory(err, "%zu runs", n);
  cb_status st = name_lots(s, obs, n, &list, out->of, &too_many, err);
  out->n = list.n;
  if (st == CB_OK && count_recorded(&list) > 1 && !too_many) return CB_OK;
  free(out->of);
  *out = (lab_lots){.n = 0};
  return st;
}
