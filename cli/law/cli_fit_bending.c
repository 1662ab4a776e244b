/* clothbench fit bending: bending tests of a cloth -> its law of bending. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_plus_minus.h"
#include "cli_kind.h"
#include "lab_bending.h"
#include "lab_drape.h"
#include "lab_first.h"

typedef struct request {
  lab_bending_request lab;
  const char *db, *origin, *test;
  double areal_density_g_per_m2;
  bool json;
} request;

/* ---- the readable table ---- */

/* Cloth bends with some 1e-7 to 1e-4 N m. */
static double micro(double v) { return 1e6 * v; }

/* dof: of the scatter between specimens. */
static void print_direction(const fit_bending_direction *d, double dof) {
  char B[CB_PLUS_MINUS], width[CB_PLUS_MINUS];
  if (isnan(d->angle_deg))
    printf("  direction not known: ");
  else
    printf("  %g deg: ", d->angle_deg);
  printf("B = %s uN m (95 %%), %zu specimen%s", cb_plus_minus_of_u(micro(d->B_Nm), micro(d->u_B_Nm), dof, B),
         d->n, d->n > 1 ? "s" : "");
  if (!isnan(d->face_Nm) && !isnan(d->back_Nm))
    printf(", face %.4g, back %.4g", micro(d->face_Nm), micro(d->back_Nm));
  if (!isnan(d->length_m))
    printf(", bending length %.2f mm; by Peirce's formula %.4g", 1e3 * d->length_m, micro(d->peirce_Nm));
  if (!isnan(d->width_N))
    printf(", 2HB = %s mN", cb_plus_minus_of_u(1e3 * d->width_N, 1e3 * d->u_width_N, dof, width));
  printf("\n");
}

static void print_test(const fit_test *t, const char *name, const char *effect) {
  if (!t->done)
    printf("  test of %-10s  not enough data\n", name);
  else
    printf("  test of %-10s  p = %.3g, %s = %.4g\n", name, t->p_value, effect, t->effect);
}

static void print_law(const fit_bending_result *r) {
  const cb_bending_law *law = &r->law;
  char B[3][CB_PLUS_MINUS], exponent[CB_PLUS_MINUS];
  for (size_t i = 0; i < 3; i++)
    (void)cb_plus_minus_of_u(micro(law->B_Nm[i]), micro(sqrt(law->cov_N2m2[i][i])), r->scatter_dof, B[i]);
  printf(
      "  form %s: B1 = %s, H = %s, B2 = %s uN m (95 %%), and u = %.2g %% that all share "
      "(%s for the "
      "direction)\n",
      cb_bending_form_names[law->form], B[0], B[1], B[2], 100 * law->u_rel_common,
      fit_basis_names[r->direction_basis]);
  printf("  at a curvature of %.3g 1/m (%.3g to %.3g measured)", law->curvature_per_m,
         law->curvature_min_per_m, law->curvature_max_per_m);
  if (law->exponent != 0)
    printf(", B ~ curvature^n, n = %s", cb_plus_minus_of_u(law->exponent, law->u_exponent, NAN, exponent));
  printf("\n");
}

static void print_table(const lab_bending *b) {
  const fit_bending_result *r = &b->fit;
  char words[LAB_FIRST_WORDS];
  printf("%s, bending, %s, %s\n", b->cloth, cb_test_kind_names[b->test], cb_origin_names[r->origin]);
  for (size_t i = 0; i < r->n_directions; i++) print_direction(&r->directions[i], r->scatter_dof);
  print_law(r);
  print_test(&r->isotropy, "isotropy", "anisotropy_percent");
  print_test(&r->sides, "sides", "face_minus_back_percent");
  print_test(&r->constancy, "constancy", "exponent");
  print_test(&r->shape, "shape", "variance_ratio");
  for (size_t i = 0; i < r->n_entries; i++)
    printf("  budget: %-13s  type %s  %.2f %%\n", r->entries[i].name, r->entries[i].type,
           100 * r->entries[i].u_rel);
  if (lab_first_words(&r->first, "rigidity", words)[0]) printf("  %s\n", words);
  for (int d = FIT_BENDING_USED + 1; d < FIT_BENDING_DEFECTS; d++)
    if (r->defects[d]) printf("  left out, %zu: %s\n", r->defects[d], fit_bending_defect_text[d]);
}

