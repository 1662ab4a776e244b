/* What engines call stiffness, as their sources have it, for cells of edge h that are cut into triangles. w:
 * areal density, K: stretch, B: bending, G: shear.
 *
 * MuJoCo 4.0, flex with elastic2d: a plate of Young's modulus E, thickness t and Poisson's ratio 0 has
 * K = E t and B = E t^3 / 12.
 *
 * Newton 1.8, SolverVBD: a membrane by Lame's mu (tri_ke) and lambda (tri_ka); with lambda = 0, K = 2 mu. A
 * hinge has the energy k L angle^2 / 2; hinges a distance h apart bend as B = k h.
 *
 * PyBullet 3.2.7, loadSoftBody with useMassSpring: every edge is a spring of k [N/m], whatever its length.
 * The grid and one diagonal a cell have C11 = 3 k / 2 and C12 = k / 2, so K = 4 k / 3. Springs across two
 * triangles resist no bending of a flat sheet.
 *
 * ppf-contact-solver (2026), Baraff-Witkin: K = w mu and G = w lambda, where mu and lambda are those of
 * Young's modulus and Poisson's ratio in three dimensions. A hinge of length e between triangles of area A
 * has k = 1.28e-5 bend w e^2 / A, and e^2 = A in such cells.
 *
 * All but ppf's have one number for stretch and shear: G is K / 2 (PyBullet: 3 K / 8). */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_draft.h"
#include "cb_json.h"
#include "cb_text.h"
#include "exch_cloth_impl.h"
#include "exch_json.h"

#define PPF_BEND_SCALE 1.28e-5
#define MUJOCO_SHEET_M 0.2

/* Without a proof: by definition, for these edges. */
static const exch_passport by_definition = {
    .n = 2, .at = {{0.005, 1, 1, 1, 1, NAN, NAN, NAN}, {0.01, 1, 1, 1, 1, NAN, NAN, NAN}}};

/* A cloth that an engine takes, on one mesh. NAN: not known. */
typedef struct sheet {
  double edge_m, areal_density_kg_per_m2, stretch_N_per_m, bending_N_m, friction;
} sheet;

static sheet sheet_of(const exch_cloth *s, const exch_passport *p, int i) {
  return (sheet){p->at[i].edge_m, s->areal_density_kg_per_m2.value,
                 exch_mean(s->stretch_warp_N_per_m, s->stretch_weft_N_per_m) * p->at[i].stretch,
                 exch_mean(s->bending_warp_N_m, s->bending_weft_N_m) * p->at[i].bending,
                 s->friction.value * p->at[i].friction};
}

/* ---- what a file says of itself ---- */

static json_t *line(const char *text) {
  char shown[4 * sizeof((exch_cloth *)0)->basis];
  return json_string(cb_text_show(text, shown, sizeof shown));
}

/* Warp over the mean less 1. */
static double apart(exch_value warp, exch_value weft) {
  return warp.value / ((warp.value + weft.value) / 2) - 1;
}

static json_t *lost_json(const exch_cloth *s) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "stretch_of_warp_over_mean_less_1",
                   cb_json_real(apart(s->stretch_warp_N_per_m, s->stretch_weft_N_per_m)),
                   "bending_of_warp_over_mean_less_1",
                   cb_json_real(apart(s->bending_warp_N_m, s->bending_weft_N_m)), "shear_N_per_m",
                   cb_json_real(s->shear_N_per_m.value), "friction_least", cb_json_real(s->friction_least),
                   "friction_most", cb_json_real(s->friction_most), "friction_static_over_kinetic",
                   cb_json_real(s->static_over_kinetic));
}

typedef json_t *arguments(const sheet *x);

static json_t *mesh_json(const sheet *x, const exch_passport *p, int i, const char *call, arguments *of) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "edge_m", cb_json_real(x->edge_m), call, of(x),
                   "friction", cb_json_real(x->friction), "cantilever_off",
                   cb_json_real(p->at[i].cantilever_off), "strip_off", cb_json_real(p->at[i].strip_off),
                   "friction_off", cb_json_real(p->at[i].friction_off));
}

static json_t *meshes_json(const exch_cloth *s, const exch_passport *p, const char *call, arguments *of) {
  json_t *list = json_array();
  for (int i = 0; list && i < p->n; i++) {
    const sheet x = sheet_of(s, p, i);
    (void)json_array_append_new(list, mesh_json(&x, p, i, call, of));
  }
  return list;
}

