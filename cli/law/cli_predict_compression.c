/* clothbench predict compression: the thickness of a cloth's layers under a pressure, or the pressure that
   presses them to a thickness. Reads only. */
#include <math.h>
#include <stdio.h>

#include "cb_plural.h"
#include "cb_store_material_test.h"
#include "cli_kind.h"
#include "lab_compression.h"

typedef struct request {
  const char *cloth, *db;
  double pressure_Pa, thickness_mm; /* one is given, the other is NAN */
  double layers;
  bool json;
} request;

static cb_status load_law(const request *q, cb_compression_law *law, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  const cb_status st = cb_store_law_of(s, CB_LAW_COMPRESSION, q->cloth, law, NULL, err);
  return cb_store_close_after(s, st, err);
}

static cb_status answer(const request *q, const cb_compression_law *law, lab_compression_answer *a,
                        cb_err *err) {
  double pressure_Pa = q->pressure_Pa;
  if (isnan(pressure_Pa)) pressure_Pa = cb_compression_pressure(law, 1e-3 * q->thickness_mm / q->layers);
  if (isnan(pressure_Pa))
    return cb_fail(err, CB_E_RANGE,
                   "--thickness-mm = %g: the law of '%s' was measured from %g to %g Pa, and no pressure near "
                   "them presses %g layer%s to that",
                   q->thickness_mm, law->material, law->knot[0].pressure_Pa,
                   law->knot[law->n - 1].pressure_Pa, q->layers, q->layers > 1 ? "s" : "");
  *a = lab_compression_at(law, pressure_Pa, (int)q->layers);
  return CB_OK;
}

static void print_answer(const cb_compression_law *law, const lab_compression_answer *a) {
  printf("%d layer%s of %s (%s)\n", a->layers, CB_S(a->layers), law->material, cb_origin_names[law->origin]);
  printf("  pressure  %10.4g Pa\n", a->pressure_Pa);
  printf("  thickness %10.4g mm   95 %% of the cloth %.4g ... %.4g   of single pieces %.4g ... %.4g\n",
         1e3 * a->thickness_m, 1e3 * a->low_m, 1e3 * a->high_m, 1e3 * a->piece_low_m, 1e3 * a->piece_high_m);
  if (!a->inside_measured_range)
    printf("  outside the measured pressures: the uncertainty grows with the distance\n");
}

static int run_predict(const request *q) {
  cb_err err = {""};
  cb_compression_law law;
  lab_compression_answer a;
  cb_status st = load_law(q, &law, &err);
  if (st == CB_OK) st = answer(q, &law, &a, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  if (q->json) return cli_print_json("predict", lab_compression_answer_json(&law, &a));
  print_answer(&law, &a);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_predict_compression(int argc, char **argv) {
  request q = {.pressure_Pa = NAN, .thickness_mm = NAN, .layers = 1};
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &q.cloth, "the cloth's name", .required = true},
      {"pressure-Pa", CLI_NUMBER, &q.pressure_Pa, "on the layers", .min = 1e-3, .max = 1e7},
      {"thickness-mm", CLI_NUMBER, &q.thickness_mm, "or the thickness of all layers", .min = 1e-3,
       .max = 1e3},
      {"layers", CLI_NUMBER, &q.layers, "number of layers; else 1", .min = 1, .max = 1000},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  const int stop = cli_parse(argc, argv,
                             "predict compression --cloth NAME --pressure-Pa P | --thickness-mm T "
                             "[--layers N] [--db FILE] [--json]",
                             opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (isnan(q.pressure_Pa) == isnan(q.thickness_mm)) {
    cli_say("predict", "either --pressure-Pa or --thickness-mm was wanted");
    return CLI_USAGE;
  }
  if (q.layers != floor(q.layers)) {
    cli_say("predict", "--layers = %g: a whole number was wanted", q.layers);
    return CLI_USAGE;
  }
  q.db = cli_db_to_read(q.db);
  return run_predict(&q);
}
