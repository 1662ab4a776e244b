/* clothbench validate drape-laying: one laying of a cloth that is given by its lengths. */
#include <stdio.h>

#include "cli_kind.h"
#include "val_drape_laying.h"

typedef struct request {
  double bending_mm, ratio, shear_m, stretch_m, support_cm, specimen_cm, vertices, seed, ring_mm_per_s,
      uneven_per_m, uneven_mass, lost;
  bool json;
} request;

static val_drape_laying laying_of(const request *q) {
  return (val_drape_laying){.cloth = {1e-3 * q->bending_mm, q->ratio, q->shear_m, 0, q->stretch_m},
                            .support_m = 1e-2 * q->support_cm,
                            .specimen_m = 1e-2 * q->specimen_cm,
                            .vertices = (int)q->vertices,
                            .seed = (uint64_t)q->seed,
                            .trial = {1e-3 * q->ring_mm_per_s, q->uneven_per_m, q->uneven_mass, q->lost}};
}

/* null: nothing was tried, and the row belongs into the table. */
static json_t *trial_of(const request *q) {
  if (q->ring_mm_per_s == 0 && q->uneven_per_m == 0 && q->uneven_mass == 0 && q->lost == 0)
    return json_null();
  return json_pack("{s:f, s:f, s:f, s:f}", "ring_mm_per_s", q->ring_mm_per_s, "uneven_per_m", q->uneven_per_m,
                   "uneven_mass", q->uneven_mass, "lost", q->lost);
}

/* The keys are the columns of materials/drape_table.csv. */
static json_t *document(const request *q, const val_drape_row *r) {
  return json_pack(
      "{s:s, s:f, s:f, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "experiment",
      "drape-laying", "support_cm", q->support_cm, "specimen_cm", q->specimen_cm, "vertices", r->vertices,
      "seed", r->seed, "bending_length_mm", q->bending_mm, "bending_ratio", q->ratio, "shear_length_m",
      q->shear_m, "stretch_length_m", r->cloth.stretch_m, "softening", r->cloth.softening,
      "drape_coefficient", r->sign[VAL_DRAPE_COEFFICIENT], "nodes", r->sign[VAL_DRAPE_NODES], "amplitude_mm",
      1e3 * r->sign[VAL_DRAPE_AMPLITUDE], "elongation", r->sign[VAL_DRAPE_ELONGATION], "trial", trial_of(q));
}

static void print_row(const request *q, const val_drape_row *r) {
  printf(
      "bending length %g mm, ratio %g, shear length %g m, stretch length %g m; %g cm on %g cm, seed %.0f\n",
      q->bending_mm, q->ratio, q->shear_m, r->cloth.stretch_m, q->specimen_cm, q->support_cm, r->seed);
  printf(
      "drape coefficient %.4f, %.0f nodes, amplitude %.1f mm, elongation %.4f; softening %.3f by friction\n",
      r->sign[VAL_DRAPE_COEFFICIENT], r->sign[VAL_DRAPE_NODES], 1e3 * r->sign[VAL_DRAPE_AMPLITUDE],
      r->sign[VAL_DRAPE_ELONGATION], r->cloth.softening);
}

static int run(const request *q) {
  const val_drape_laying laying = laying_of(q);
  val_drape_row row;
  bool settled;
  cb_err err;
  const cb_status st = val_drape_laying_run(&laying, &row, &settled, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!settled) {
    cli_say("validate", "the drape did not come to rest");
    return CLI_FAILED;
  }
  if (q->json) return cli_print_json("validate", document(q, &row));
  print_row(q, &row);
  return CLI_DONE;
}

int cli_validate_laying(int argc, char **argv) {
  const val_drape_laying d = val_drape_laying_default();
  request q = {1e3 * d.cloth.bending_m,
               d.cloth.ratio,
               d.cloth.shear_m,
               d.cloth.stretch_m,
               1e2 * d.support_m,
               1e2 * d.specimen_m,
               d.vertices,
               1,
               .json = false};
  const cli_opt opts[] = {
      {"bending-length-mm", CLI_NUMBER, &q.bending_mm, "(B / weight per area)^(1/3); else 15", .min = 0.1,
       .max = 1e4},
      {"bending-ratio", CLI_NUMBER, &q.ratio, "of the stiffer to the limper direction; else 1", .min = 1,
       .max = 1e3},
      {"shear-length-m", CLI_NUMBER, &q.shear_m, "shear force per width and angle / weight per area; else 20",
       .min = 1e-3, .max = 1e6},
      {"stretch-length-m", CLI_NUMBER, &q.stretch_m, "stretch stiffness / weight per area; else 300",
       .min = 1e-1, .max = 1e5},
      {"support-cm", CLI_NUMBER, &q.support_cm, "diameter; else 18", .min = 1, .max = 200},
      {"specimen-cm", CLI_NUMBER, &q.specimen_cm, "diameter; else 30", .min = 1, .max = 200},
      {"vertices", CLI_NUMBER, &q.vertices, "of the drape, about; else 10000", .min = 450, .max = 1e6},
      {"seed", CLI_NUMBER, &q.seed, "of the laying and of friction within the cloth; else 1", .min = 1,
       .max = 1e9},
      {"ring-mm-s", CLI_NUMBER, &q.ring_mm_per_s, "laid on a ring that sinks so fast; else it falls",
       .min = 1, .max = 1e3},
      {"uneven-per-m", CLI_NUMBER, &q.uneven_per_m, "rms curvature of the cloth at rest; else 0", .min = 0,
       .max = 1e3},
      {"uneven-mass", CLI_NUMBER, &q.uneven_mass, "rms of the mass per area over its mean; else 0", .min = 0,
       .max = 0.3},
      {"lost", CLI_NUMBER, &q.lost, "share of the moment of friction that is lost at rest; else 0", .min = 0,
       .max = 1},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  const int stop =
      cli_parse(argc, argv,
                "validate drape-laying [--bending-length-mm C] [--bending-ratio R] [--shear-length-m S] "
                "[--stretch-length-m L] [--specimen-cm D] [--seed N] [--ring-mm-s V] [--json]",
                opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  return stop >= 0 ? stop : run(&q);
}