static cb_status write_json(const exch_cloth *s, const exch_passport *proved, const char *format,
                            const char *call, arguments *of, char **text, cb_err *err) {
  const exch_passport *p = proved ? proved : &by_definition;
  return exch_json_dump(
      json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "format", format, "version", 1, "cloth",
                line(s->name), "basis", line(s->basis), "friction_with", line(s->friction_with), "proved_in",
                proved ? line(p->engine) : json_null(), "proved_on", proved ? line(p->date) : json_null(),
                "lost", lost_json(s), "meshes", meshes_json(s, p, call, of)),
      text, err);
}

/* ---- Newton and PyBullet: arguments ---- */

static json_t *newton(const sheet *x) {
  return json_pack("{s:o, s:o, s:f, s:f, s:o, s:f}", "density", cb_json_real(x->areal_density_kg_per_m2),
                   "tri_ke", cb_json_real(x->stretch_N_per_m / 2), "tri_ka", 0.0, "tri_kd", 0.0, "edge_ke",
                   cb_json_real(x->bending_N_m / x->edge_m), "edge_kd", 0.0);
}

static json_t *pybullet(const sheet *x) {
  return json_pack("{s:o, s:o, s:o, s:i, s:i, s:i}", "mass_per_area",
                   cb_json_real(x->areal_density_kg_per_m2), "springElasticStiffness",
                   cb_json_real(3 * x->stretch_N_per_m / 4), "frictionCoeff", cb_json_real(x->friction),
                   "useMassSpring", 1, "useBendingSprings", 0, "useNeoHookean", 0);
}

cb_status exch_newton_write(const exch_cloth *s, const exch_passport *p, char **text, cb_err *err) {
  return write_json(s, p, "clothbench-newton", "add_cloth_mesh", newton, text, err);
}

cb_status exch_pybullet_write(const exch_cloth *s, const exch_passport *p, char **text, cb_err *err) {
  return write_json(s, p, "clothbench-pybullet", "loadSoftBody", pybullet, text, err);
}

/* ---- MuJoCo: a sheet of 200 mm of the finest mesh ---- */

/* The text of an XML attribute in double quotes. */
static void put_attribute(FILE *f, const char *text) {
  for (; *text; text++) switch (*text) {
      case '&': fputs("&amp;", f); break;
      case '<': fputs("&lt;", f); break;
      case '"': fputs("&quot;", f); break;
      default: fputc(*text, f);
    }
}

static void put_words(FILE *f, const char *name, const char *text) {
  char shown[4 * sizeof((exch_cloth *)0)->basis];
  fprintf(f, "    <text name=\"%s\" data=\"", name);
  put_attribute(f, cb_text_show(text[0] ? text : "none", shown, sizeof shown));
  fputs("\"/>\n", f);
}

/* Of a plate with Poisson's ratio 0. */
static double thickness_m(const sheet *x) { return sqrt(12 * x->bending_N_m / x->stretch_N_per_m); }
static double young_Pa(const sheet *x) { return x->stretch_N_per_m / thickness_m(x); }
static double known_friction(const sheet *x) { return isnan(x->friction) ? 0 : x->friction; }

static void put_meshes(FILE *f, const exch_cloth *s, const exch_passport *p) {
  fputs(
      "    <!-- edge [m], young [Pa], thickness [m], friction; what remained of cantilever and of strip "
      "-->\n",
      f);
  for (int i = 0; i < p->n; i++) {
    const sheet x = sheet_of(s, p, i);
    fprintf(f, "    <numeric name=\"edge_%.3g_mm\" data=\"%.6g %.6g %.6g %.4g", 1e3 * x.edge_m, x.edge_m,
            young_Pa(&x), thickness_m(&x), known_friction(&x));
    if (!isnan(p->at[i].cantilever_off) && !isnan(p->at[i].strip_off))
      fprintf(f, " %.3g %.3g", p->at[i].cantilever_off, p->at[i].strip_off);
    fputs("\"/>\n", f);
  }
}

