/* clothbench validate capstan: a strip over a cylinder, tension against tension. */
#include <math.h>
#include <stdio.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "cli_kind.h"
#include "cli_table.h"
#include "cli_validate.h"
#include "val_capstan.h"

typedef struct request {
  val_capstan e;
  cli_contact_friction contact;
  double wrap_deg, radius_mm, width_mm, angle_deg, cells;
  bool json;
} request;

static json_t *result_json(const request *q, const val_capstan_result *r) {
  json_t *doc = json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:i, s:i}",
                          "experiment", "capstan", "verdict", r->agrees ? "pass" : "fail", "ratio", r->ratio,
                          "expected_ratio", r->expected_ratio, "error_percent", 100 * r->error,
                          "discretisation_percent", 100 * r->discretisation, "slack_N_m", r->slack_N_per_m,
                          "tight_N_m", r->tight_N_per_m, "unrest_percent", 100 * r->unrest, "largest_strain",
                          r->largest_strain, "vertices", r->vertices, "contacts", r->touching,
                          "sliding_contacts", r->sliding, "extrapolated_contacts", r->extrapolated);
  (void)json_object_set_new(doc, "wrap_deg", json_real(q->wrap_deg));
  (void)json_object_set_new(doc, "radius_mm", json_real(q->radius_mm));
  (void)json_object_set_new(doc, "angle_deg", json_real(q->angle_deg));
  (void)json_object_set_new(doc, "dt_s", json_real(q->e.dt_s));
  (void)json_object_set_new(doc, "friction", cli_contact_friction_json(&q->contact, &q->e.friction));
  (void)json_object_set_new(doc, "seconds", json_real(r->seconds));
  return doc;
}

static void print_text(const request *q, const val_capstan_result *r) {
  char words[160];
  cli_contact_friction_words(&q->contact, &q->e.friction, words, sizeof words);
  printf("capstan: %s, %g deg around R = %g mm, strip at %g deg, %d vertices\n\n", words, q->wrap_deg,
         q->radius_mm, q->angle_deg, r->vertices);
  printf("%-8s %12s %12s %11s\n", "", "predicted", "reference", "error");
  printf("%-8s %12.5f %12.5f %9.3f %%\n\n", "T2/T1", r->ratio, r->expected_ratio, 100 * r->error);
  printf("T1 %.4g N/m, T2 %.4g N/m, ratio steady within %.2g %%; %d of %d contact%s %s\n", r->slack_N_per_m,
         r->tight_N_per_m, 100 * r->unrest, r->sliding, r->touching, CB_S(r->touching),
         CB_PLURAL(r->touching, "slides", "slide"));
  if (r->extrapolated > 0)
    printf("%d contact%s %s lighter or heavier than the law was measured: extrapolated\n", r->extrapolated,
           CB_S(r->extrapolated), CB_PLURAL(r->extrapolated, "presses", "press"));
  printf("corners, steps and ends make it larger by %.3f %%\n", 100 * r->discretisation);
  printf("verdict: %s (%g %% beyond that is allowed; %.1f s)\n", r->agrees ? "pass" : "fail",
         100 * VAL_CAPSTAN_TOLERANCE, r->seconds);
}

static int run_capstan(request *q) {
  cb_err err = {""};
  val_capstan_result r;
  cb_status st = cli_contact_friction_read(&q->contact, &q->e.friction, &err);
  if (st == CB_OK) st = val_capstan_run(&q->e, &r, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!q->json) print_text(q, &r);
  return cli_verdict(q->json, q->json ? result_json(q, &r) : NULL, r.agrees);
}

int cli_validate_capstan(int argc, char **argv) {
  static request q; /* two laws are large */
  q = (request){.e = val_capstan_default(),
                .contact = CLI_CONTACT_FRICTION_DEFAULT,
                .wrap_deg = 180,
                .radius_mm = 50,
                .width_mm = 20,
                .cells = 4};
  const cli_opt opts[] = {
      CLI_CONTACT_FRICTION_OPTIONS(q.contact),
      {"wrap-deg", CLI_NUMBER, &q.wrap_deg, "of the cylinder; else 180", .min = 1, .max = 1800},
      {"radius-mm", CLI_NUMBER, &q.radius_mm, "else 50", .min = 1, .max = 1e4},
      {"width-mm", CLI_NUMBER, &q.width_mm, "of the strip; else 20", .min = 1, .max = 1e4},
      {"tension-N-m", CLI_NUMBER, &q.e.tension_N_per_m, "of the slack end; else 2", .min = 1e-6, .max = 1e6},
      {"angle-deg", CLI_NUMBER, &q.angle_deg, "of the strip, from the warp", .min = -360, .max = 360},
      {"cells", CLI_NUMBER, &q.cells, "of the mesh, across the strip; else 4", .min = 1, .max = 1000},
      {"dt-s", CLI_NUMBER, &q.e.dt_s, "step; else 0.001", .min = 1e-6, .max = 0.01},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "validate capstan " CLI_CONTACT_FRICTION_USAGE
                       " [--wrap-deg B] [--radius-mm R] [--tension-N-m T] [...] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (!cli_contact_friction_in_order(&q.contact)) return CLI_USAGE;
  q.e.wrap_rad = q.wrap_deg * CB_DEG;
  q.e.radius_m = 1e-3 * q.radius_mm;
  q.e.width_m = 1e-3 * q.width_mm;
  q.e.angle_rad = q.angle_deg * CB_DEG;
  q.e.cells_across = (int)q.cells;
  return run_capstan(&q);
}
