/* clothbench validate cantilever: a hanging strip against the heavy elastica. */
#include <stdio.h>

#include "cli_kind.h"
#include "cli_table.h"
#include "val_cantilever.h"
#include "val_strip.h"
#include "cb_plural.h"

static json_t *result_json(const val_cantilever *e, const val_cantilever_result *r) {
  return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:s, s:i, s:i, s:i, s:f, s:b, s:f}", "experiment",
                   "cantilever", "verdict", r->agrees ? "pass" : "fail", "gamma", e->gamma, "h_over_w",
                   r->h_over_w, "reference", r->reference, "error_percent", 100 * r->error, "mesh",
                   sim_pattern_text[e->pattern], "cells", r->cells, "vertices", r->vertices, "iterations",
                   r->iterations, "residual", r->residual, "stable", r->stable, "seconds", r->seconds);
}

static void print_text(const val_cantilever *e, const val_cantilever_result *r) {
  printf("cantilever: gamma = w g L^3 / B = %g, %s mesh, %d cell%s along the strip, %d vertices\n\n",
         e->gamma, sim_pattern_text[e->pattern], r->cells, CB_S(r->cells), r->vertices);
  printf("%-12s %13s %13s %10s\n", "", "predicted", "reference", "error");
  printf("%-12s %13.6g %13.6g %+8.3f %%\n\n", "H/W", r->h_over_w, r->reference, 100 * r->error);
  printf("%s after %d iteration%s, residual %.2g of the weight\n", r->settled ? "settled" : "NOT settled",
         r->iterations, CB_S(r->iterations), r->residual);
  printf("verdict: %s (%g %% is allowed; %.2g s)\n", r->agrees ? "pass" : "fail",
         100 * VAL_CANTILEVER_TOLERANCE, r->seconds);
}

int cli_validate_cantilever(int argc, char **argv) {
  val_cantilever e = val_cantilever_default();
  const char *mesh = "regular";
  double cells = 0, seed = (double)e.seed;
  bool json = false;
  const cli_opt opts[] = {
      {"gamma", CLI_NUMBER, &e.gamma, "weight against bending: w g L^3 / B; else 1", .min = 1e-3, .max = 1e4},
      {"mesh", CLI_TEXT, &mesh, "regular (default), irregular, right, alternating or equilateral"},
      {"cells", CLI_NUMBER, &cells, "along the strip; else as many as gamma needs", .min = 4, .max = 2000},
      {"seed", CLI_NUMBER, &seed, "of an irregular mesh; else 1", .min = 0, .max = 1e9},
      {"json", CLI_SWITCH, &json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "validate cantilever [--gamma G] [--mesh NAME] [--cells N] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  val_cantilever_result r;
  cb_status st = val_pattern_parse(mesh, &e.pattern, &err);
  e.cells = (int)cells;
  e.seed = (uint64_t)seed;
  if (st == CB_OK) st = val_cantilever_run(&e, &r, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!json) print_text(&e, &r);
  return cli_verdict(json, json ? result_json(&e, &r) : NULL, r.agrees);
}