/* The options are those that MuJoCo's documentation recommends for flexes. */
static void put_sheet(FILE *f, const sheet *x) {
  const int cells = (int)lround(MUJOCO_SHEET_M / x->edge_m);
  const double mass = x->areal_density_kg_per_m2 * cells * cells * x->edge_m * x->edge_m;
  fputs(
      "  <option timestep=\"0.001\" integrator=\"discrete\" cone=\"elliptic\" impratio=\"10\"/>\n  "
      "<worldbody>\n",
      f);
  fprintf(f,
          "    <flexcomp name=\"cloth\" type=\"grid\" dim=\"2\" count=\"%d %d 1\" spacing=\"%.6g %.6g %.6g\" "
          "mass=\"%.6g\" radius=\"0.0005\">\n"
          "      <contact selfcollide=\"none\" condim=\"3\" friction=\"%.4g 0 0\" solref=\"0.005 1\"/>\n"
          "      <elasticity young=\"%.6g\" poisson=\"0\" thickness=\"%.6g\" elastic2d=\"both\"/>\n"
          "    </flexcomp>\n  </worldbody>\n",
          cells + 1, cells + 1, x->edge_m, x->edge_m, x->edge_m, mass, known_friction(x), young_Pa(x),
          thickness_m(x));
}

static cb_status want(const exch_cloth *s, double value, const char *what, const char *engine, cb_err *err) {
  return value > 0 ? CB_OK
                   : cb_fail(err, CB_E_NOTFOUND, "the %s of '%s' is not known, which %s wants", what, s->name,
                             engine);
}

static cb_status want_sheet(const exch_cloth *s, const sheet *x, const char *engine, cb_err *err) {
  CB_TRY(want(s, x->areal_density_kg_per_m2, "areal density", engine, err));
  CB_TRY(want(s, x->stretch_N_per_m, "stretch", engine, err));
  return want(s, x->bending_N_m, "bending", engine, err);
}

cb_status exch_mujoco_write(const exch_cloth *s, const exch_passport *proved, char **text, cb_err *err) {
  const exch_passport *p = proved ? proved : &by_definition;
  const sheet finest = sheet_of(s, p, 0);
  char words[100] = "not proved: by definition only";
  cb_draft t;
  CB_TRY(want_sheet(s, &finest, "MuJoCo", err));
  CB_TRY(cb_draft_begin(&t, err));
  if (proved) (void)snprintf(words, sizeof words, "%s, %s", p->engine, p->date);
  fputs("<mujoco model=\"cloth\">\n  <custom>\n", t.to);
  put_words(t.to, "cloth", s->name);
  put_words(t.to, "basis", s->basis);
  put_words(t.to, "friction_with",
            isnan(s->friction.value) ? "not known: 0 stands for it" : s->friction_with);
  put_words(t.to, "proved_in", words);
  put_meshes(t.to, s, p);
  fputs("  </custom>\n", t.to);
  put_sheet(t.to, &finest);
  fputs("</mujoco>\n", t.to);
  return cb_draft_end(&t, CB_OK, text, err);
}

/* ---- ppf-contact-solver ---- */

/* A string of TOML: what JSON escapes, TOML reads. */
static void put_toml(FILE *f, const char *before, const char *text, const char *after) {
  json_t *shown = line(text);
  char *quoted = shown ? json_dumps(shown, JSON_ENCODE_ANY) : NULL;
  fprintf(f, "%s%s%s", before, quoted ? quoted : "\"\"", after);
  free(quoted);
  json_decref(shown);
}

cb_status exch_ppf_write(const exch_cloth *s, const exch_passport *proved, char **text, cb_err *err) {
  (void)proved; /* it has no driver */
  const sheet x = sheet_of(s, &by_definition, 0);
  const double shear = s->shear_N_per_m.value, ratio = isnan(shear) ? 0.5 : shear / x.stretch_N_per_m;
  const double poisson = ratio / (2 * (1 + ratio)), w = x.areal_density_kg_per_m2;
  cb_draft t;
  CB_TRY(want_sheet(s, &x, "ppf-contact-solver", err));
  CB_TRY(cb_draft_begin(&t, err));
  fputs("# A material of ppf-contact-solver, by definition only: it was not played there.\n", t.to);
  put_toml(t.to, "[", s->name, "]\n");
  put_toml(t.to, "description = ", s->basis, "\n");
  if (isnan(shear)) fputs("# shear is not known: half of the stretch stands for it\n", t.to);
  fprintf(t.to,
          "object_type = \"SHELL\"\nshell_model = \"BARAFF_WITKIN\"\nshell_density = "
          "%.6g\nshell_young_modulus = %.6g\n"
          "young_mod_density_normalized = true\nshell_poisson_ratio = %.6g\nbend = %.6g\n",
          w, 2 * (1 + poisson) * x.stretch_N_per_m / w, poisson, x.bending_N_m / (PPF_BEND_SCALE * w));
  if (!isnan(x.friction)) fprintf(t.to, "friction = %.4g\n", x.friction);
  fputs("enable_strain_limit = false\n", t.to);
  return cb_draft_end(&t, CB_OK, text, err);
}
