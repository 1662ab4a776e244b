/* clothbench validate export: what a cloth's numbers do in another program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli_kind.h"
#include "cli_prove.h"
#include "conf_tell.h"

typedef struct request {
  const char *cloth, *body, *db, *engine, *meshes, *experiments, *keep;
  double mass_g_m2, stretch_N_m, shear_N_m, bend_N_m, mu;
  bool hinges, json;
} request;

static exch_value value(double v) { return (exch_value){v, NAN}; }

static exch_cloth typed_cloth(const request *q) {
  return (exch_cloth){.name = "typed",
                      .areal_density_kg_per_m2 = value(1e-3 * q->mass_g_m2),
                      .thickness_m = value(NAN),
                      .stretch_warp_N_per_m = value(q->stretch_N_m),
                      .stretch_weft_N_per_m = value(q->stretch_N_m),
                      .shear_N_per_m = value(q->shear_N_m),
                      .bending_warp_N_m = value(q->bend_N_m),
                      .bending_weft_N_m = value(q->bend_N_m),
                      .bending_bias_N_m = value(NAN),
                      .friction = value(q->mu)};
}

static cb_status find_cloth(const request *q, exch_cloth *out, cb_err *err) {
  if (q->cloth) return cli_prove_cloth(q->db, q->cloth, q->body, out, err);
  *out = typed_cloth(q);
  return CB_OK;
}

/* A named cloth has its own numbers, and a typed one no database. */
static bool in_order(const request *q) {
  const bool typed = !isnan(q->mass_g_m2) || !isnan(q->stretch_N_m) || !isnan(q->shear_N_m) ||
                     !isnan(q->bend_N_m) || !isnan(q->mu);
  return q->cloth ? !typed : !isnan(q->mass_g_m2) && !q->body && !q->db;
}

static int run(const request *q) {
  exch_cloth cloth;
  cb_err err = {""};
  conf_proof *proof = calloc(1, sizeof *proof);
  cb_status st = proof ? find_cloth(q, &cloth, &err) : cb_no_memory(&err, "a proof");
  if (st == CB_OK)
    st = cli_prove("validate", &cloth, q->engine, q->meshes, q->experiments, q->keep, q->hinges, false, proof,
                   &err);
  int code = st == CB_OK ? CLI_DONE : cli_fail("validate", st, &err);
  if (st == CB_OK && q->json) code = cli_print_json("validate", conf_proof_json(proof));
  if (st == CB_OK && !q->json) conf_proof_write(proof, stdout);
  if (code == CLI_DONE && !conf_proof_agrees(proof)) code = CLI_NEGATIVE;
  free(proof);
  return code;
}

int cli_validate_export(int argc, char **argv) {
  request q = {.engine = "clothbench",
               .mass_g_m2 = NAN,
               .stretch_N_m = NAN,
               .shear_N_m = NAN,
               .bend_N_m = NAN,
               .mu = NAN};
  const cli_opt opts[] = {
      {"engine", CLI_TEXT, &q.engine,
       "clothbench, blender, mujoco, newton, pybullet, or a command with {folder}; else clothbench"},
      {"cloth", CLI_CLOTH, &q.cloth, "of the database"},
      {"body", CLI_BODY, &q.body, "whose friction; else that of the only body"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"areal-mass-g-m2", CLI_NUMBER, &q.mass_g_m2, "of a cloth that is typed", .min = 1, .max = 1e4},
      {"stretch-N-m", CLI_NUMBER, &q.stretch_N_m, "force per width over strain", .min = 1, .max = 1e6},
      {"shear-N-m", CLI_NUMBER, &q.shear_N_m, "force per width over shear angle", .min = 0.1, .max = 1e6},
      {"bend-N-m", CLI_NUMBER, &q.bend_N_m, "moment per width over curvature", .min = 1e-9, .max = 1},
      {"mu", CLI_NUMBER, &q.mu, "coefficient of friction on the slope", .min = 0.01, .max = 10},
      {"meshes-mm", CLI_TEXT, &q.meshes, "edges of the meshes; else 10,5,3.33"},
      {"experiments", CLI_TEXT, &q.experiments, "some of " CONF_KIND_LIST "; else the first five"},
      {"hinges", CLI_SWITCH, &q.hinges, "the command's program bends at the edges between cells"},
      {"keep", CLI_OUT_FOLDER, &q.keep, "folder for the files of all experiments"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  const int stop = cli_parse(
      argc, argv,
      "validate export [--engine ENGINE] {--cloth NAME [--body BODY] [--db FILE] | "
      "--areal-mass-g-m2 W ...} [--meshes-mm LIST] [--experiments LIST] [--hinges] [--keep FOLDER] [--json]",
      opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (!in_order(&q)) {
    cli_say("validate", "either --cloth NAME or --areal-mass-g-m2 with other numbers was wanted");
    return CLI_USAGE;
  }
  return run(&q);
}
