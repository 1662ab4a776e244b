/* clothbench validate drape: drapes predicted from mechanical data, against those that were measured. */
#include <math.h>
#include <stdio.h>

#include "cli_kind.h"
#include "cli_verdict.h"
#include "cli_signals.h"
#include "report_drape.h"

/* The coarser mesh of the extrapolation then has 200, the least of any. */
#define VERTICES_TO_EXTRAPOLATE 450

/* As it was typed; NAN: not given. */
typedef struct typed_cloth {
  const char *name, *db; /* name NULL: numbers only */
  double areal_mass_g_m2, thickness_mm, stretch_N_per_m[2], shear_N_per_m, bend_Nm[2];
  double hysteresis_N[2];
  double u_mass_percent, u_stretch_percent, u_shear_percent, u_bend_percent, u_hysteresis_percent,
      u_onset_percent;
} typed_cloth;

typedef struct request {
  val_drape_many e;
  typed_cloth cloth;
  double specimen_cm, support_cm, seeds, seed, vertices, measured;
  const char *figure;
  bool json;
} request;

/* ---- the cloth ---- */

static bool given(double v) { return !isnan(v); }

/* What only a law would tell; NULL: nothing. */
static const char *missing(const typed_cloth *c) {
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

static cb_status check_pairs(const typed_cloth *c, cb_err *err) {
  const char *name = missing(c);
  if (name && !c->name) return cb_fail(err, CB_E_ARG, "--%s is wanted, or --cloth", name);
  if (given(c->bend_Nm[0]) != given(c->bend_Nm[1]))
    return cb_fail(err, CB_E_ARG, "--bend-warp-N-m and --bend-weft-N-m go together");
  if (given(c->hysteresis_N[0]) != given(c->hysteresis_N[1]))
    return cb_fail(err, CB_E_ARG, "--bend-hysteresis-warp-N and --bend-hysteresis-weft-N go together");
  return CB_OK;
}

static lab_drape_numbers numbers_of(const typed_cloth *c) {
  return (lab_drape_numbers){.areal_density_kg_per_m2 = 1e-3 * c->areal_mass_g_m2,
                             .thickness_m = 1e-3 * c->thickness_mm,
                             .stretch_N_per_m = {c->stretch_N_per_m[0], c->stretch_N_per_m[1]},
                             .shear_N_per_m = c->shear_N_per_m,
                             .bend_Nm = {c->bend_Nm[0], c->bend_Nm[1]},
                             .hysteresis_N = {c->hysteresis_N[0], c->hysteresis_N[1]},
                             .u_mass_rel = c->u_mass_percent / 100,
                             .u_stretch_rel = c->u_stretch_percent / 100,
                             .u_shear_rel = c->u_shear_percent / 100,
                             .u_bend_rel = c->u_bend_percent / 100,
                             .u_hysteresis_rel = c->u_hysteresis_percent / 100,
                             .u_onset_rel = c->u_onset_percent / 100};
}

static cb_status make_cloth(const typed_cloth *c, lab_drape_cloth *out, cb_err *err) {
  const lab_drape_numbers numbers = numbers_of(c);
  cb_store *s;
  CB_TRY(check_pairs(c, err));
  if (!c->name || !missing(c)) return lab_drape_cloth_make(NULL, c->name, &numbers, out, err);
  CB_TRY(cb_store_open(cli_db_path(c->db), CB_STORE_READ, &s, err));
  cb_status st = lab_drape_cloth_make(s, c->name, &numbers, out, err);
  (void)cb_store_close(s, NULL);
  return st;
}

/* ---- what was measured ---- */

static cb_status compare_stored(const request *q, lab_drape_prediction *p, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(cli_db_path(q->cloth.db), CB_STORE_READ, &s, err));
  cb_status st = lab_drape_compare_stored(s, q->cloth.name, p->cloth.origin, &q->e.one.size, &p->predicted,
                                          &p->measured, err);
  (void)cb_store_close(s, NULL);
  return st;
}

static cb_status keep(cb_store *s, void *verdict, cb_err *err) { return lab_drape_keep(s, verdict, err); }

