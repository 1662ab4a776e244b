/* clothbench fit stretch: load-extension tests of a cloth -> its law of stretch. */
#include <math.h>
#include <stdio.h>

#include "cli_kind.h"
#include "lab_first.h"
#include "lab_stretch.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"

typedef struct request {
  lab_stretch_request lab;
  const char *db, *origin;
  bool json;
} request;

/* ---- the readable table ---- */

static void print_kes(const cb_stretch_kes *k) {
  if (isnan(k->load_N_per_m)) return;
  printf("    at %.4g N/m: EMT %.2f %%, WT %.4g N m/m2, LT %.3f", k->load_N_per_m, 100 * k->emt,
         k->wt_J_per_m2, k->lt);
  if (!isnan(k->rt)) printf(", RT %.1f %% (cycle to %.4g N/m)", 100 * k->rt, k->rt_load_N_per_m);
  printf("\n");
}

static void print_knot(const cb_stretch_knot *k) {
  printf("    %10.3f  %12.5g  %9.3g", 100 * k->strain, k->force_N_per_m, k->u_N_per_m);
  if (!isnan(k->sd_N_per_m)) printf("  %9.3g", k->sd_N_per_m);
  printf("\n");
}

static void print_direction(const lab_stretch *r, const cb_stretch_direction *d) {
  size_t last = d->n_knots - 1;
  char count[96] = "one test (how another would differ is not known)";
  if (d->n_tests > 1)
    (void)snprintf(count, sizeof count, "%zu test%s%s", d->n_tests, CB_S(d->n_tests),
                   lab_stretch_pieces(r, d->angle_deg) == 1
                       ? " of one piece (how another would differ is not known)"
                       : "");
  if (r->shear_tests > 0 && d->angle_deg == 45)
    (void)snprintf(count, sizeof count, "from warp, weft and G of %zu shear test%s", r->shear_tests,
                   CB_S(r->shear_tests));
  printf("  %g deg, %s, to %.1f %%\n", d->angle_deg, count, 100 * d->knots[last].strain);
  printf("    %10s  %12s  %9s  %9s\n", "strain %", "force N/m", "u", "sd");
  for (size_t i = last / 4; i <= last && i > 0; i += last / 4) print_knot(&d->knots[i]);
  print_kes(&d->kes);
  char k1[CB_PLUS_MINUS], k3[CB_PLUS_MINUS];
  printf("    k1 e + k3 e^3: k1 = %s N/m, k3 = %s N/m (95 %%), misfit %.1f %%\n",
         cb_plus_minus_of_u(d->k1_N_per_m, d->u_k1_N_per_m, d->dof, k1),
         cb_plus_minus_of_u(d->k3_N_per_m, d->u_k3_N_per_m, d->dof, k3), 100 * d->cubic_misfit_rel);
}

static void print_form(const cb_stretch_moduli *m) {
  if (!m->known) return;
  char e1[CB_PLUS_MINUS], e2[CB_PLUS_MINUS], cross[CB_PLUS_MINUS];
  printf("    %-6s  E1 = %s, E2 = %s N/m, cross term %s m/N (95 %%)", cb_stretch_form_names[m->form],
         cb_plus_minus_of_u(m->e1_N_per_m, m->u_e1_N_per_m, NAN, e1),
         cb_plus_minus_of_u(m->e2_N_per_m, m->u_e2_N_per_m, NAN, e2),
         cb_plus_minus_of_u(m->cross_m_per_N, m->u_cross_m_per_N, NAN, cross));
  if (m->n > 3) printf(", misfit %.1f %%", 100 * m->rms_rel);
  printf("\n");
}

static void print_moduli(const lab_stretch *r) {
  if (!r->tensor.known) {
    printf("  other directions: not known (0, 90 and one between them would tell)\n");
    return;
  }
  printf("  secant moduli at %.3g %%%s; other directions by the form '%s' (%s)\n", 100 * r->moduli_strain,
         r->tensor.inside_measured_range ? "" : ", outside the measured strains",
         cb_stretch_form_names[r->law.form],
         r->law.form_tested ? "it fits better" : "from the strips' shape");
  print_form(&r->tensor);
  print_form(&r->strip);
  printf("    G12 = %.4g N/m if nu12 = 0, %.4g N/m if nu12 = 0.5\n", cb_stretch_shear_modulus(&r->tensor, 0),
         cb_stretch_shear_modulus(&r->tensor, 0.5));
}

