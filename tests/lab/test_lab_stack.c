/* Verdicts on stacks of cloths: against the closed form of layers in series, kept as a row, merged. */
#include <math.h>

#include "cb_rng.h"
#include "cb_stats.h"
#include "clitest.h"
#include "csvtest.h"
#include "jsonpage.h"
#include "lab_stack.h"

/* Three pieces each of two cloths that resist by 500 and 1500 Pa s/m, and a stack of both; `off` of the
 * stack. */
static void put_tables(double off) {
  static const double pressures[] = {50, 100, 200}, R[] = {500, 1500, 2000};
  static const char *const names[] = {"Gauze", "Linen", "Gauze and Linen"};
  char text[4000] = "cloth,piece,p_Pa,v_mm_s\n";
  for (int c = 0; c < 3; c++)
    for (int piece = 0; piece < 3; piece++)
      for (int k = 0; k < 3; k++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s,%d,%.6f,%.6f\n", names[c], piece,
                       pressures[k],
                       1e3 * pressures[k] / R[c] * (1 + 0.02 * (piece - 1)) * (c == 2 ? 1 + off : 1));
  clit_put("air.csv", text);
  clit_put("air.yaml",
           "kind: permeability\nmethod: ISO 9237\nsource: us\ncolumns:\n  material: {column: cloth}\n"
           "  specimen: {column: piece}\n  pressure: {column: p_Pa, unit: Pa}\n"
           "  velocity: {column: v_mm_s, unit: mm/s}\n");
  clit_run("import permeability --mapping air.yaml air.csv --db lab.db", 0);
  clit_run("fit permeability --cloth Gauze --db lab.db", 0);
  clit_run("fit permeability --cloth Linen --db lab.db", 0);
}

static cb_store *open_lab(cb_store_mode mode) {
  char path[400];
  cb_store *s;
  assert_ok(cb_store_open(cbt_path("lab.db", path), mode, &s, err));
  return s;
}

static lab_stack judged(cb_store *s) {
  static lab_layers layers;
  lab_stack k;
  layers.n = 0;
  assert_ok(lab_layers_add_word(s, "Gauze", &layers, err));
  assert_ok(lab_layers_add_word(s, "Linen*1", &layers, err));
  assert_ok(lab_stack_judge(s, &layers, "Gauze and Linen", &k, err));
  return k;
}

/* v = p / (R1 + R2), and 15 % of a layer more for the contact of two. */
static void layers_in_series(void **state) {
  (void)state;
  put_tables(0);
  cb_store *s = open_lab(CB_STORE_READ);
  lab_stack k = judged(s);
  assert_int_equal(k.n, 9);
  for (size_t i = 0; i < k.n; i++) {
    const lab_stack_point *p = &k.points[i];
    const double difference = log(p->predicted_m_per_s / p->measured_m_per_s);
    assert_near(p->predicted_m_per_s / (p->pressure_Pa / 2150), 1, 2e-4);
    assert_near(p->en, difference / hypot(p->U_predicted_ln, p->U_measured_ln), 1e-12);
    if (p->pressure_Pa < 150)
      assert_false(p->inside_measured_range); /* a quarter of it lies across the gauze */
  }
  assert_true(k.pass && k.worst_en < 1);
  lab_stack_clear(&k);
  assert_ok(cb_store_close(s, err));
}

