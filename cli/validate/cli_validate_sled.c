/* clothbench validate sled: a pull of ASTM D1894 on a simulated cloth gives back the friction that went
 * in. */
#include <math.h>
#include <stdio.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "cli_kind.h"
#include "cli_table.h"
#include "cli_validate.h"
#include "report_gnuplot.h"
#include "val_sled.h"

typedef struct request {
  val_sled e;
  cli_contact_friction contact;
  double vertices, load_g, side_mm, travel_mm, speed_mm_s, angle_deg;
  const char *figure;
  bool json;
} request;

static json_t *part_json(double mu, double expected, double error, double force_N) {
  return json_pack("{s:o, s:f, s:o, s:o}", "mu", cb_json_real(mu), "expected_mu", expected, "error_percent",
                   cb_json_real(100 * error), "force_N", cb_json_real(force_N));
}

static json_t *result_json(const request *q, const val_sled_result *r) {
  json_t *doc =
      json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:i}", "experiment", "sled", "verdict",
                r->agrees ? "pass" : "fail", "reduction", fit_pull_outcome_text[r->pull.outcome], "static",
                part_json(r->mu_static, r->expected_mu_static, r->static_error, r->pull.static_N), "kinetic",
                part_json(r->mu_kinetic, r->expected_mu_kinetic, r->kinetic_error, r->pull.kinetic_N),
                "peak_expected", r->peak_expected, "vertices", r->vertices);
  (void)json_object_set_new(doc, "normal_force_N", json_real(r->normal_N));
  (void)json_object_set_new(doc, "angle_deg", json_real(q->angle_deg));
  (void)json_object_set_new(doc, "across_m", json_real(r->across_m));
  (void)json_object_set_new(doc, "stiffness_N_m", json_real(q->e.stiffness_N_per_m));
  (void)json_object_set_new(doc, "speed_m_s", json_real(q->e.profile.speed_m_per_s));
  (void)json_object_set_new(doc, "dt_s", json_real(q->e.dt_s));
  (void)json_object_set_new(doc, "friction", cli_contact_friction_json(&q->contact, &q->e.friction));
  (void)json_object_set_new(doc, "extrapolated_contacts", json_integer(r->extrapolated));
  (void)json_object_set_new(doc, "seconds", json_real(r->seconds));
  return doc;
}

static void print_row(const char *name, double mu, double expected, double error) {
  if (isfinite(mu))
    printf("%-10s %12.5f %12.5f %9.3f %%\n", name, mu, expected, 100 * error);
  else
    printf("%-10s %12s %12.5f\n", name, "no peak", expected);
}

static void print_text(const request *q, const val_sled_result *r) {
  char words[160];
  cli_contact_friction_words(&q->contact, &q->e.friction, words, sizeof words);
  printf("sled: %s at %g deg, %.4g N on %g mm square, %d vertices, %g mm/s through %g N/m\n\n", words,
         q->angle_deg, r->normal_N, q->side_mm, r->vertices, q->speed_mm_s, q->e.stiffness_N_per_m);
  printf("%-10s %12s %12s %11s\n", "", "predicted", "reference", "error");
  print_row("mu static", r->mu_static, r->expected_mu_static, r->static_error);
  print_row("mu kinetic", r->mu_kinetic, r->expected_mu_kinetic, r->kinetic_error);
  if (r->pull.outcome != FIT_PULL_OK) printf("\nreduction: %s\n", fit_pull_outcome_text[r->pull.outcome]);
  if (r->extrapolated > 0)
    printf("\n%d contact%s %s lighter or heavier than the law was measured: extrapolated\n", r->extrapolated,
           CB_S(r->extrapolated), CB_PLURAL(r->extrapolated, "presses", "press"));
  printf("\nverdict: %s (%g %% is allowed; %.1f s)\n", r->agrees ? "pass" : "fail", 100 * VAL_SLED_TOLERANCE,
         r->seconds);
}

static void add_level(report_plot *p, int colour, const char *label, double force_N, double end_mm) {
  report_series *s = report_plot_add(p, REPORT_DASH, colour, label);
  report_plot_push(p, s, 0, force_N, 0);
  report_plot_push(p, s, end_mm, force_N, 0);
}