static void print_test(const lab_stretch_test *t) {
  const fit_stretch_part *p = &t->part;
  char slack[CB_PLUS_MINUS];
  if (p->outcome != FIT_STRETCH_PART_OK)
    printf("  test %lld%s%s left out: %s\n", (long long)t->test_id, t->specimen[0] ? " of " : "", t->specimen,
           fit_stretch_part_outcome_text[p->outcome]);
  if (p->outcome == FIT_STRETCH_PART_OK && p->n_outliers > 0)
    printf("  test %lld: %zu reading%s left out\n", (long long)t->test_id, p->n_outliers,
           p->n_outliers > 1 ? "s" : "");
  if (p->outcome == FIT_STRETCH_PART_OK && p->cut_m != 0)
    printf("  test %lld%s%s: strain 0 is %s mm (95 %%) %s the first reading%s\n", (long long)t->test_id,
           t->specimen[0] ? " of " : "", t->specimen,
           cb_plus_minus_of_u(1e3 * fabs(p->cut_m), 1e3 * p->u_slack_m, NAN, slack),
           p->cut_m > 0 ? "behind" : "before", p->cut_m > 0 ? ": slack is cut" : ", which bears a force");
}

/* Of several tests one line of advice is enough. */
static void print_origins(const lab_stretch *r) {
  size_t moved = 0;
  for (size_t i = 0; i < r->n_tests; i++)
    moved += r->tests[i].part.outcome == FIT_STRETCH_PART_OK && r->tests[i].part.cut_m != 0;
  if (moved > 0)
    printf("  --raw-origin counts strain from the first reading, --pretension-N-per-m from a force\n");
}

static int show_law(const request *q, const lab_stretch *r) {
  char shear[CB_PLUS_MINUS], words[LAB_FIRST_WORDS];
  if (q->json) return cli_print_json("fit", lab_stretch_json(r));
  printf("%s, stretch, %s%s\n", r->law.cloth, cb_origin_names[r->law.origin],
         lab_stretch_pulled_before(r) ? ", of cloth that was pulled before" : "");
  for (size_t i = 0; i < r->law.n; i++) print_direction(r, &r->law.directions[i]);
  if (r->shear_tests > 0)
    printf("  no strip was tested near 45 deg: 1/E45 = (1/E0 + 1/E90 + 1/G) / 4 with G = %s N/m (95 %%)\n",
           cb_plus_minus_of_u(r->shear_N_per_m, r->u_shear_N_per_m, NAN, shear));
  print_moduli(r);
  for (size_t i = 0; i < r->n_tests; i++) print_test(&r->tests[i]);
  print_origins(r);
  if (lab_first_words(&r->first, "work", words)[0]) printf("  %s\n", words);
  if (fflush(stdout) == 0) return CLI_DONE;
  cli_say("fit", "the result could not be written to standard output");
  return CLI_FAILED;
}

static int show_outcome(const request *q, const lab_stretch *r) {
  cli_say("fit", "%s: %s; no law was stored", q->lab.cloth, fit_stretch_outcome_text[r->outcome]);
  if (q->json) (void)cli_print_json("fit", lab_stretch_json(r));
  return CLI_NEGATIVE;
}

static int fit_and_store(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  lab_stretch r; /* 20 KB */
  cb_status st = lab_stretch_fit(s, &q->lab, &r, &err);
  int code;
  if (st == CB_OK)
    code = r.outcome == FIT_STRETCH_OK ? show_law(q, &r) : show_outcome(q, &r);
  else
    code = cli_fail("fit", st, &err);
  if (st == CB_E_RANGE && !q->origin) cli_say("fit", "--origin measured, imported or virtual chooses one");
  lab_stretch_clear(&r);
  return code;
}

/* A database that only holds laws. */
static int show_stored(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  lab_stretch r;
  cb_status st = lab_stretch_stored(s, q->lab.cloth, &r, &err);
  int code = st == CB_OK ? show_law(q, &r) : cli_fail("fit", st, &err);
  lab_stretch_clear(&r);
  return code;
}

int cli_fit_stretch(int argc, char **argv) {
  request q = {.lab.opt = fit_stretch_options_default()};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.lab.cloth, "the cloth's name", .required = true},
      {"pretension-N-per-m", CLI_NUMBER, &q.lab.opt.pretension_N_per_m,
       "strain and force count from there; else from no force", .max = 1e5},
      {"raw-origin", CLI_SWITCH, &q.lab.opt.raw_origin,
       "strain counts from the first reading; no slack is cut"},
      {"load-N-per-m", CLI_NUMBER, &q.lab.opt.load_N_per_m,
       "of WT, LT, EMT; else 490 N/m or the tests' own peak", .max = 1e6},
      {"strain", CLI_NUMBER, &q.lab.opt.moduli_strain, "of the moduli; else 0.02", .max = 10},
      {"origin", CLI_TEXT, &q.origin, "only tests that are measured, imported, virtual or simulated"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(
      argc, argv,
      "fit stretch --cloth NAME [--pretension-N-per-m P | --raw-origin] [--load-N-per-m L] [--strain E] "
      "[--origin ORIGIN] [--db FILE] "
      "[--json]",
      opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  if (q.lab.opt.raw_origin && q.lab.opt.pretension_N_per_m > 0) {
    cli_say("fit", "--raw-origin and --pretension-N-per-m: one of them was wanted");
    return CLI_USAGE;
  }
  return cli_fit_origin(q.origin, &q.lab.origin) ? cli_fit_run(q.db, show_stored, fit_and_store, &q)
                                                 : CLI_USAGE;
}
