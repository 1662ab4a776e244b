/* Properties of a cloth or body that a person types: the page and its form. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "lab_typed.h"
#include "report_site_impl.h"

/* A number of the form, in the unit that its label names. */
typedef struct typed_number {
  const char *key, *label;
  size_t at; /* in lab_typed */
  double si; /* value of one unit */
} typed_number;

#define NUMBER(key, label, field, si) \
  { key, label, offsetof(lab_typed, field), si }

static const typed_number numbers[] = {
    NUMBER("thickness", "thickness [mm]", thickness_m, 1e-3),
    NUMBER("u_thickness", "u of it", u_thickness_m, 1e-3),
    NUMBER("areal_density", "areal density [g/m\u00b2]", areal_density_kg_per_m2, 1e-3),
    NUMBER("u_areal_density", "u of it", u_areal_density_kg_per_m2, 1e-3),
    NUMBER("drape_coefficient", "drape coefficient, discs of 18 and 30 cm", drape_coefficient, 1),
    NUMBER("u_drape_coefficient", "u of it", u_drape_coefficient, 1),
    NUMBER("bending_length", "bending length, at 41.5\u00b0 [mm]", bending_length_m, 1e-3),
    NUMBER("u_bending_length", "u of it", u_bending_length_m, 1e-3),
    NUMBER("flexural_rigidity", "or flexural rigidity [\u00b5N m]", flexural_rigidity_Nm, 1e-6),
    NUMBER("u_flexural_rigidity", "u of it", u_flexural_rigidity_Nm, 1e-6),
    NUMBER("angle", "direction of the bending from the warp [\u00b0]", angle_deg, 1),
};
#define N_NUMBERS (sizeof numbers / sizeof numbers[0])

/* ---- the page ---- */

static void add_text(report_text *t, const char *key, const char *label, const char *value, bool wanted) {
  report_text_addf(t, "<label>%s <input name=\"%s\" maxlength=\"200\"%s value=\"", label, key,
                   wanted ? " required" : "");
  report_text_in(t, "", value, "\"></label>\n");
}

cb_status site_type(site *w, cb_err *err) {
  report_text *t = w->text;
  const bool body = strcmp(site_value(w, "kind"), "body") == 0;
  (void)err;
  site_begin(w, "properties", "Type properties",
             "What was measured elsewhere, or stands on a data sheet. Each becomes a row with its source.");
  if (!w->q->secret[0] || cb_store_is_reference(w->store)) {
    report_text_add(t, "<p class=\"note\">Nothing can be written here.</p>\n");
    site_end(w);
    return CB_OK;
  }
  report_text_addf(t,
                   "<section class=\"forms\"><form method=\"post\" action=\"type\" class=\"tall\"><input "
                   "type=\"hidden\" name=\"token\" value=\"%s\">\n",
                   w->q->secret);
  report_text_addf(
      t,
      "<label>it is a <select name=\"kind\"><option>cloth</option><option%s>body</option></select>"
      "</label>\n",
      body ? " selected" : "");
  add_text(t, "name", "its name", site_value(w, "name"), true);
  add_text(t, "composition", "fibres", "", false);
  add_text(t, "weave", "weave or knit", "", false);
  for (size_t i = 0; i < N_NUMBERS; i++)
    report_text_addf(t, "<label>%s <input name=\"%s\" type=\"number\" step=\"any\"></label>\n",
                     numbers[i].label, numbers[i].key);
  add_text(t, "source", "source: who says so", "", true);
  report_text_add(
      t,
      "<button>store it</button></form>\n<p class=\"note\">u: standard uncertainty; empty: not known. "
      "A fact that is known already and differs is refused.</p></section>\n");
  site_end(w);
  return CB_OK;
}

/* ---- the form ---- */

static cb_status read_numbers(const report_site_query *q, lab_typed *out, cb_err *err) {
  for (size_t i = 0; i < N_NUMBERS; i++) {
    const char *text = q->value(q->context, numbers[i].key);
    double v;
    if (!text || !text[0]) continue;
    CB_TRY(cb_parse_double(text, numbers[i].label, &v, err));
    v *= numbers[i].si;
    memcpy((char *)out + numbers[i].at, &v, sizeof v);
  }
  return CB_OK;
}

static const char *text_of(const report_site_query *q, const char *key) {
  const char *text = q->value(q->context, key);
  return text && text[0] ? text : NULL;
}

cb_status site_type_form(cb_store *s, const report_site_query *q, char to[64], cb_err *err) {
  lab_typed typed = lab_typed_default();
  cb_material m;
  const char *kind = text_of(q, "kind");
  typed.kind = kind && strcmp(kind, "body") == 0 ? CB_BODY : CB_CLOTH;
  typed.name = text_of(q, "name");
  typed.source = text_of(q, "source");
  typed.composition = text_of(q, "composition");
  typed.weave = text_of(q, "weave");
  if (!typed.name || !typed.source) return cb_fail(err, CB_E_ARG, "a name and a source were wanted");
  CB_TRY(read_numbers(q, &typed, err));
  CB_TRY(lab_typed_store(s, &typed, err));
  CB_TRY(cb_store_material_find(s, typed.kind, typed.name, &m, err));
  (void)snprintf(to, 64, "%s-%lld.html", cb_material_kind_names[m.kind], (long long)m.id);
  return CB_OK;
}
