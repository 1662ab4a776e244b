/* clothbench validate lateral-buckling: the strip on edge against Prandtl and Michell. */
#include <stdio.h>

#include "cli_kind.h"
#include "cli_table.h"
#include "val_buckling.h"
#include "val_strip.h"

static json_t *result_json(const val_buckling *e, const val_buckling_result *r) {
  return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:i, s:i, s:f}", "experiment",
                   "lateral-buckling", "verdict", r->agrees ? "pass" : "fail", "poisson", e->poisson,
                   "gamma_critical", r->gamma, "reference", r->reference, "error_percent", 100 * r->error,
                   "slender", e->slender, "gamma_wide", r->gamma_wide, "gamma_narrow", r->gamma_narrow,
                   "mesh", sim_pattern_text[e->pattern], "vertices", r->vertices, "equilibria", r->equilibria,
                   "seconds", r->seconds);
}

static void print_text(const val_buckling *e, const val_buckling_result *r) {
  printf("lateral buckling: a strip on edge, nu %g, %s mesh, %d vertices\n\n", e->poisson,
         sim_pattern_text[e->pattern], r->vertices);
  printf("%-34s %11s %11s %10s\n", "critical gamma = w g L^3 / B", "predicted", "reference", "error");
  printf("%29s %3g x %11.4f %11.4f %+8.3f %%\n", "length over width", e->slender, r->gamma_wide, r->reference,
         100 * (r->gamma_wide / r->reference - 1));
  printf("%29s %3g x %11.4f %11.4f %+8.3f %%\n", "", 2 * e->slender, r->gamma_narrow, r->reference,
         100 * (r->gamma_narrow / r->reference - 1));
  printf("%-34s %11.4f %11.4f %+8.3f %%\n\n", "of no width, from the two", r->gamma, r->reference,
         100 * r->error);
  if (!r->settled) printf("an equilibrium was NOT found\n");
  printf("verdict: %s (%g %% is allowed; %.2g s)\n", r->agrees ? "pass" : "fail",
         100 * VAL_BUCKLING_TOLERANCE, r->seconds);
}

int cli_validate_buckling(int argc, char **argv) {
  val_buckling e = val_buckling_default();
  const char *mesh = "regular";
  double cells = e.cells, seed = (double)e.seed;
  bool json = false;
  const cli_opt opts[] = {
      {"poisson", CLI_NUMBER, &e.poisson, "nu of the sheet in bending; else 0", .min = 0, .max = 0.99},
      {"slender", CLI_NUMBER, &e.slender, "length over width of the wider strip; else 30", .min = 1,
       .max = 500},
      {"cells", CLI_NUMBER, &cells, "across the strip; else 4", .min = 1, .max = 100},
      {"mesh", CLI_TEXT, &mesh, "regular (default), irregular, right, alternating or equilateral"},
      {"seed", CLI_NUMBER, &seed, "of an irregular mesh; else 1", .min = 0, .max = 1e9},
      {"json", CLI_SWITCH, &json, "one JSON document"},
  };
  int stop = cli_parse(
      argc, argv, "validate lateral-buckling [--poisson NU] [--slender R] [--cells N] [--mesh NAME] [--json]",
      opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  val_buckling_result r;
  cb_status st = val_pattern_parse(mesh, &e.pattern, &err);
  e.cells = (int)cells;
  e.seed = (uint64_t)seed;
  if (st == CB_OK) st = val_buckling_run(&e, &r, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!json) print_text(&e, &r);
  return cli_verdict(json, json ? result_json(&e, &r) : NULL, r.agrees);
}
