#include "cli_drape_cloth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_law_json.h"
#include "cli_cloth_laws.h"
#include "lab_drape.h"

/* Nobody measures the onset: below the window of 0.5 to 1.5 1/cm over which KES-FB2 finds moments straight, nine times of ten. */
#define U_ONSET 0.7

static bool given(double v) { return !isnan(v); }

static double or_else(double percent, double other) { return given(percent) ? percent / 100 : other; }

/* ---- from laws ---- */

static cb_status read_stretch(cb_store *s, cli_drape_cloth *c, cb_err *err) {
  sim_curve *const curves[] = {&c->material.warp, &c->material.weft, &c->material.shear};
  const double numbers[] = {c->stretch_N_per_m[0], c->stretch_N_per_m[1], c->shear_N_per_m};
  cb_stretch_law law = {.id = 0};
  bool loaded = false;
  for (int k = 0; k < 3; k++) {
    if (given(numbers[k])) continue;
    if (!loaded) CB_TRY(cb_store_stretch(s, c->name, &law, NULL, err));
    loaded = true;
    CB_TRY(cli_cloth_curve(&law, (cb_stretch_axis)k, curves[k], err));
  }
  return CB_OK;
}

/* Half of it, either way. */
static void friction_is(cli_drape_cloth *c, const double width_N[2], const char *from, double u) {
  for (int k = 0; k < 2; k++) c->material.bending_friction_N[k] = width_N[k] / 2;
  c->hysteresis_from = from;
  c->doubt.friction = or_else(c->u_hysteresis_percent, u);
  c->material.bending_friction_onset_per_m = SIM_BENDING_FRICTION_ONSET_PER_M;
  c->doubt.onset = or_else(c->u_onset_percent, U_ONSET);
}

static void friction_of_law(const cb_bending_law *law, cli_drape_cloth *c) {
  double u = 0;
  for (int k = 0; k < 2; k++)
    if (law->width_N[k] > 0) u = fmax(u, isfinite(law->u_width_N[k]) ? law->u_width_N[k] / law->width_N[k] : 0.1);
  friction_is(c, law->width_N, "law", u);
}

static cb_status read_bending(cb_store *s, cli_drape_cloth *c, cb_err *err) {
  if (given(c->bend_Nm[0]) && given(c->bend_Nm[1])) return CB_OK;
  cb_bending_law law;
  cb_material_law row;
  CB_TRY(cb_store_bending(s, c->name, &law, &row, err));
  c->from_drapes = strncmp(row.method, LAB_DRAPE_METHOD, strlen(LAB_DRAPE_METHOD)) == 0;
  free(row.result_json);
  cb_bending_shell(&law, c->material.bending_Nm);
  for (int k = 0; k < 2; k++) {
    cb_bending_value v;
    cb_bending_eval(&law, k * CB_PI / 2, NAN, &v);
    c->doubt.bending[k] = or_else(c->u_bend_percent, isfinite(v.u_B_Nm) ? v.u_B_Nm / v.B_Nm : 0.1);
  }
  if (law.form != CB_BENDING_TABLE && law.width_N[0] >= 0 && law.width_N[1] >= 0) friction_of_law(&law, c);
  return CB_OK;
}

static cb_status read_laws(cli_drape_cloth *c, cb_err *err) {
  cb_store *s;
  cb_material m;
  CB_TRY(cb_store_open(cli_db_path(c->db), CB_STORE_READ, &s, err));
  cb_status st = cli_cloth_facts(s, c->name, &m, err);
  if (st == CB_OK && !given(c->areal_mass_g_m2)) {
    if (m.areal_density_kg_per_m2 > 0)
      c->material.areal_density_kg_per_m2 = m.areal_density_kg_per_m2;
    else
      st = cb_fail(err, CB_E_NOTFOUND, "%s: its areal mass is not known: --areal-mass-g-m2 is wanted", c->name);
  }
  if (st == CB_OK && !given(c->thickness_mm)) c->material.thickness_m = m.thickness_m;
  if (st == CB_OK) st = read_stretch(s, c, err);
  if (st == CB_OK) st = read_bending(s, c, err);
  (void)cb_store_close(s, NULL);
  return st;
}

/* ---- from numbers ---- */

/* Two rigidities and no third: Peirce's form between them. */
static void bend_as_typed(cli_drape_cloth *c) {
  cb_bending_law law = {.form = CB_BENDING_PEIRCE,
                        .B_Nm = {c->bend_Nm[0], sqrt(c->bend_Nm[0] * c->bend_Nm[1]), c->bend_Nm[1]},
                        .dof = INFINITY,
                        .curvature_per_m = 100, /* KES: 50 to 150 */
                        .curvature_min_per_m = 100,
                        .curvature_max_per_m = 100,
                        .width_N = {NAN, NAN}};
  cb_bending_shell(&law, c->material.bending_Nm);
  for (int k = 0; k < 2; k++) c->doubt.bending[k] = or_else(c->u_bend_percent, 0.1);
}

