/* clothbench predict permeability: air through one cloth or several in series, at any pressure or velocity.
 * Reads only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "cli_kind.h"
#include "lab_permeability.h"

typedef struct request {
  lab_air_question lab;
  const char *words[LAB_LAYERS_MAX], *pair, *db;
  size_t n_words;
  double thickness_mm; /* NAN: not given */
  bool json;
} request;

static cb_status load_layers(const request *q, lab_layers *k, cb_err *err) {
  cb_store *s;
  *k = (lab_layers){.n = 0};
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < q->n_words && st == CB_OK; i++) st = lab_layers_add_word(s, q->words[i], k, err);
  if (st == CB_OK && q->pair) st = lab_layers_take_pair(s, q->pair, k, err);
  return cb_store_close_after(s, st, err);
}

/* ---- what is said ---- */

static void print_answer(const lab_layers *k, const lab_air_answer *a) {
  const cb_permeability_value *v = &a->v;
  for (size_t i = 0; i < k->n; i++)
    printf("%s%d layer%s of %s (%s%s)", i ? ", " : "", k->layers[i], CB_S(k->layers[i]), k->law[i].material,
           cb_origin_names[k->law[i].origin], k->law[i].one_pressure ? ", one pressure: Darcy assumed" : "");
  double mm = 1e3 * v->velocity_m_per_s, p = v->pressure_Pa, piece_Pa = pow(a->piece_factor, 1 / v->exponent);
  printf("\n                            95 %% of the cloth          95 %% of single pieces\n");
  printf("  pressure %10.4g Pa    %10.4g ... %-10.4g %10.4g ... %.4g\n", p, p / a->pressure_factor,
         p * a->pressure_factor, p / piece_Pa, p * piece_Pa);
  printf("  velocity %10.4g mm/s  %10.4g ... %-10.4g %10.4g ... %.4g\n", mm, mm / a->velocity_factor,
         mm * a->velocity_factor, mm / a->piece_factor, mm * a->piece_factor);
  printf("  %.5g L/m2/s, %.5g cm3/cm2/s, %.5g cfm/ft2; resistance %.5g Rayl", mm, 0.1 * mm,
         v->velocity_m_per_s / cb_unit_find("cfm/ft2")->to_si, v->pressure_Pa / v->velocity_m_per_s);
  if (isnan(a->darcy))
    printf("; darcy: --thickness-mm was wanted\n");
  else
    printf("; %.5g darcy\n", a->darcy);
  if (!v->inside_measured_range)
    printf("  outside the measured pressures: the uncertainty grows with the distance\n");
}

static int run_predict(const request *q) {
  cb_err err = {""};
  static lab_layers k; /* 8 KB */
  cb_status st = load_layers(q, &k, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  lab_air_answer a = lab_air_predict(&k, &q->lab);
  if (q->json) return cli_print_json("predict", lab_air_answer_json(&k, &a));
  print_answer(&k, &a);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_predict_permeability(int argc, char **argv) {
  request q = {.lab = {.pressure_Pa = NAN, .velocity_m_per_s = NAN, .temperature_degC = 20},
               .thickness_mm = NAN};
  const cli_opt opts[] = {
      {"pressure-Pa", CLI_NUMBER, &q.lab.pressure_Pa, "difference across all layers", .min = 1e-3,
       .max = 1e6},
      {"velocity-m-per-s", CLI_NUMBER, &q.lab.velocity_m_per_s, "or the face velocity", .min = 1e-9,
       .max = 1e3},
      {"thickness-mm", CLI_NUMBER, &q.thickness_mm, "of all layers together, for the permeability in darcy",
       .min = 1e-3, .max = 1e3},
      {"temperature-degC", CLI_NUMBER, &q.lab.temperature_degC, "of the air, for the same; else 20",
       .min = -50, .max = 200},
      {"pair", CLI_TEXT, &q.pair, "the cloth under which two layers of this piece were tested together"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "predict permeability NAME[*LAYERS] ... --pressure-Pa P | --velocity-m-per-s V "
                       "[--thickness-mm T] [--pair CLOTH] [--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], q.words, 1, LAB_LAYERS_MAX, &q.n_words);
  if (stop >= 0) return stop;
  if (isnan(q.lab.pressure_Pa) == isnan(q.lab.velocity_m_per_s)) {
    cli_say("predict", "either --pressure-Pa or --velocity-m-per-s was wanted");
    return CLI_USAGE;
  }
  q.db = cli_db_to_read(q.db);
  q.lab.thickness_m = 1e-3 * q.thickness_mm;
  return run_predict(&q);
}
