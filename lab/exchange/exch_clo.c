/* CLO's units are g, mm, s: stretch and shear in g/s2 (1e-3 N/m), bending in g mm2/s2 (1e-9 N m), as Petrak
 * et al., Sustainability 17(4):1388, 2025, state them. Names, keys and ranges of a fabric's physical
 * properties: as programs that write CLO's fabric files use them (github.com/ttiimmaacc/mcp-for-clo3d, after
 * CLO's JFABSpec.json: U is the weft, V the warp, density in g/mm2, thickness in mm). */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>

#include "cb_draft.h"
#include "cb_csv.h"
#include "cb_text.h"
#include "exch_json.h"
#include "exch_cloth_impl.h"

/* The slider's scale is not published; users found it by reading files that CLO had saved (bending, CLO
 * 2026.0): straight between these. */
static const double slider[][2] = {{0, 0},      {10, 100},    {27, 950},     {50, 3250},
                                   {65, 18250}, {83, 198250}, {98, 1698250}, {100, 1998250}};
#define N_SLIDER (sizeof slider / sizeof slider[0])

double exch_clo_bending_slider(double v) {
  if (v <= 0) return 0;
  for (size_t i = 1; i < N_SLIDER; i++)
    if (v <= slider[i][1])
      return slider[i - 1][0] +
             (slider[i][0] - slider[i - 1][0]) * (v - slider[i - 1][1]) / (slider[i][1] - slider[i - 1][1]);
  return 100;
}

typedef struct row {
  const char *name, *unit, *key;
  const exch_value *value;
  double factor;   /* from SI to CLO's unit */
  double min, max; /* of the panel, in CLO's unit */
  double file;     /* from the panel's number to the file's */
  bool bending;
} row;

#define N_ROWS 9

static void make_rows(const exch_cloth *s, row rows[N_ROWS]) {
  const row all[N_ROWS] = {
      {"Stretch-Weft", "g/s2", "fSuK", &s->stretch_weft_N_per_m, 1e3, 1e3, 1e7, 1, false},
      {"Stretch-Warp", "g/s2", "fSvK", &s->stretch_warp_N_per_m, 1e3, 1e3, 1e7, 1, false},
      {"Shear", "g/s2", "fHK", &s->shear_N_per_m, 1e3, 1e3, 1e7, 1, false},
      {"Bending-Weft", "g mm2/s2", "fBuK", &s->bending_weft_N_m, 1e9, 0, 2e6, 1, true},
      {"Bending-Warp", "g mm2/s2", "fBvK", &s->bending_warp_N_m, 1e9, 0, 2e6, 1, true},
      {"Bending-Bias", "g mm2/s2", "fBhK", &s->bending_bias_N_m, 1e9, 0, 2e6, 1, true},
      {"Density", "g/m2", "fDensity", &s->areal_density_kg_per_m2, 1e3, 30, 2100, 1e-6, false},
      {"Thickness", "mm", "fThickness", &s->thickness_m, 1e3, 0, INFINITY, 1, false},
      {"Friction", "1", "fFriction", &s->friction, 1, 0, 1, 1, false},
  };
  for (int i = 0; i < N_ROWS; i++) rows[i] = all[i];
}

static void print_row(FILE *f, const row *r) {
  double v = r->value->value * r->factor;
  fprintf(f, "%s,%s,%s,", r->name, r->key, r->unit);
  if (isnan(v)) {
    fputs(",,,not known\n", f);
    return;
  }
  fprintf(f, "%.9g,", v);
  if (!isnan(r->value->u)) fprintf(f, "%.3g", r->value->u * r->factor);
  fputc(',', f);
  if (r->bending) fprintf(f, "%.1f", exch_clo_bending_slider(v));
  fprintf(f, ",%s\n", v < r->min ? "below CLO's range" : v > r->max ? "above CLO's range" : "");
}

cb_status exch_clo_table_write(const exch_cloth *s, char **text, cb_err *err) {
  row rows[N_ROWS];
  cb_draft t;
  CB_TRY(cb_draft_begin(&t, err));
  make_rows(s, rows);
  cb_csv_put_comment(t.to, s->name);
  cb_csv_put_comment(t.to, s->basis);
  fputs("property,key,unit,value,u,slider_0_100,note\n", t.to);
  for (int i = 0; i < N_ROWS; i++) print_row(t.to, &rows[i]);
  return cb_draft_end(&t, CB_OK, text, err);
}

/* CLO takes what it does not find from its defaults. Numbers outside its range are brought to its edge. */
cb_status exch_clo_jfab_write(const exch_cloth *s, char **text, cb_err *err) {
  row rows[N_ROWS];
  char name[4 * sizeof s->name];
  make_rows(s, rows);
  (void)cb_text_show(s->name, name, sizeof name);
  json_t *physical = json_pack("{s:i, s:s, s:s}", "enFabricType", 0, "qsPhysicalPropertyName", name,
                               "qsPhysicalPropertyNameUTF8", name);
  for (int i = 0; i < N_ROWS; i++) {
    double v = rows[i].value->value * rows[i].factor;
    if (!isnan(v))
      (void)json_object_set_new(physical, rows[i].key,
                                json_real(fmin(fmax(v, rows[i].min), rows[i].max) * rows[i].file));
  }
  return exch_json_dump(json_pack("{s:s, s:s, s:i, s:i, s:o}", "qsFabricName", name, "qsFabricNameUTF8", name,
                                  "uiFabricVersion", 100, "uiVersion", 100, "mapPhysical", physical),
                        text, err);
}
