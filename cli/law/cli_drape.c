#include "cli_drape.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cb_signals.h"
#include "cb_stats.h"
#include "cli_share.h"
#include "lab_drape_plan.h"

/* The coarser mesh of the extrapolation then has 200, the least of any. */
#define VERTICES_TO_EXTRAPOLATE 450

/* ---- the cloth ---- */

static bool given(double v) { return !isnan(v); }

/* What only a law would tell; NULL: nothing. */
static const char *missing(const cli_drape_cloth *c) {
  const struct {
    const char *name;
    double value;
  } wanted[] = {{"areal-mass-g-m2", c->areal_mass_g_m2},
                {"stretch-warp-N-m", c->stretch_N_per_m[0]},
                {"stretch-weft-N-m", c->stretch_N_per_m[1]},
                {"shear-N-m", c->shear_N_per_m},
                {"bend-warp-N-m", c->bend_Nm[0]},
                {"bend-weft-N-m", c->bend_Nm[1]}};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    if (!given(wanted[i].value)) return wanted[i].name;
  return NULL;
}

static cb_status check_pairs(const cli_drape_cloth *c, cb_err *err) {
  const char *name = missing(c);
  if (name && !c->name) return cb_fail(err, CB_E_ARG, "--%s is wanted, or --cloth", name);
  if (given(c->bend_Nm[0]) != given(c->bend_Nm[1]))
    return cb_fail(err, CB_E_ARG, "--bend-warp-N-m and --bend-weft-N-m go together");
  if (given(c->hysteresis_N[0]) != given(c->hysteresis_N[1]))
    return cb_fail(err, CB_E_ARG, "--bend-hysteresis-warp-N and --bend-hysteresis-weft-N go together");
  if (given(c->bend_known_at_per_m) && !given(c->bend_Nm[0]))
    return cb_fail(err, CB_E_ARG, "--bend-known-at-per-m belongs to --bend-warp-N-m and --bend-weft-N-m");
  return CB_OK;
}

static lab_drape_numbers numbers_of(const cli_drape_cloth *c) {
  return (lab_drape_numbers){.areal_density_kg_per_m2 = 1e-3 * c->areal_mass_g_m2,
                             .thickness_m = 1e-3 * c->thickness_mm,
                             .stretch_N_per_m = {c->stretch_N_per_m[0], c->stretch_N_per_m[1]},
                             .shear_N_per_m = c->shear_N_per_m,
                             .bend_Nm = {c->bend_Nm[0], c->bend_Nm[1]},
                             .hysteresis_N = {c->hysteresis_N[0], c->hysteresis_N[1]},
                             .bend_known_at_per_m = c->bend_known_at_per_m,
                             .u_mass_rel = c->u_mass_percent / 100,
                             .u_stretch_rel = c->u_stretch_percent / 100,
                             .u_shear_rel = c->u_shear_percent / 100,
                             .u_bend_rel = c->u_bend_percent / 100,
                             .u_hysteresis_rel = c->u_hysteresis_percent / 100,
                             .u_onset_rel = c->u_onset_percent / 100};
}

static cb_status make_cloth(const cli_drape_cloth *c, lab_drape_cloth *out, cb_err *err) {
  const lab_drape_numbers numbers = numbers_of(c);
  cb_store *s;
  CB_TRY(check_pairs(c, err));
  if (!c->name || !missing(c)) return lab_drape_cloth_make(NULL, c->name, &numbers, out, err);
  CB_TRY(cb_store_open(cli_db_to_read(c->db), CB_STORE_READ, &s, err));
  return cb_store_close_after(s, lab_drape_cloth_make(s, c->name, &numbers, out, err), err);
}

/* ---- what is shown ---- */

static void print_spread(const char *what, const val_spread *s, double scale, double reference) {
  printf("%-20s %10.4g", what, scale * s->mean);
  if (isnan(s->sd))
    printf(" %10s %22s", "-", "-");
  else
    printf(" %10.3g %10.4g .. %8.4g", scale * s->sd, scale * s->lo95, scale * s->hi95);
  if (!isnan(reference)) printf(" %10.4g", reference);
  printf("\n");
}

static void print_bending(const lab_drape_cloth *c) {
  printf("bending friction from %s: 2HB = %.3g and %.3g mN, within a factor of %.2g (95 %%)\n",
         c->hysteresis_from == LAB_HYSTERESIS_RELATION
             ? "a relation of other fabrics (docs/method/bending.md)"
             : lab_hysteresis_from_names[c->hysteresis_from],
         2e3 * c->material.bending_friction_N[0], 2e3 * c->material.bending_friction_N[1],
         exp(cb_student_t(0.95, INFINITY) * c->doubt.friction));
  if (c->doubt.moment_known_at_per_m > 0)
    printf("the law of bending is moment over curvature at %.3g 1/m: friction is a part of it\n",
           c->doubt.moment_known_at_per_m);
  else
    printf("bending rigidity is the slope of the moment, as of KES-FB2: friction comes on top of it\n");
}

