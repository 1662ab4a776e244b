#include "lab_first.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "lab_material_parts.h"

char *lab_first_words(const fit_test *t, const char *figure, char out[LAB_FIRST_WORDS]) {
  out[0] = '\0';
  if (fit_first_half(t) > 0)
    (void)snprintf(out, LAB_FIRST_WORDS,
                   "the first test of a piece has %.2g %% %s %s than its repeats (p = %.1g): the figures are "
                   "between fresh cloth and cloth that was tested before, and the band has half of the "
                   "difference; import first tests, or later ones, alone",
                   fabs(t->effect), t->effect > 0 ? "more" : "less", figure, t->p_value);
  return out;
}

char *lab_first_words_of(const cb_material_law *law, char out[LAB_FIRST_WORDS]) {
  json_t *doc = json_loads(law->result_json, 0, NULL);
  const json_t *t = json_object_get(doc, "first_pull");
  if (!t) t = json_object_get(json_object_get(doc, "tests"), "first_test");
  const fit_test first = {.done = json_is_object(t),
                          .p_value = json_number_value(json_object_get(t, "p_value")),
                          .effect = json_number_value(json_object_get(t, "first_minus_rest_percent"))};
  json_decref(doc);
  return lab_first_words(&first, law->kind == CB_LAW_STRETCH ? "work" : "rigidity", out);
}
