/* clothbench validate strip-tension: a pulled strip against the law of stretch it was made of. */
#include <stdio.h>

#include "cb_store_material_test.h"
#include "cb_law_json.h"
#include "cli_kind.h"
#include "cli_table.h"
#include "report_curve.h"
#include "val_tension.h"

typedef struct request {
  val_tension e;
  const char *cloth, *db, *figure;
  double cells;
  bool json;
} request;

static json_t *result_json(const request *q, const val_tension_result *r) {
  json_t *points = json_array();
  for (int k = 0; k < q->e.n; k++)
    (void)json_array_append_new(
        points, json_pack("{s:f, s:f, s:f}", "strain", r->strain[k], "force_N_per_m", r->force_N_per_m[k],
                          "reference_N_per_m", r->reference_N_per_m[k]));
  return json_pack("{s:s, s:s, s:s, s:f, s:o, s:f, s:i, s:f}", "experiment", "strip-tension", "verdict",
                   r->agrees ? "pass" : "fail", "cloth", q->cloth ? q->cloth : "example", "angle_deg",
                   q->e.angle_deg, "points", points, "error_percent", 100 * r->error, "vertices", r->vertices,
                   "seconds", r->seconds);
}

static void print_text(const request *q, const val_tension_result *r) {
  printf("strip tension: %s, %g deg from the warp, %d vertices\n\n",
         q->cloth ? q->cloth : "example k1 e + k3 e^3", q->e.angle_deg, r->vertices);
  printf("%10s %15s %15s %12s\n", "strain", "predicted N/m", "reference N/m", "difference");
  for (int k = 0; k < q->e.n; k++)
    printf("%8.3f %% %15.5g %15.5g %12.3g\n", 100 * r->strain[k], r->force_N_per_m[k],
           r->reference_N_per_m[k], r->force_N_per_m[k] - r->reference_N_per_m[k]);
  if (!r->settled) printf("an equilibrium was NOT found\n");
  printf("\nlargest difference %.3f %% of the largest force\nverdict: %s (%g %% is allowed; %.2g s)\n",
         100 * r->error, r->agrees ? "pass" : "fail", 100 * VAL_TENSION_TOLERANCE, r->seconds);
}

static cb_status load_law(const request *q, cb_stretch_law *law, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(cli_db_path(q->db), CB_STORE_READ, &s, err));
  return cb_store_close_after(s, cb_store_law_of(s, CB_LAW_STRETCH, q->cloth, law, NULL, err), err);
}

static int run_strip(request *q, cb_stretch_law *law) {
  cb_err err = {""};
  val_tension_result r;
  cb_status st = q->cloth ? load_law(q, law, &err) : CB_OK;
  q->e.cells = (int)q->cells;
  if (st == CB_OK) st = val_tension_run(&q->e, &r, &err);
  if (st == CB_OK && q->figure)
    st = report_curve_draw(&(report_curve){"Strip in tension", "strain", "force per width [N/m]", q->e.n,
                                           r.strain, r.force_N_per_m, r.reference_N_per_m},
                           q->figure, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!q->json) print_text(q, &r);
  return cli_verdict(q->json, q->json ? result_json(q, &r) : NULL, r.agrees);
}

int cli_validate_tension(int argc, char **argv) {
  static cb_stretch_law law;
  request q = {.e = val_tension_default(&law)};
  q.cells = q.e.cells;
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &q.cloth, "whose law of stretch in the database; else an example"},
      {"db", CLI_TEXT, &q.db, "database file"},
      {"angle-deg", CLI_NUMBER, &q.e.angle_deg, "of the pull, from the warp: 0 (default), 45 or 90", .min = 0,
       .max = 90},
      {"strain", CLI_NUMBER, &q.e.strain_max, "of the grips' distance, at most; else as measured",
       .min = 1e-6, .max = 2},
      {"cells", CLI_NUMBER, &q.cells, "along the strip, a multiple of 4; else 40", .min = 4, .max = 1000},
      {"figure", CLI_OUT_FILE, &q.figure, "draw the curve: FILE.png or FILE.svg"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "validate strip-tension [--cloth NAME [--db FILE]] [--angle-deg A] [--strain E] "
                       "[--cells N] [--figure FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  return stop >= 0 ? stop : run_strip(&q, &law);
}