static void print_odd_numbers(const lab_drape_cloth *c) {
  for (size_t i = 0; i < c->n_odd; i++)
    printf("%s: %.3g; published fabrics have %.3g to %.3g\n", c->odd[i].what, c->odd[i].value, c->odd[i].low,
           c->odd[i].high);
}

static void print_mesh(const lab_drape_prediction *p) {
  char text[CB_PLUS_MINUS];
  const double most = p->predicted.each[0].stretch_most_N_per_m,
               stretch[2] = {sim_curve_slope(&p->cloth.material.warp),
                             sim_curve_slope(&p->cloth.material.weft)};
  if (p->predicted.mesh_shift != 0)
    printf("of the coefficient's mean %s (95 %%) is what these meshes lack\n",
           cb_plus_minus_of_u(p->predicted.mesh_shift, p->predicted.u_mesh_shift, NAN, text));
  if (fmax(stretch[0], stretch[1]) > most)
    printf(
        "this mesh bears %.3g N/m of stretch stiffness, the cloth has %.3g and %.3g: more --vertices are "
        "better\n",
        most, stretch[0], stretch[1]);
}

/* What else stands behind the numbers. */
static void print_remarks(const lab_drape_prediction *p) {
  print_bending(&p->cloth);
  print_odd_numbers(&p->cloth);
  print_mesh(p);
}

static void print_head(const cli_drape *d, const lab_drape_prediction *p) {
  const sim_material *m = &p->cloth.material;
  printf(
      "drape of %s (%.4g g/m2, bending %.3g and %.3g uN m, shear %.3g N/m), %g cm on %g cm: %d drape%s of "
      "about %g vertices\n\n",
      p->cloth.name[0] ? p->cloth.name : "a cloth", 1e3 * m->areal_density_kg_per_m2,
      1e6 * m->bending_Nm[0][0], 1e6 * m->bending_Nm[1][1], sim_curve_slope(&m->shear) / 2, p->specimen_cm,
      p->support_cm, p->predicted.n, CB_S(p->predicted.n), d->vertices);
}

static void print_sealed_head(const lab_drape_prediction *p) {
  printf("drape of %s, %g cm on %g cm: %d drape%s, sealed %s by clothbench %s\nSHA-256 %s\n\n",
         p->cloth.name[0] ? p->cloth.name : "a cloth", p->specimen_cm, p->support_cm, p->predicted.n,
         CB_S(p->predicted.n), p->seal->sealed_at, p->seal->version, p->seal->sha256);
}

static void print_measured(const lab_drape_prediction *p) {
  const lab_drape_measured *m = &p->measured;
  if (m->n == 0) return;
  printf("measured: %d, of which %d within the band; predicted - measured = %+.4f, allowed %.4f\n", m->n,
         m->inside, m->difference, m->allowed);
  if (!cb_origin_is_real(p->cloth.origin)) printf("they are virtual, " LAB_JUDGED_APART "\n");
}

void cli_drape_print(const cli_drape *d, const lab_drape_prediction *p) {
  const val_drape_statistics *s = &p->predicted;
  const lab_drape_measured *m = &p->measured;
  if (p->seal)
    print_sealed_head(p);
  else
    print_head(d, p);
  printf("%-20s %10s %10s %22s %10s\n", "", "mean", "sd", "95 % of drapes", m->n ? "measured" : "");
  print_spread("drape coefficient", &s->drape_coefficient, 1, m->n ? m->mean : NAN);
  print_spread("nodes", &s->nodes, 1, m->n ? m->nodes : NAN);
  print_spread("amplitude mm", &s->amplitude_m, 1e3, NAN);
  printf("\n%d of %d settled", s->settled, s->n);
  if (s->each) printf(" (%.1f s)", s->seconds);
  printf("\n");
  print_measured(p);
  if (s->each) print_remarks(p); /* a sealed one has none */
}

/* ---- the drapes ---- */

static int tell_failure(const char *command, const lab_drape_prediction *p, cb_status st, const cb_err *err) {
  (void)fflush(stdout);
  if (p->predicted.n > 0)
    cli_say(command, "%d of %d drape%s %s made and %s shown", p->predicted.n, p->seeds, CB_S(p->seeds),
            CB_WERE(p->seeds), CB_ARE(p->seeds));
  return cli_fail(command, st, err);
}