static int show_law(const request *q, const lab_bending *b) {
  if (q->json) return cli_print_json("fit", lab_bending_json(b));
  if (b->source == LAB_BENDING_FITTED)
    print_table(b);
  else
    printf("%s, bending: a law that was imported; 'clothbench predict bending' reads it\n", b->cloth);
  if (fflush(stdout) == 0) return CLI_DONE;
  cli_say("fit", "the result could not be written to standard output");
  return CLI_FAILED;
}

/* Ran, but nothing could be fitted: an outcome, not an error. */
static int show_outcome(const request *q, const lab_bending *b) {
  const fit_bending_result *r = &b->fit;
  cli_say("fit", "%s: %s; no law was stored", q->lab.cloth, fit_bending_outcome_text[r->outcome]);
  for (int d = FIT_BENDING_USED + 1; d < FIT_BENDING_DEFECTS; d++)
    if (r->defects[d])
      cli_say("fit", "%zu test%s: %s", r->defects[d], r->defects[d] > 1 ? "s" : "",
              fit_bending_defect_text[d]);
  if (r->defects[FIT_BENDING_NO_DENSITY]) cli_say("fit", "--areal-mass-g-m2 tells it");
  if (q->json) (void)cli_print_json("fit", lab_bending_json(b));
  return CLI_NEGATIVE;
}

static int fit_and_store(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  lab_bending b;
  cb_status st = lab_bending_fit(s, &q->lab, &b, &err);
  if (st == CB_OK) return b.fit.outcome == FIT_BENDING_OK ? show_law(q, &b) : show_outcome(q, &b);
  int code = cli_fail("fit", st, &err);
  if (st == CB_E_RANGE)
    cli_say(
        "fit",
        "--test cantilever, bending-moment or buckling and --origin measured, imported or virtual choose");
  return code;
}

static int show_drapes(const request *q, cb_store *s) {
  cb_err err = {""};
  lab_drape d;
  cb_status st = lab_drape_stored(s, q->lab.cloth, &d, &err);
  int code = st == CB_OK ? cli_print_json("fit", lab_drape_json(&d)) : cli_fail("fit", st, &err);
  lab_drape_clear(&d);
  return code;
}

/* A database that only holds laws. */
static int show_stored(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  lab_bending b;
  cb_status st = lab_bending_stored(s, q->lab.cloth, &b, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  return q->json && b.source == LAB_BENDING_DRAPES ? show_drapes(q, s) : show_law(q, &b);
}

static bool find_test(const char *word, int *test) {
  *test = -1;
  if (word && strcmp(word, "cantilever") == 0) *test = CB_TEST_CANTILEVER;
  if (word && strcmp(word, "bending-moment") == 0) *test = CB_TEST_BENDING_MOMENT;
  if (word && strcmp(word, "buckling") == 0) *test = CB_TEST_BUCKLING;
  return !word || *test >= 0;
}

int cli_fit_bending(int argc, char **argv) {
  request q = {.lab.u_rel_areal_density = fit_bending_options_default().u_rel_areal_density};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.lab.cloth, "the cloth's name", .required = true},
      {"test", CLI_TEXT, &q.test, "only cantilever, only bending-moment or only buckling tests"},
      {"areal-mass-g-m2", CLI_NUMBER, &q.areal_density_g_per_m2,
       "for cantilevers whose table does not tell it", .min = 0.1, .max = 1e5},
      {"u-rel-areal-density", CLI_NUMBER, &q.lab.u_rel_areal_density,
       "its relative standard uncertainty; else 0.01", .max = 1},
      {"origin", CLI_TEXT, &q.origin, "only tests that are measured, imported, virtual or simulated"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "fit bending --cloth NAME [--test KIND] [--areal-mass-g-m2 W] "
                       "[--u-rel-areal-density U] [--origin ORIGIN] "
                       "[--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  q.lab.areal_density_kg_per_m2 = 1e-3 * q.areal_density_g_per_m2;
  if (!cli_fit_origin(q.origin, &q.lab.origin)) return CLI_USAGE;
  if (!find_test(q.test, &q.lab.test)) {
    cli_say("fit", "--test = '%s': cantilever, bending-moment or buckling was wanted", q.test);
    return CLI_USAGE;
  }
  return cli_fit_run(q.db, show_stored, fit_and_store, &q);
}
