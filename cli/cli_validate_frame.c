/* clothbench validate picture-frame: pure shear against the shear curve. */
#include <stdio.h>

#include "cb_num.h"
#include "cli_kind.h"
#include "cli_table.h"
#include "val_frame.h"

static json_t *result_json(const val_frame *e, const val_frame_result *r) {
  json_t *points = json_array();
  for (int k = 0; k < e->n; k++)
    (void)json_array_append_new(
        points, json_pack("{s:f, s:f, s:f}", "angle_deg", r->angle_rad[k] / CB_DEG, "force_N", r->force_N[k],
                          "reference_N", r->reference_N[k]));
  return json_pack("{s:s, s:s, s:o, s:f, s:f, s:i, s:f}", "experiment", "picture-frame", "verdict",
                   r->agrees ? "pass" : "fail", "points", points, "error_percent", 100 * r->error, "uneven_m",
                   r->uneven_m, "vertices", r->vertices, "seconds", r->seconds);
}

static void print_text(const val_frame *e, const val_frame_result *r) {
  printf("picture frame: 0.2 m, irregular mesh, %d vertices\n\n", r->vertices);
  printf("%10s %14s %14s %12s\n", "angle deg", "predicted N", "reference N", "error");
  for (int k = 0; k < e->n; k++)
    printf("%10.3f %14.6g %14.6g %+10.2g %%\n", r->angle_rad[k] / CB_DEG, r->force_N[k], r->reference_N[k],
           100 * (r->force_N[k] / r->reference_N[k] - 1));
  if (!r->settled) printf("an equilibrium was NOT found\n");
  printf("\nno vertex is further than %.2g m from where uniform shear puts it\n", r->uneven_m);
  printf("verdict: %s (%g %% is allowed; %.2g s)\n", r->agrees ? "pass" : "fail", 100 * VAL_FRAME_TOLERANCE,
         r->seconds);
}

int cli_validate_frame(int argc, char **argv) {
  val_frame e = val_frame_default();
  double angle_deg = 40, vertices = e.vertices, seed = (double)e.seed;
  bool json = false;
  const cli_opt opts[] = {
      {"angle-deg", CLI_NUMBER, &angle_deg, "of shear, at most; else 40", .min = 0.01, .max = 80},
      {"vertices", CLI_NUMBER, &vertices, "about; else 400", .min = 4, .max = 1e5},
      {"seed", CLI_NUMBER, &seed, "of the mesh; else 1", .min = 0, .max = 1e9},
      {"json", CLI_SWITCH, &json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "validate picture-frame [--angle-deg A] [--vertices N] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  e.angle_max_rad = angle_deg * CB_DEG;
  e.vertices = (int)vertices;
  e.seed = (uint64_t)seed;
  cb_err err = {""};
  val_frame_result r;
  cb_status st = val_frame_run(&e, &r, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!json) print_text(&e, &r);
  return cli_verdict(json, json ? result_json(&e, &r) : NULL, r.agrees);
}