/* The verdict is a row with laws and tests behind it, and another database takes all of it. */
static void a_verdict_is_kept_and_merged(void **state) {
  (void)state;
  put_tables(0);
  json_t *doc =
      clit_json("validate stack Gauze Linen --measured 'Gauze and Linen' --db lab.db --json", 0, NULL);
  jp_expect("validate stack", doc);
  assert_near(clit_number(doc, "validation_id"), 1, 0);
  json_decref(doc);
  clit_run("db merge lab.db --db other.db", 0);
  clit_run("db check --db other.db", 0);
  char path[400];
  cb_store *s;
  cb_validation *list;
  size_t n;
  assert_ok(cb_store_open(cbt_path("other.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_validations(s, 0, &list, &n, err));
  assert_int_equal(n, 1);
  assert_string_equal(list[0].experiment, "stack");
  assert_true(list[0].pass && list[0].run_id == 0 && list[0].cloth_id > 0);
  cb_validations_free(list, n);
  assert_ok(cb_store_close(s, err));
  cbt_result *r = malloc(sizeof *r);
  cbt_run(r, cbt_folder, "db show 'Gauze and Linen' --db other.db");
  assert_non_null(strstr(r->out, "verdict on a predicted stack"));
  free(r);
}

/* A stack that lets 60 % more through than its layers may is no stack of them: exit 3, and the row says so.
 */
static void a_wrong_stack_fails(void **state) {
  (void)state;
  put_tables(0.6);
  json_t *doc =
      clit_json("validate stack Gauze Linen --measured 'Gauze and Linen' --db lab.db --json", 3, NULL);
  assert_string_equal(json_string_value(json_object_get(doc, "verdict")), "fail");
  assert_true(clit_number(doc, "worst_en") > 1);
  json_decref(doc);
}

static void bad_questions_are_refused(void **state) {
  (void)state;
  put_tables(0);
  static const struct {
    const char *args, *says;
  } bad[] = {
      {"Gauze Linen --measured Linen", "'Linen' is a layer of the stack"},
      {"Gauze Linen --measured Silk", "no cloth named 'Silk'"},
      {"Gauze*0 --measured Linen", "NAME*LAYERS with 1 to 1000 layers"},
      {"'Gauze and Linen' --measured Linen", "'Gauze and Linen' has no law of permeability"},
  };
  cbt_result *r = malloc(sizeof *r);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char args[300];
    (void)snprintf(args, sizeof args, "validate stack %s --db lab.db", bad[i].args);
    cbt_run(r, cbt_folder, args);
    if (r->code == 0 || !strstr(r->err, bad[i].says))
      fail_msg("%s: '%s' lacks '%s'", args, r->err, bad[i].says);
  }
  cbt_run(r, cbt_folder,
          "validate stack 'White Filti (nW11)' 'Flannel (W4)' --measured 'White Filti & Flannel (Combo D)' "
          "--db " CB_SOURCE_DIR "/materials.db");
  assert_int_equal(r->code, 0);
  assert_non_null(strstr(r->err, "is a reference database: the verdict is not kept"));
  assert_non_null(strstr(r->out, "verdict: pass"));
  free(r);
}

/* ---- a measured pair ---- */

/* One piece of Felt at one pressure, R = 1000 Pa s/m; a pair of the piece, whose layers and contact resist by
 * 2500; four layers of it. By hand: what was told of one piece, of which a pair measures nearly all. */
static void a_pair_tells_of_its_piece(void **state) {
  (void)state;
  clit_put("air.csv", "cloth,piece,p_Pa,v_mm_s\nFelt,a,50,50\nFelt pair,b,125,50\nSilk,a,5,50\n");
  clit_put("air.yaml",
           "kind: permeability\nmethod: ISO 9237\nsource: us\ncolumns:\n  material: {column: cloth}\n"
           "  specimen: {column: piece}\n  pressure: {column: p_Pa, unit: Pa}\n"
           "  velocity: {column: v_mm_s, unit: mm/s}\n");
  clit_run("import permeability --mapping air.yaml air.csv --db lab.db", 0);
  clit_run("fit permeability --cloth Felt --db lab.db", 0);
  json_t *doc = clit_json(
      "predict permeability 'Felt*4' --velocity-m-per-s 0.05 --pair 'Felt pair' --db lab.db --json", 0, NULL);
  /* Half of a pair, known to the reading: 0.19 and 0.02 of the cloth, 0.19 of the piece, the contact of a
   * pair. */
  const double contact = 0.15 / sqrt(3) * 0.5 / 1.075,
               own = 2 * 0.19 * 0.19 + 0.02 * 0.02 + contact * contact, gain = own / (own + 0.02 * 0.02),
               layer_Pa = 50 * 1.0 / exp(gain * log(50 * 1.0 / (125 / 2.15)));
  assert_near(clit_number(doc, "pressure_Pa") / (4 * layer_Pa * (1 + 0.15 * 0.75)), 1, 2e-3);
  assert_near(clit_number(doc, "u_pressure_Pa") / clit_number(doc, "pressure_Pa"),
              hypot(0.02, 0.15 / sqrt(3) * 0.25 / 1.1125), 1e-3);
  json_decref(doc);
  static const char *const bad[][2] = {{"Felt --pair Felt", "'Felt' is a layer of the stack"},
                                       {"Felt --pair Silk2", "no cloth named 'Silk2'"},
                                       {"'Felt*2' Silk --pair 'Felt pair'", "as many layers of each"}};
  clit_run("fit permeability --cloth Silk --db lab.db", 0);
  for (size_t i = 0; i < 3; i++) {
    char args[200];
    (void)snprintf(args, sizeof args, "predict permeability %s --pressure-Pa 100 --db lab.db", bad[i][0]);
    clit_expect(args, 1, "", bad[i][1]);
  }
}

/* ---- measured pieces, stacked ---- */

#define DRAWS 100
#define PAIR_DRAWS 2 /* in the database */
#define MOST_PIECES 12
static const int layers_of[] = {2, 4, 10};

/* The pieces of one cloth and treatment. */
typedef struct pieces {
  char name[200];
  double dp_Pa[MOST_PIECES];
  int n;
} pieces;

static int read_pieces(pieces *list, int most) {
  cb_csv *csv = csvt_load(CBT_DATA "/air_resistance/fabrics_single_layer.csv");
  int n = 0;
  for (size_t i = 0; i < cb_csv_rows(csv); i++) {
    char name[200];
    int k = 0;
    (void)snprintf(name, sizeof name, "%s %s %s", csvt_text(csv, i, "sample"), csvt_text(csv, i, "name"),
                   csvt_text(csv, i, "treatment"));
    if (strstr(name, "Combo") || strstr(name, "x10")) continue;
    while (k < n && strcmp(list[k].name, name) != 0) k++;
    assert_true(k < most);
    if (k == n) (void)snprintf(list[n++].name, sizeof name, "%s", name);
    if (list[k].n < MOST_PIECES) list[k].dp_Pa[list[k].n++] = csvt_number(csv, i, "dp_Pa_at_4.9_cm_s");
  }
  cb_csv_free(csv);
  return n;
}

typedef struct score {
  double inside, all, width, interval; /* of ln p at 95 % */
} score;

static void count(score *s, double predicted_Pa, double U_ln, double true_Pa) {
  const double off = fabs(log(predicted_Pa / true_Pa));
  s->inside += off <= U_ln, s->all++, s->width += 2 * U_ln;
  s->interval += 2 * U_ln + fmax(0, off - U_ln) * 2 / 0.05;
}

static void print_score(const char *what, int known, const score *s) {
  print_message("%d pieces known, %-34s %.1f %% of %.0f inside, width %.2f, interval score %.2f of ln p\n",
                known, what, 100 * s->inside / s->all, s->all, s->width / s->all, s->interval / s->all);
}

/* Some pieces of a cloth make its law; another is laid. */
static void draw_pieces(const pieces *of, int known, cb_rng *rng, double dp_Pa[MOST_PIECES],
                        lab_layers *layers) {
  fit_permeability_point p[MOST_PIECES];
  fit_permeability_result r;
  memcpy(dp_Pa, of->dp_Pa, sizeof of->dp_Pa);
  for (int i = 0; i <= known; i++) {
    const int j = i + (int)(cb_rng_uniform(rng) * (of->n - i));
    const double swap = dp_Pa[i];
    dp_Pa[i] = dp_Pa[j], dp_Pa[j] = swap;
    if (i < known) p[i] = (fit_permeability_point){(size_t)i, dp_Pa[i], 0.049, 0, 0};
  }
  assert_ok(fit_permeability(p, (size_t)known, 0, 0, &r, err));
  *layers = (lab_layers){.law = {r.law}, .layers = {1}, .n = 1};
  fit_permeability_clear(&r);
}

static double stack_Pa(double dp_Pa, int n, double contact) {
  return n * dp_Pa * (1 + contact * (n - 1) / n);
}

/* In 2, 4 and 10 layers, whose contact has 0 to 30 % of a layer; in some draws a pair of the piece is known,
 * too. */
static void judge_stacks(cb_store *s, lab_layers *layers, double dp_Pa, double contact, const char *pair,
                         score to[3]) {
  const lab_air_question q = {NAN, 0.049, NAN, NAN};
  const lab_air_answer one = lab_air_predict(layers, &q);
  for (int i = 0; i < 3; i++) {
    lab_layers k = *layers;
    const double true_Pa = stack_Pa(dp_Pa, layers_of[i], contact);
    k.layers[0] = layers_of[i];
    const lab_air_answer a = lab_air_predict(&k, &q);
    count(&to[0], a.v.pressure_Pa, log(a.piece_factor) / a.v.exponent, true_Pa);
    count(&to[1], layers_of[i] * one.v.pressure_Pa, log(one.piece_factor) / one.v.exponent, true_Pa);
    if (!pair) continue;
    assert_ok(lab_layers_take_pair(s, pair, &k, err));
    const lab_air_answer b = lab_air_predict(&k, &q);
    count(&to[2], b.v.pressure_Pa, log(b.piece_factor) / b.v.exponent, true_Pa);
  }
}

/* A first pass writes the table of pairs, a second one judges. */
static void play_stacks(const pieces *list, int n, int known, bool write, score to[3]) {
  static char text[100000];
  static lab_layers layers;
  cb_store *s = write ? NULL : open_lab(CB_STORE_READ);
  cb_rng rng;
  size_t at = (size_t)snprintf(text, sizeof text, "cloth,piece,p_Pa,v_mm_s\n");
  cb_rng_init(&rng, 41, (uint64_t)known);
  for (int draw = 0; draw < DRAWS; draw++)
    for (int k = 0; k < n; k++) {
      double dp_Pa[MOST_PIECES];
      char pair[40];
      if (list[k].n <= known) continue;
      draw_pieces(&list[k], known, &rng, dp_Pa, &layers);
      const double contact = 0.3 * cb_rng_uniform(&rng);
      (void)snprintf(pair, sizeof pair, "P%d %d %d", known, draw, k);
      if (write && draw < PAIR_DRAWS)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s,x,%.6f,49\n", pair,
                               stack_Pa(dp_Pa[known], 2, contact));
      if (!write) judge_stacks(s, &layers, dp_Pa[known], contact, draw < PAIR_DRAWS ? pair : NULL, to);
    }
  if (s) assert_ok(cb_store_close(s, err));
  if (!write) return;
  clit_put("air.csv", text);
  clit_run("import permeability --mapping air.yaml air.csv --db lab.db", 0);
}

static void stacks_of_measured_pieces(void **state) {
  (void)state;
  static pieces list[120];
  if (cbt_absent(CBT_DATA "/air_resistance/fabrics_single_layer.csv")) skip();
  const int n = read_pieces(list, 120);
  put_tables(0); /* the mapping */
  for (int known = 1; known <= 3; known++) {
    score s[3] = {{0}};
    play_stacks(list, n, known, true, s);
    play_stacks(list, n, known, false, s);
    print_score("single pieces:", known, &s[0]);
    print_score("resistances of single pieces add:", known, &s[1]);
    print_score("with a pair of the piece:", known, &s[2]);
    assert_true(s[0].inside >= 0.93 * s[0].all && s[2].inside >= 0.93 * s[2].all);
    assert_true(s[2].width < 0.3 * s[0].width && s[0].interval < s[1].interval);
  }
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(layers_in_series),          T(a_verdict_is_kept_and_merged),
                                     T(a_wrong_stack_fails),       T(bad_questions_are_refused),
                                     T(a_pair_tells_of_its_piece), T(stacks_of_measured_pieces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
