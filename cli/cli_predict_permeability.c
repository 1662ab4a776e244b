/* clothbench predict permeability: air through one cloth or several in series, at any pressure or velocity. Reads only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cli_kind.h"
#include "cb_law_json.h"

#define MAX_CLOTHS 16

typedef struct request {
  const char *words[MAX_CLOTHS], *db;
  size_t n_words;
  double pressure_Pa, velocity_m_per_s, thickness_mm, temperature_degC; /* NAN: not given */
  bool json;
} request;

typedef struct stack {
  cb_permeability_law laws[MAX_CLOTHS];
  cb_permeability_layer layers[MAX_CLOTHS];
  size_t n;
} stack;

/* ---- "Flannel" or "Flannel*3" ---- */

static cb_status read_word(const char *word, char name[64], int *layers, cb_err *err) {
  const char *star = strrchr(word, '*');
  size_t length = star ? (size_t)(star - word) : strlen(word);
  long long n = 1;
  if (star) CB_TRY(cb_parse_int(star + 1, word, &n, err));
  if (n < 1 || n > 1000 || length == 0 || length >= 64)
    return cb_fail(err, CB_E_ARG, "'%s': the name of a cloth, or NAME*LAYERS with 1 to 1000 layers, was wanted", word);
  memcpy(name, word, length);
  name[length] = '\0';
  *layers = (int)n;
  return CB_OK;
}

/* A cloth that is named twice is one law with more layers: its error is the same in all of them. */
static cb_status add_word(cb_store *s, const char *word, stack *k, cb_err *err) {
  char name[64];
  int layers;
  CB_TRY(read_word(word, name, &layers, err));
  for (size_t i = 0; i < k->n; i++)
    if (strcmp(k->laws[i].material, name) == 0) {
      k->layers[i].layers += layers;
      return CB_OK;
    }
  CB_TRY(cb_store_permeability(s, name, &k->laws[k->n], err));
  k->layers[k->n] = (cb_permeability_layer){&k->laws[k->n], layers};
  k->n++;
  return CB_OK;
}

static cb_status load(const request *q, stack *k, cb_err *err) {
  cb_store *s;
  k->n = 0;
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < q->n_words && st == CB_OK; i++) st = add_word(s, q->words[i], k, err);
  (void)cb_store_close(s, NULL);
  for (size_t i = 1; i < k->n && st == CB_OK; i++)
    if (cb_origin_is_real(k->laws[i].origin) != cb_origin_is_real(k->laws[0].origin))
      st = cb_fail(err, CB_E_RANGE, "'%s' is %s, '%s' is %s: real and virtual cloths do not mix", k->laws[0].material,
                   cb_origin_names[k->laws[0].origin], k->laws[i].material, cb_origin_names[k->laws[i].origin]);
  return st;
}

/* ---- what is said ---- */

typedef struct answer {
  cb_permeability_value v;
  double velocity_factor, pressure_factor, piece_factor; /* 95 % */
  double darcy;                                          /* NAN: the thickness was not given */
} answer;

static answer evaluate(const request *q, const stack *k) {
  answer a;
  if (isnan(q->velocity_m_per_s))
    cb_permeability_at_pressure(k->layers, k->n, q->pressure_Pa, &a.v);
  else
    cb_permeability_at_velocity(k->layers, k->n, q->velocity_m_per_s, &a.v);
  a.velocity_factor = cb_permeability_factor(a.v.u_ln_velocity, a.v.dof);
  a.piece_factor = cb_permeability_factor(a.v.u_ln_velocity_piece, a.v.dof_piece);
  a.pressure_factor = pow(a.velocity_factor, 1 / a.v.exponent);
  a.darcy = cb_permeability_darcy_m2(a.v.velocity_m_per_s, a.v.pressure_Pa, 1e-3 * q->thickness_mm, q->temperature_degC) / CB_DARCY_M2;
  return a;
}

static double in_unit(double si, const char *unit) { return si / cb_unit_find(unit)->to_si; }

static json_t *units_json(const answer *a) {
  double v = a->v.velocity_m_per_s;
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:o}", "mm_per_s", in_unit(v, "mm/s"), "L_per_m2_s", in_unit(v, "L/m2/s"), "cm3_per_cm2_s",
                   in_unit(v, "cm3/cm2/s"), "cfm_per_ft2", in_unit(v, "cfm/ft2"), "resistance_Rayl", a->v.pressure_Pa / v, "darcy",
                   cb_json_real(a->darcy));
}

static json_t *layers_json(const stack *k) {
  json_t *list = json_array();
  for (size_t i = 0; i < k->n; i++)
    (void)json_array_append_new(list, json_pack("{s:s, s:i, s:s, s:s, s:b}", "material", k->laws[i].material, "layers", k->layers[i].layers,
                                                "form", cb_permeability_form_names[k->laws[i].curve.form], "origin",
                                                cb_origin_names[k->laws[i].origin], "assumed_form", k->laws[i].one_pressure));
  return list;
}

