#include "lab_judged.h"

#include <math.h>
#include <string.h>

#include "cb_json.h"

enum { DRAPE = 4 };
static const lab_judged kinds[LAB_JUDGED_KINDS] = {
    {"slide", "sled", ""},
    {"cloth slide", "cloth slide", ""},
    {"incline", "incline", ""},
    {"incline", "incline, free cloth", "carried on beyond the law's loads: told, not counted", true},
    {"drape", "drape", LAB_JUDGED_APART},
    {"stack", "stack", ""},
    {"stretch", "strip", ""},
    {"", "other", "", true}};

static void count(const cb_validation *v, lab_judged *k) {
  json_t *doc = cb_json_read(v->result_json);
  const bool beyond =
      strcmp(v->experiment, "incline") == 0 && json_is_false(json_object_get(doc, "inside_measured_range"));
  json_decref(doc);
  while (k->experiment[0] && (strcmp(v->experiment, k->experiment) != 0 || k->told != beyond)) k++;
  k->n++;
  k->passed += v->pass;
  k->worst_en = fmax(k->worst_en, v->worst_en);
}

void lab_judged_of(const cb_validation *list, size_t n, int64_t cloth_id, cb_origin origin,
                   lab_judged out[LAB_JUDGED_KINDS]) {
  memcpy(out, kinds, sizeof kinds);
  if (cb_origin_is_real(origin)) out[DRAPE].note = "";
  for (size_t i = 0; i < n; i++)
    if (cloth_id == 0 || list[i].cloth_id == cloth_id) count(&list[i], out);
  for (int k = 0; k < LAB_JUDGED_KINDS; k++) out[k].holds = (out[k].n - out[k].passed) * 5 <= out[k].n;
}
