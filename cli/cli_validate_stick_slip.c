/* clothbench validate stick-slip: the strip pushed onto a plane against the clamped-pinned elastica. */
#include <math.h>
#include <stdio.h>

#include "cli_kind.h"
#include "cli_table.h"
#include "report_curve.h"
#include "val_stick_slip.h"
#include "val_strip.h"

static json_t *result_json(const val_stick_slip *e, const val_stick_slip_result *r) {
  json_t *points = json_array();
  for (int k = 0; k < e->n; k++)
    (void)json_array_append_new(
        points,
        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "shortening", e->shortening[k], "mu_critical", r->mu[k],
                  "reference", r->reference[k], "error_percent", 100 * (r->mu[k] / r->reference[k] - 1),
                  "pressure", r->pressure[k], "reference_pressure", r->reference_pressure[k]));
  return json_pack("{s:s, s:s, s:o, s:f, s:s, s:i, s:i, s:i, s:f}", "experiment", "stick-slip", "verdict",
                   r->agrees ? "pass" : "fail", "points", points, "error_percent", 100 * r->error, "mesh",
                   sim_pattern_text[e->pattern], "cells", e->cells, "vertices", r->vertices, "iterations",
                   r->iterations, "seconds", r->seconds);
}

static void print_text(const val_stick_slip *e, const val_stick_slip_result *r) {
  printf("stick-slip: a strip pushed onto a plane, %s mesh, %d vertices\n\n", sim_pattern_text[e->pattern],
         r->vertices);
  printf("%10s   %-29s          %s\n", "pushed by", "holds from mu =", "pressure P L^2 / B");
  printf("%10s   %10s %10s %10s %10s %10s\n", "of length", "predicted", "reference", "error", "predicted",
         "reference");
  for (int k = 0; k < e->n; k++)
    printf("%10.4g   %10.5f %10.5f %+8.3f %% %10.4f %10.4f\n", e->shortening[k], r->mu[k], r->reference[k],
           100 * (r->mu[k] / r->reference[k] - 1), r->pressure[k], r->reference_pressure[k]);
  if (!r->settled) printf("an equilibrium was NOT found\n");
  printf("\nverdict: %s (%g %% is allowed; %.2g s)\n", r->agrees ? "pass" : "fail",
         100 * VAL_STICK_SLIP_TOLERANCE, r->seconds);
}

int cli_validate_stick_slip(int argc, char **argv) {
  val_stick_slip e = val_stick_slip_default();
  const char *mesh = "regular", *figure = NULL;
  double cells = e.cells, seed = (double)e.seed, push = NAN;
  bool json = false;
  const cli_opt opts[] = {
      {"push", CLI_NUMBER, &push, "of the tip, part of the length; else eight from 0.01 to 0.6", .min = 1e-4,
       .max = 0.65},
      {"cells", CLI_NUMBER, &cells, "along the strip; else 80", .min = 4, .max = 2000},
      {"mesh", CLI_TEXT, &mesh, "regular (default), irregular, right, alternating or equilateral"},
      {"seed", CLI_NUMBER, &seed, "of an irregular mesh; else 1", .min = 0, .max = 1e9},
      {"figure", CLI_OUT_FILE, &figure, "draw the curve: FILE.png or FILE.svg"},
      {"json", CLI_SWITCH, &json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "validate stick-slip [--push E] [--cells N] [--mesh NAME] [--figure FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  val_stick_slip_result r;
  cb_status st = val_pattern_parse(mesh, &e.pattern, &err);
  e.cells = (int)cells;
  e.seed = (uint64_t)seed;
  if (!isnan(push)) e.n = 1, e.shortening[0] = push;
  if (st == CB_OK) st = val_stick_slip_run(&e, &r, &err);
  if (st == CB_OK && figure)
    st = report_curve_draw(
        &(report_curve){"Stick-slip: a strip pushed onto a plane", "pushed by, of its length",
                        "friction needed to hold", e.n, e.shortening, r.mu, r.reference},
        figure, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!json) print_text(&e, &r);
  return cli_verdict(json, json ? result_json(&e, &r) : NULL, r.agrees);
}