static json_t *document(const stack *k, const answer *a) {
  const cb_permeability_value *v = &a->v;
  double p = v->pressure_Pa, speed = v->velocity_m_per_s;
  return json_pack("{s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:o}", "layers", layers_json(k),
                   "pressure_Pa", p, "u_pressure_Pa", p * v->u_ln_velocity / v->exponent, "pressure_low_Pa", p / a->pressure_factor,
                   "pressure_high_Pa", p * a->pressure_factor, "velocity_m_per_s", speed, "u_velocity_m_per_s", speed * v->u_ln_velocity,
                   "velocity_low_m_per_s", speed / a->velocity_factor, "velocity_high_m_per_s", speed * a->velocity_factor,
                   "piece_low_m_per_s", speed / a->piece_factor, "piece_high_m_per_s", speed * a->piece_factor, "piece_low_Pa",
                   p / pow(a->piece_factor, 1 / v->exponent), "piece_high_Pa", p * pow(a->piece_factor, 1 / v->exponent), "exponent",
                   v->exponent, "dof", fmin(v->dof, 1e9), "dof_piece", fmin(v->dof_piece, 1e9), "inside_measured_range",
                   v->inside_measured_range, "in_other_units", units_json(a));
}

static void print_answer(const stack *k, const answer *a) {
  const cb_permeability_value *v = &a->v;
  for (size_t i = 0; i < k->n; i++)
    printf("%s%d layer%s of %s (%s%s)", i ? ", " : "", k->layers[i].layers, k->layers[i].layers == 1 ? "" : "s", k->laws[i].material,
           cb_origin_names[k->laws[i].origin], k->laws[i].one_pressure ? ", one pressure: Darcy assumed" : "");
  double mm = 1e3 * v->velocity_m_per_s, p = v->pressure_Pa, piece_Pa = pow(a->piece_factor, 1 / v->exponent);
  printf("\n                            95 %% of the cloth          95 %% of single pieces\n");
  printf("  pressure %10.4g Pa    %10.4g ... %-10.4g %10.4g ... %.4g\n", p, p / a->pressure_factor, p * a->pressure_factor, p / piece_Pa,
         p * piece_Pa);
  printf("  velocity %10.4g mm/s  %10.4g ... %-10.4g %10.4g ... %.4g\n", mm, mm / a->velocity_factor, mm * a->velocity_factor,
         mm / a->piece_factor, mm * a->piece_factor);
  printf("  %.5g L/m2/s, %.5g cm3/cm2/s, %.5g cfm/ft2; resistance %.5g Rayl", mm, 0.1 * mm, in_unit(v->velocity_m_per_s, "cfm/ft2"),
         v->pressure_Pa / v->velocity_m_per_s);
  if (isnan(a->darcy))
    printf("; darcy: --thickness-mm was wanted\n");
  else
    printf("; %.5g darcy\n", a->darcy);
  if (!v->inside_measured_range) printf("  outside the measured pressures: the uncertainty grows with the distance\n");
}

static int run_predict(const request *q) {
  cb_err err = {""};
  static stack k; /* 8 KB */
  cb_status st = load(q, &k, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  answer a = evaluate(q, &k);
  if (q->json) return cli_print_json("predict", document(&k, &a));
  print_answer(&k, &a);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_predict_permeability(int argc, char **argv) {
  request q = {.pressure_Pa = NAN, .velocity_m_per_s = NAN, .thickness_mm = NAN, .temperature_degC = 20};
  const cli_opt opts[] = {
      {.name = "pressure-Pa", .kind = CLI_NUMBER, .value = &q.pressure_Pa, .min = 1e-3, .max = 1e6, .help = "difference across all layers"},
      {.name = "velocity-m-per-s",
       .kind = CLI_NUMBER,
       .value = &q.velocity_m_per_s,
       .min = 1e-9,
       .max = 1e3,
       .help = "or the face velocity"},
      {.name = "thickness-mm",
       .kind = CLI_NUMBER,
       .value = &q.thickness_mm,
       .min = 1e-3,
       .max = 1e3,
       .help = "of all layers together, for the permeability in darcy"},
      {.name = "temperature-degC",
       .kind = CLI_NUMBER,
       .value = &q.temperature_degC,
       .min = -50,
       .max = 200,
       .help = "of the air, for the same; else 20"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(
      argc, argv, "predict permeability NAME[*LAYERS] ... --pressure-Pa P | --velocity-m-per-s V [--thickness-mm T] [--db FILE] [--json]",
      opts, sizeof opts / sizeof opts[0], q.words, 1, MAX_CLOTHS, &q.n_words);
  if (stop >= 0) return stop;
  if (isnan(q.pressure_Pa) == isnan(q.velocity_m_per_s)) {
    cli_say("predict", "either --pressure-Pa or --velocity-m-per-s was wanted");
    return CLI_USAGE;
  }
  q.db = cli_db_path(q.db);
  return run_predict(&q);
}