/* The record, and the two levels that it should show. */
static cb_status draw_pull(const char *path, const val_sled_result *r, cb_err *err) {
  report_plot p = {.title = "Virtual sled pull",
                   .x_label = "way of the stage [mm]",
                   .y_label = "force [N]",
                   .origin = CB_SIMULATED};
  const cb_series *x = &r->trace.position_m, *f = &r->trace.force_N;
  double end_mm = 1e3 * x->v[x->n - 1];
  report_series *s = report_plot_add(&p, REPORT_LINE, 0, "cloth");
  for (size_t i = 0; i < f->n; i++) report_plot_push(&p, s, 1e3 * x->v[i], f->v[i], 0);

  add_level(&p, 1, "static friction that went in", r->expected_static_N, end_mm);
  add_level(&p, 2, "kinetic friction that went in", r->expected_kinetic_N, end_mm);
  cb_status st = report_gnuplot_draw(&p, path, err);
  report_plot_clear(&p);
  return st;
}

static int run_sled(request *q) {
  cb_err err = {""};
  val_sled_result r = {0};
  cb_status st = cli_contact_friction_read(&q->contact, &q->e.friction, &err);
  if (st == CB_OK) st = val_sled_run(&q->e, &r, &err);
  if (st == CB_OK && q->figure) st = draw_pull(q->figure, &r, &err);
  int code = st != CB_OK ? cli_fail("validate", st, &err) : r.agrees ? CLI_DONE : CLI_NEGATIVE;
  if (st == CB_OK && !q->json) print_text(q, &r);
  if (st == CB_OK && q->json && cli_print_json("validate", result_json(q, &r)) != CLI_DONE) code = CLI_FAILED;
  val_sled_result_clear(&r);
  return code;
}

static int take_request(request *q) {
  if (!cli_contact_friction_in_order(&q->contact)) return CLI_USAGE;
  if (!q->contact.cloth && isnan(q->contact.mu) && isnan(q->contact.mu_static)) q->contact.mu_static = 0.35;
  q->e.vertices = (int)q->vertices;
  q->e.load_kg = 1e-3 * q->load_g;
  q->e.side_m = 1e-3 * q->side_mm;
  q->e.profile.travel_m = 1e-3 * q->travel_mm;
  q->e.profile.speed_m_per_s = 1e-3 * q->speed_mm_s;
  q->e.angle_rad = q->angle_deg * CB_DEG;
  return run_sled(q);
}

int cli_validate_sled(int argc, char **argv) {
  static request q; /* two laws are large */
  q = (request){.e = val_sled_default(),
                .contact = CLI_CONTACT_FRICTION_DEFAULT,
                .vertices = 400,
                .load_g = 200,
                .side_mm = 63.5,
                .speed_mm_s = 2.5};
  const cli_opt opts[] = {
      CLI_CONTACT_FRICTION_OPTIONS(q.contact),
      {"angle-deg", CLI_NUMBER, &q.angle_deg, "of the pull, from the warp", .min = -360, .max = 360},
      {"load-g", CLI_NUMBER, &q.load_g, "on the cloth; else 200", .max = 1e6},
      {"side-mm", CLI_NUMBER, &q.side_mm, "of the square sled; else 63.5", .min = 1, .max = 1e4},
      {"speed-mm-per-s", CLI_NUMBER, &q.speed_mm_s, "of the stage; else 2.5", .min = 1e-3, .max = 1e3},
      {"travel-mm", CLI_NUMBER, &q.travel_mm,
       "of the stage; else three times what the spring stretches until the sled moves", .min = 0.1,
       .max = 1e4},
      {"stiffness-N-m", CLI_NUMBER, &q.e.stiffness_N_per_m, "of the link; else 100", .min = 1e-3, .max = 1e9},
      {"dt-s", CLI_NUMBER, &q.e.dt_s, "step, and time between samples; else 0.002", .min = 1e-6, .max = 0.1},
      {"vertices", CLI_NUMBER, &q.vertices, "of the cloth, about; else 400", .min = 4, .max = 1e6},
      {"figure", CLI_OUT_FILE, &q.figure, "draw the record: FILE.png or FILE.svg"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "validate sled " CLI_CONTACT_FRICTION_USAGE
                       " [--angle-deg A] [--load-g G] [--vertices N] [...] [--figure FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  return stop >= 0 ? stop : take_request(&q);
}