static cb_status compare_measured(const request *q, lab_drape_prediction *p, cb_err *err) {
  if (p->cloth.from_drapes) {
    cli_say("validate",
            "the law of bending of '%s' was found from drapes: to compare with drapes would be no prediction",
            q->cloth.name);
    return CB_OK;
  }
  if (given(q->measured)) lab_drape_compare_number(q->measured, &p->predicted, &p->measured);
  return q->cloth.name && !given(q->measured) ? compare_stored(q, p, err) : CB_OK;
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
  printf("bending friction from %s: 2HB = %.3g and %.3g mN, +- %.0f %%\n",
         c->hysteresis_from == LAB_HYSTERESIS_RELATION ? "a relation of other fabrics (docs/bending.md)"
                                                       : lab_hysteresis_from_names[c->hysteresis_from],
         2e3 * c->material.bending_friction_N[0], 2e3 * c->material.bending_friction_N[1],
         100 * c->doubt.friction);
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
  const double most = p->predicted.each[0].stretch_most_N_per_m,
               stretch[2] = {lab_first_slope(&p->cloth.material.warp),
                             lab_first_slope(&p->cloth.material.weft)};
  if (p->predicted.mesh_shift != 0)
    printf("of the coefficient's mean %+.4f +- %.4f is what these meshes lack\n", p->predicted.mesh_shift,
           p->predicted.u_mesh_shift);
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

static void print_head(const request *q, const lab_drape_prediction *p) {
  const sim_material *m = &p->cloth.material;
  printf(
      "drape of %s (%.4g g/m2, bending %.3g and %.3g uN m, shear %.3g N/m), %g cm on %g cm: %d drapes of "
      "about %g "
      "vertices\n\n",
      q->cloth.name ? q->cloth.name : "a cloth", 1e3 * m->areal_density_kg_per_m2, 1e6 * m->bending_Nm[0][0],
      1e6 * m->bending_Nm[1][1], lab_first_slope(&m->shear) / 2, q->specimen_cm, q->support_cm,
      p->predicted.n, q->vertices);
}

static void print_text(const request *q, const lab_drape_prediction *p) {
  const val_drape_statistics *s = &p->predicted;
  const lab_drape_measured *m = &p->measured;
  print_head(q, p);
  printf("%-20s %10s %10s %22s %10s\n", "", "mean", "sd", "95 % of drapes", m->n ? "measured" : "");
  print_spread("drape coefficient", &s->drape_coefficient, 1, m->n ? m->mean : NAN);
  print_spread("nodes", &s->nodes, 1, m->n ? m->nodes : NAN);
  print_spread("amplitude mm", &s->amplitude_m, 1e3, NAN);
  printf("\n%d of %d settled (%.1f s)\n", s->settled, s->n, s->seconds);
  if (m->n > 0)
    printf("measured: %d, of which %d within the band; predicted - measured = %+.4f, allowed %.4f\n", m->n,
           m->inside, m->difference, m->allowed);
  print_remarks(p);
  const char *verdict = lab_drape_verdict(p);
  if (p->validation_id > 0) printf("kept as validation %lld\n", (long long)p->validation_id);
  printf("verdict: %s\n", verdict           ? verdict
                          : s->n < p->seeds ? "none (not all drapes were made)"
                                            : "none (nothing measured to compare with)");
}

static int show_prediction(const request *q, lab_drape_prediction *p) {
  cb_err err = {""};
  bool all = p->predicted.n == p->seeds; /* a part of them is shown, and compared with nothing */
  cb_status st = all ? compare_measured(q, p, &err) : CB_OK;
  if (st == CB_OK && p->measured.n > 0 && !given(q->measured))
    st = cli_verdict_keep(cli_db_path(q->cloth.db), keep, p, &err);
  if (st == CB_OK && q->figure) st = report_drape_draw(q->figure, p, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!q->json)
    print_text(q, p);
  else if (cli_print_json("validate", lab_drape_prediction_json(p)) != CLI_DONE)
    return CLI_FAILED;
  const char *verdict = lab_drape_verdict(p);
  return verdict && verdict[0] == 'f' ? CLI_NEGATIVE : CLI_DONE;
}

static int tell_failure(const lab_drape_prediction *p, cb_status st, const cb_err *err) {
  (void)fflush(stdout);
  if (p->predicted.n > 0)
    cli_say("validate", "%d of %d drapes were made and are shown", p->predicted.n, p->seeds);
  return cli_fail("validate", st, err);
}

/* ---- options ---- */

static int predict(request *q, lab_drape_prediction *p) {
  cb_err err = {""};
  q->e.one.material = p->cloth.material;
  q->e.doubt = p->cloth.doubt;
  q->e.stop = cli_signals_listen_once(
      "clothbench validate: stops after the drapes under way; once more ends it there and then\n");
  cb_status st = val_drape_many_run(&q->e, &p->predicted, &err);
  int code = st == CB_OK || p->predicted.n > 0 ? show_prediction(q, p) : CLI_DONE;
  if (st != CB_OK) code = tell_failure(p, st, &err);
  val_drape_statistics_clear(&p->predicted);
  return code;
}

static int run_drapes(request *q) {
  q->e.one.size = (fit_drape_setup){.support_m = q->support_cm / 100, .specimen_m = q->specimen_cm / 100};
  q->e.one.vertices = (int)q->vertices;
  q->e.one.also_coarser = q->vertices >= VERTICES_TO_EXTRAPOLATE;
  q->e.one.seed = (uint64_t)q->seed;
  q->e.seeds = (int)q->seeds;
  cb_err err = {""};
  lab_drape_prediction p = {.support_cm = q->support_cm, .specimen_cm = q->specimen_cm, .seeds = q->e.seeds};
  cb_status st = make_cloth(&q->cloth, &p.cloth, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if ((given(q->measured) || q->cloth.name) && q->e.seeds < 2) {
    cli_say("validate", "--seeds 1: a comparison with what was measured wants 2 or more");
    return CLI_USAGE;
  }
  return predict(q, &p);
}

#define CLOTH_DEFAULT                                                                                       \
  {                                                                                                         \
    .areal_mass_g_m2 = NAN, .thickness_mm = NAN, .stretch_N_per_m = {NAN, NAN}, .shear_N_per_m = NAN,       \
    .bend_Nm = {NAN, NAN}, .hysteresis_N = {NAN, NAN}, .u_hysteresis_percent = NAN, .u_onset_percent = NAN, \
    .u_mass_percent = NAN, .u_stretch_percent = NAN, .u_shear_percent = NAN, .u_bend_percent = NAN          \
  }
#define NUMBER(option, field, low, high, words) \
  { .name = option, .kind = CLI_NUMBER, .value = &(field), .min = low, .max = high, .help = words }
#define CLOTH_OPTIONS(c)                                                                                   \
  NUMBER("areal-mass-g-m2", (c).areal_mass_g_m2, 0.1, 1e5, "areal mass"),                                  \
      NUMBER("thickness-mm", (c).thickness_mm, 0, 100, "thickness"),                                       \
      NUMBER("stretch-warp-N-m", (c).stretch_N_per_m[0], 1e-3, 1e9,                                        \
             "force per width / strain along the warp"),                                                   \
      NUMBER("stretch-weft-N-m", (c).stretch_N_per_m[1], 1e-3, 1e9, "along the weft"),                     \
      NUMBER("shear-N-m", (c).shear_N_per_m, 1e-6, 1e9, "shear force per width / shear angle in radians"), \
      NUMBER("bend-warp-N-m", (c).bend_Nm[0], 1e-12, 1e3, "bending rigidity per width along the warp"),    \
      NUMBER("bend-weft-N-m", (c).bend_Nm[1], 1e-12, 1e3, "along the weft"),                               \
      NUMBER("bend-hysteresis-warp-N", (c).hysteresis_N[0], 0, 1e3,                                        \
             "2HB, width of the moment's hysteresis; 0: none"),                                            \
      NUMBER("bend-hysteresis-weft-N", (c).hysteresis_N[1], 0, 1e3,                                        \
             "along the weft; else the law's, or a relation"),                                             \
      NUMBER("u-mass-percent", (c).u_mass_percent, 0, 100, "its relative standard uncertainty; else 1"),   \
      NUMBER("u-stretch-percent", (c).u_stretch_percent, 0, 100, "that of stretch; else 10"),              \
      NUMBER("u-shear-percent", (c).u_shear_percent, 0, 100, "that of shear; else 10"),                    \
      NUMBER("u-bend-percent", (c).u_bend_percent, 0, 100, "that of bending; else the law's, or 10"),      \
      NUMBER("u-hysteresis-percent", (c).u_hysteresis_percent, 0, 100,                                     \
             "that of 2HB; else the law's, the relation's, or 10"),                                        \
      NUMBER("u-onset-percent", (c).u_onset_percent, 0, 100,                                               \
             "that of the curvature over which friction comes; else 40"),                                  \
      {.name = "cloth",                                                                                    \
       .kind = CLI_TEXT,                                                                                   \
       .value = &(c).name,                                                                                 \
       .help = "instead: a cloth's laws, and its measured drapes"},                                        \
  {                                                                                                        \
    .name = "db", .kind = CLI_TEXT, .value = &(c).db, .help = "the database file"                          \
  }
#define CLOTH_USAGE                                                                                \
  "--areal-mass-g-m2 W --stretch-warp-N-m K --stretch-weft-N-m K --shear-N-m G --bend-warp-N-m B " \
  "--bend-weft-N-m B | --cloth NAME "                                                              \
  "[--db FILE]"

int cli_validate_drape(int argc, char **argv) {
  request q = {.e = {.one = val_drape_default()},
               .cloth = CLOTH_DEFAULT,
               .specimen_cm = 30,
               .support_cm = 18,
               .seeds = 10,
               .seed = 1,
               .vertices = val_drape_default().vertices,
               .measured = NAN};
  const cli_opt opts[] = {
      CLOTH_OPTIONS(q.cloth),
      {"specimen-cm", CLI_NUMBER, &q.specimen_cm, "diameter; else 30", .min = 1, .max = 200},
      {"support-cm", CLI_NUMBER, &q.support_cm, "diameter; else 18", .min = 1, .max = 200},
      {"seeds", CLI_NUMBER, &q.seeds, "drapes; else 10", .min = 1, .max = 100000},
      {"seed", CLI_NUMBER, &q.seed, "the first; else 1", .min = 0, .max = 1e9},
      {"vertices", CLI_NUMBER, &q.vertices, "of a drape, about; else 10000", .min = 200, .max = 1e6},
      {"measured", CLI_NUMBER, &q.measured, "a coefficient to compare with", .min = 0, .max = 1},
      {"figure", CLI_OUT_FILE, &q.figure, "draw the outlines: FILE.png or FILE.svg"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "validate drape " CLOTH_USAGE
                       " [--seeds K] [--vertices N] [--measured DC] [--figure FILE] [...] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  return stop >= 0 ? stop : run_drapes(&q);
}
