/* clothbench fit self-friction: pulls of cloth on cloth, both angles known -> a law of two tensors. */
#include <math.h>
#include <stdio.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cli_friction.h"
#include "cli_kind.h"
#include "lab_self_friction.h"

typedef struct request {
  const char *cloth, *body, *db, *origin_name;
  int origin;
  bool json;
} request;

/* ---- on paper ---- */

static void print_surface(const char *name, const cb_self_friction_law *law, int surface) {
  const lab_surface s = lab_self_friction_surface(law, surface);
  printf("  %-6s  1 %+.4f cos 2a %+.4f sin 2a  (u %.4f, %.4f): roughest at %.0f deg, anisotropy %.1f %%\n",
         name, s.cos2, s.sin2, s.u_cos2, s.u_sin2, s.roughest_deg, s.anisotropy_percent);
}

static void print_left_out(const lab_self_friction *f) {
  const struct {
    size_t n;
    const char *why;
  } left_out[] = {{f->n_unknown, "the body's angle is not known"},
                  {f->n_without, "no kinetic force could be told"},
                  {f->n_other_speed, "the law is that at the speed of most"}};
  for (size_t i = 0; i < 3; i++)
    if (left_out[i].n > 0)
      printf("  %zu run%s left out: %s\n", left_out[i].n, left_out[i].n > 1 ? "s are" : " is",
             left_out[i].why);
}

static void print_forces(const cb_self_friction_law *law) {
  printf("  %8s  %8s  %10s  %9s   under %.4g N\n", "cloth deg", "body deg", "force N", "u", law->reference_N);
  for (int c = 0; c <= 90; c += 45)
    for (int b = 0; b <= 90; b += 45) {
      cb_friction_value v;
      cb_self_friction_eval(law, c * CB_DEG, b * CB_DEG, law->reference_N, &v);
      printf("  %8d  %8d  %10.5f  %9.5f\n", c, b, v.force_N, v.u_force_N);
    }
}

static void print_fit(const lab_self_friction *f) {
  const fit_self_friction *fit = &f->fit;
  const cb_self_friction_law *law = &fit->law;
  printf("%s on %s, %s: %zu point%s in %zu cell%s, rule %s, rms misfit %.2f %%", law->cloth, law->body,
         cb_origin_names[law->origin], f->n_points, CB_S(f->n_points), fit->n_cells, CB_S(fit->n_cells),
         cb_self_rule_names[law->form.rule], 100 * fit->rms_rel);
  if (!isnan(fit->other_rms_rel))
    printf(" (%s: %.2f %%)", cb_self_rule_names[law->other.rule], 100 * fit->other_rms_rel);
  printf("\n  scatter between %s, %g degrees of freedom\n", fit->by_cells ? "cells" : "pulls", law->dof);
}

static void print_law(const lab_self_friction *f) {
  static const char *const exponents[] = {"fitted", "of the pair's friction law", "assumed"};
  const cb_self_friction_law *law = &f->fit.law;
  char exponent[CB_PLUS_MINUS];
  print_fit(f);
  print_surface("cloth", law, 0);
  print_surface("body", law, 1);
  printf("  force ~ load^n, n = %s (95 %%, %s)\n",
         cb_plus_minus_of_u(law->form.p[1], sqrt(law->cov[1][1]), law->dof, exponent),
         exponents[law->exponent_from]);
  if (!isnan(f->fit.one_tensor_p))
    printf("  test of one tensor for both faces  p = %.3g\n", f->fit.one_tensor_p);
  print_forces(law);
  print_left_out(f);
  cli_pooled_print(&f->pooled);
}

static int show_law(const request *q, const lab_self_friction *f) {
  if (q->json) return cli_print_json("fit", lab_self_friction_json(f));
  print_law(f);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

/* ---- the command ---- */

static int show_outcome(const request *q, fit_self_outcome outcome) {
  cli_say("fit", "%s on %s: %s; no law was stored", q->cloth, q->body, fit_self_outcome_text[outcome]);
  if (q->json)
    (void)cli_print_json("fit", json_pack("{s:s, s:s, s:s}", "cloth", q->cloth, "body", q->body, "outcome",
                                          fit_self_outcome_text[outcome]));
  return CLI_NEGATIVE;
}

static int fit_and_store(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  lab_self_friction f;
  cb_status st = lab_self_friction_fit(s, q->cloth, q->body, q->origin, &f, &err);
  if (f.n_reduced > 0)
    cli_say("fit", "%zu run%s reduced to friction points", f.n_reduced, f.n_reduced == 1 ? " was" : "s were");
  cli_pooled_warn(&f.pooled, q->cloth, q->body);
  int code;
  if (st != CB_OK)
    code = cli_fail("fit", st, &err);
  else
    code = f.fit.outcome == FIT_SELF_OK ? show_law(q, &f) : show_outcome(q, f.fit.outcome);
  lab_self_friction_clear(&f);
  return code;
}

static int show_stored(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  lab_self_friction f;
  cb_status st = lab_self_friction_stored(s, q->cloth, q->body, &f, &err);
  int code = st == CB_OK ? show_law(q, &f) : cli_fail("fit", st, &err);
  lab_self_friction_clear(&f);
  return code;
}

int cli_fit_self_friction(int argc, char **argv) {
  request q = {0};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.cloth, "the cloth's name", .required = true},
      {"body", CLI_TEXT, &q.body, "the body's: the same name is the same cloth, face on face",
       .required = true},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"origin", CLI_TEXT, &q.origin_name, "only runs that are measured, imported, virtual or simulated"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "fit self-friction --cloth NAME --body NAME [--db FILE] [--origin ORIGIN] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  if (!cli_fit_origin(q.origin_name, &q.origin)) return CLI_USAGE;
  return cli_fit_run(q.db, show_stored, fit_and_store, &q);
}