static val_drape_many drapes_of(const cli_drape *d, const lab_drape_cloth *cloth) {
  val_drape_many e = {.one = val_drape_default(), .doubt = cloth->doubt, .seeds = (int)d->seeds};
  e.one.material = cloth->material;
  e.one.size = (fit_drape_setup){.support_m = d->support_cm / 100, .specimen_m = d->specimen_cm / 100};
  e.one.vertices = (int)d->vertices;
  e.one.also_coarser = d->vertices >= VERTICES_TO_EXTRAPOLATE;
  e.one.seed = (uint64_t)d->seed;
  return e;
}

/* In the order of --scores. */
static const val_drawn typed_axes[] = {VAL_DRAWN_BEND_WARP, VAL_DRAWN_BEND_WEFT, VAL_DRAWN_HYSTERESIS,
                                       VAL_DRAWN_ONSET,     VAL_DRAWN_STRETCH,   VAL_DRAWN_SHEAR,
                                       VAL_DRAWN_MASS};
#define N_TYPED (sizeof typed_axes / sizeof typed_axes[0])
#define SCORE_MOST 10.0

static cb_status read_scores(const char *text, double score[VAL_DRAWN_AXES], cb_err *err) {
  char copy[400], *rest = NULL;
  size_t n = 0, commas = 0;
  for (const char *s = text; *s; s++) commas += *s == ',';
  bool right = strlen(text) < sizeof copy && commas == N_TYPED - 1; /* strtok_r passes over an empty place */
  (void)snprintf(copy, sizeof copy, "%s", text);
  for (char *s = strtok_r(copy, ",", &rest); s && right; s = strtok_r(NULL, ",", &rest), n++) {
    double v;
    right = n < N_TYPED && cb_parse_double(s, "", &v, NULL) == CB_OK && fabs(v) <= SCORE_MOST;
    if (right) score[typed_axes[n]] = v;
  }
  if (right && n == N_TYPED) return CB_OK;
  return cb_fail(err, CB_E_ARG,
                 "--scores %s: %zu numbers from %g to %g, with commas between them, were wanted", text,
                 N_TYPED, -SCORE_MOST, SCORE_MOST);
}

static void show_progress(void *command, double done, int seeds) {
  cli_progress(command, done, seeds, seeds == 1 ? "of the drape" : "of the drapes");
}

/* Before the simulations, which take their time. */
static void print_foreseen(const val_drape_foreseen *f) {
  int most = 0;
  if (!f->known) return;
  printf(
      "at once, by the table of simulated drapes: coefficient %.3f, 95 %% of drapes %.3f .. %.3f\nof that "
      "doubt:",
      f->coefficient, f->lo95, f->hi95);
  for (int a = 0; a < VAL_DRAWN_AXES; a++) {
    if (f->share[a] > f->share[most]) most = a;
    if (f->share[a] > 0.005) printf(" %s %.0f %%,", val_drawn_names[a], 100 * f->share[a]);
  }
  printf(" layings %.0f %%, table %.0f %%\n", 100 * f->share_laying, 100 * f->share_table);
  const char *source = lab_drape_property_source(val_drawn_names[most]);
  if (source && f->share[most] > f->share_laying) printf("what would narrow it most: %s\n", source);
  printf("\n");
  (void)fflush(stdout);
}

int cli_drape_run(const cli_drape *d, const cli_drape_use *use) {
  cb_err err = {""};
  char table[CLI_SHARE_PATH_BYTES];
  double score[VAL_DRAWN_AXES] = {0};
  lab_drape_prediction p = {
      .support_cm = d->support_cm, .specimen_cm = d->specimen_cm, .seeds = (int)d->seeds};
  cb_status st = d->scores ? read_scores(d->scores, score, &err) : CB_OK;
  if (st == CB_OK) st = make_cloth(&d->cloth, &p.cloth, &err);
  if (st != CB_OK) return cli_fail(use->command, st, &err);
  val_drape_many e = drapes_of(d, &p.cloth);
  e.score = d->scores ? score : NULL;
  if (d->seeds > 1) st = lab_drape_foresee(cli_share_path(CLI_DRAPE_TABLE, table), &e, &p, &err);
  if (st != CB_OK) return cli_fail(use->command, st, &err);
  if (!d->json) print_foreseen(&p.foreseen);
  e.stop = cb_signals_listen_once(use->stopping);
  e.told = show_progress;
  e.context = (void *)(uintptr_t)use->command;
  st = val_drape_many_run(&e, &p.predicted, &err);
  cli_progress_leave();
  int code = st == CB_OK || p.predicted.n > 0 ? use->show(use->context, &p) : CLI_DONE;
  if (st != CB_OK) code = tell_failure(use->command, &p, st, &err);
  val_drape_statistics_clear(&p.predicted);
  return code;
}