/* What other fabrics have, in proportion to the rigidity. */
static void friction_as_elsewhere(cli_drape_cloth *c) {
  cb_bending_hysteresis h = cb_bending_hysteresis_relation();
  const double width_N[2] = {h.width_over_B_per_m * c->material.bending_Nm[0][0], h.width_over_B_per_m * c->material.bending_Nm[1][1]};
  friction_is(c, width_N, "relation", h.u_ln);
  c->doubt.friction_follows_bending = true;
}

static void take_numbers(cli_drape_cloth *c) {
  if (given(c->areal_mass_g_m2)) c->material.areal_density_kg_per_m2 = 1e-3 * c->areal_mass_g_m2;
  if (given(c->thickness_mm)) c->material.thickness_m = 1e-3 * c->thickness_mm;
  if (given(c->stretch_N_per_m[0])) c->material.warp = sim_curve_linear(c->stretch_N_per_m[0]);
  if (given(c->stretch_N_per_m[1])) c->material.weft = sim_curve_linear(c->stretch_N_per_m[1]);
  if (given(c->shear_N_per_m)) c->material.shear = sim_curve_linear(2 * c->shear_N_per_m); /* angle = 2 E_uv */
  if (given(c->bend_Nm[0]) && given(c->bend_Nm[1])) bend_as_typed(c);
  if (given(c->hysteresis_N[0]) && given(c->hysteresis_N[1])) friction_is(c, c->hysteresis_N, "numbers", 0.1);
  if (c->hysteresis_from == NULL) friction_as_elsewhere(c);
}

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

cb_status cli_drape_cloth_read(cli_drape_cloth *c, cb_err *err) {
  const char *name = missing(c);
  if (name && !c->name) return cb_fail(err, CB_E_ARG, "--%s is wanted, or --cloth", name);
  if (given(c->bend_Nm[0]) != given(c->bend_Nm[1])) return cb_fail(err, CB_E_ARG, "--bend-warp-N-m and --bend-weft-N-m go together");
  if (given(c->hysteresis_N[0]) != given(c->hysteresis_N[1]))
    return cb_fail(err, CB_E_ARG, "--bend-hysteresis-warp-N and --bend-hysteresis-weft-N go together");
  c->doubt.mass = or_else(c->u_mass_percent, 0.01);
  c->doubt.shear = or_else(c->u_shear_percent, 0.1);
  c->doubt.stretch = or_else(c->u_stretch_percent, 0.1);
  if (c->name && name) CB_TRY(read_laws(c, err));
  take_numbers(c);
  return sim_material_check(&c->material, err);
}

cb_status cli_drape_cloth_measured(const cli_drape_cloth *c, cb_drape_test **list, size_t *n, cb_err *err) {
  cb_store *s;
  cb_material m;
  *list = NULL;
  *n = 0;
  CB_TRY(cb_store_open(cli_db_path(c->db), CB_STORE_READ, &s, err));
  cb_status st = cb_store_material_find(s, CB_CLOTH, c->name, &m, err);
  if (st == CB_OK) st = cb_store_drapes(s, m.id, list, n, err);
  (void)cb_store_close(s, NULL);
  return st;
}

/* ---- what is shown ---- */

double cli_first_slope(const sim_curve *c) { return c->stress_N_per_m[1] / c->strain[1]; }

json_t *cli_drape_cloth_json(const cli_drape_cloth *c) {
  const sim_material *m = &c->material;
  return json_pack("{s:s?, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:f, s:f}", "name", c->name,
                   "areal_mass_g_m2", 1e3 * m->areal_density_kg_per_m2, "thickness_mm", 1e3 * m->thickness_m, "stretch_warp_N_m",
                   cli_first_slope(&m->warp), "stretch_weft_N_m", cli_first_slope(&m->weft), "shear_N_m", cli_first_slope(&m->shear) / 2,
                   "bend_warp_N_m", m->bending_Nm[0][0], "bend_weft_N_m", m->bending_Nm[1][1], "u_mass_rel", c->doubt.mass, "u_stretch_rel",
                   c->doubt.stretch, "u_shear_rel", c->doubt.shear, "u_bend_warp_rel", c->doubt.bending[0], "u_bend_weft_rel",
                   c->doubt.bending[1], "bend_hysteresis_warp_N", 2 * m->bending_friction_N[0], "bend_hysteresis_weft_N",
                   2 * m->bending_friction_N[1], "u_bend_hysteresis_rel", c->doubt.friction, "bend_hysteresis_from", c->hysteresis_from,
                   "bend_hysteresis_onset_per_m", m->bending_friction_onset_per_m, "u_bend_hysteresis_onset_rel", c->doubt.onset);
}

void cli_drape_cloth_words(const cli_drape_cloth *c, char *out, size_t size) {
  const sim_material *m = &c->material;
  (void)snprintf(out, size, "%s (%.4g g/m2, bending %.3g and %.3g uN m, shear %.3g N/m)", c->name ? c->name : "a cloth",
                 1e3 * m->areal_density_kg_per_m2, 1e6 * m->bending_Nm[0][0], 1e6 * m->bending_Nm[1][1], cli_first_slope(&m->shear) / 2);
}
