/* Air through one cloth or several in series. */
#include <math.h>
#include <string.h>

#include "cb_store_material_test.h"
#include "cb_json.h"
#include "cb_law_json.h"
#include "cb_num.h"
#include "lab_permeability.h"

static cb_status check_origin(const lab_layers *k, const cb_permeability_law *law, cb_err *err) {
  if (k->n == 0 || cb_origin_is_real(law->origin) == cb_origin_is_real(k->law[0].origin)) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "'%s' is %s, '%s' is %s: real and virtual cloths do not mix",
                 k->law[0].material, cb_origin_names[k->law[0].origin], law->material,
                 cb_origin_names[law->origin]);
}

static cb_status add_layers(cb_store *s, const char *cloth, int layers, lab_layers *out, cb_err *err) {
  for (size_t i = 0; i < out->n; i++)
    if (strcmp(out->law[i].material, cloth) == 0) {
      out->layers[i] += layers;
      return CB_OK;
    }
  if (out->n == LAB_LAYERS_MAX)
    return cb_fail(err, CB_E_RANGE, "'%s': at most %d cloths are allowed", cloth, LAB_LAYERS_MAX);
  CB_TRY(cb_store_law_of(s, CB_LAW_PERMEABILITY, cloth, &out->law[out->n], NULL, err));
  CB_TRY(check_origin(out, &out->law[out->n], err));
  out->layers[out->n++] = layers;
  return CB_OK;
}

static cb_status read_word(const char *word, char name[64], int *layers, cb_err *err) {
  const char *star = strrchr(word, '*');
  size_t length = star ? (size_t)(star - word) : strlen(word);
  long long n = 1;
  if (star) CB_TRY(cb_parse_int(star + 1, word, &n, err));
  if (n < 1 || n > 1000 || length == 0 || length >= 64)
    return cb_fail(err, CB_E_ARG,
                   "'%s': the name of a cloth, or NAME*LAYERS with 1 to 1000 layers, was wanted", word);
  memcpy(name, word, length);
  name[length] = '\0';
  *layers = (int)n;
  return CB_OK;
}

cb_status lab_layers_add_word(cb_store *s, const char *word, lab_layers *out, cb_err *err) {
  char name[64];
  int layers;
  CB_TRY(read_word(word, name, &layers, err));
  return add_layers(s, name, layers, out, err);
}

/* Contact of layers. A layer's yarns lie over the next one's pores, which narrows them and turns the flow:
 * each layer but one has a greater resistance, by 0 to 30 % (rectangular). The two stacks that Rogak et al.
 * 2021 measured with their parts have 30 % (2 layers) and 18 % (10 layers); docs/method/air-layers.md. */
#define CONTACT 0.15
#define U_CONTACT (0.15 / 1.7320508075688772)

/* The part of all layers that has a contact. */
static double contact_share(const lab_layers *layers) {
  double n = 0;
  for (size_t i = 0; i < layers->n; i++) n += layers->layers[i];
  return (n - 1) / n;
}

/* Pressure over that of the layers without contact. */
static double contact_factor(double share) { return 1 + CONTACT * share; }

/* Joins an uncertainty without degrees of freedom of its own (Welch and Satterthwaite). */
static void join_uncertainty(double u_more, double *u, double *dof) {
  const double joined = hypot(*u, u_more);
  if (*u > 0) *dof *= pow(joined / *u, 4);
  *u = joined;
}

/* A measured pair has told of the contact of a pair. */
static void add_contact(double share, bool paired, cb_permeability_value *v) {
  const double u_ln = v->exponent * U_CONTACT * fabs(share - (paired ? 0.5 : 0)) / contact_factor(share);
  v->pressure_Pa *= contact_factor(share);
  join_uncertainty(u_ln, &v->u_ln_velocity, &v->dof);
  join_uncertainty(u_ln, &v->u_ln_velocity_piece, &v->dof_piece);
}

lab_air_answer lab_air_predict(const lab_layers *layers, const lab_air_question *q) {
  cb_permeability_layer stack[LAB_LAYERS_MAX];
  lab_air_answer a;
  for (size_t i = 0; i < layers->n; i++)
    stack[i] = (cb_permeability_layer){&layers->law[i], layers->layers[i]};
  const double share = contact_share(layers);
  if (isnan(q->velocity_m_per_s))
    cb_permeability_at_pressure(stack, layers->n, q->pressure_Pa / contact_factor(share), &a.v);
  else
    cb_permeability_at_velocity(stack, layers->n, q->velocity_m_per_s, &a.v);
  add_contact(share, layers->paired, &a.v);
  a.velocity_factor = cb_permeability_factor(a.v.u_ln_velocity, a.v.dof);
  a.piece_factor = cb_permeability_factor(a.v.u_ln_velocity_piece, a.v.dof_piece);
  a.pressure_factor = pow(a.velocity_factor, 1 / a.v.exponent);
  a.darcy =
      cb_permeability_darcy_m2(a.v.velocity_m_per_s, a.v.pressure_Pa, q->thickness_m, q->temperature_degC) /
      CB_DARCY_M2;
  return a;
}

/* ---- the document ---- */

static double in_unit(double si, const char *unit) { return si / cb_unit_find(unit)->to_si; }

static json_t *units_json(const lab_air_answer *a) {
  double v = a->v.velocity_m_per_s;
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:o}", "mm_per_s", in_unit(v, "mm/s"), "L_per_m2_s",
                   in_unit(v, "L/m2/s"), "cm3_per_cm2_s", in_unit(v, "cm3/cm2/s"), "cfm_per_ft2",
                   in_unit(v, "cfm/ft2"), "resistance_Rayl", a->v.pressure_Pa / v, "darcy",
                   cb_json_real(a->darcy));
}

static json_t *layers_json(const lab_layers *k) {
  json_t *list = json_array();
  for (size_t i = 0; i < k->n; i++)
    (void)json_array_append_new(
        list, json_pack("{s:s, s:i, s:s, s:s, s:b}", "material", k->law[i].material, "layers", k->layers[i],
                        "form", cb_permeability_form_names[k->law[i].curve.form], "origin",
                        cb_origin_names[k->law[i].origin], "assumed_form", k->law[i].one_pressure));
  return list;
}

json_t *lab_air_answer_json(const lab_layers *k, const lab_air_answer *a) {
  const cb_permeability_value *v = &a->v;
  double p = v->pressure_Pa, speed = v->velocity_m_per_s;
  return json_pack(
      "{s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:o}", "layers",
      layers_json(k), "pressure_Pa", p, "u_pressure_Pa", p * v->u_ln_velocity / v->exponent,
      "pressure_low_Pa", p / a->pressure_factor, "pressure_high_Pa", p * a->pressure_factor,
      "velocity_m_per_s", speed, "u_velocity_m_per_s", speed * v->u_ln_velocity, "velocity_low_m_per_s",
      speed / a->velocity_factor, "velocity_high_m_per_s", speed * a->velocity_factor, "piece_low_m_per_s",
      speed / a->piece_factor, "piece_high_m_per_s", speed * a->piece_factor, "piece_low_Pa",
      p / pow(a->piece_factor, 1 / v->exponent), "piece_high_Pa", p * pow(a->piece_factor, 1 / v->exponent),
      "exponent", v->exponent, "dof", fmin(v->dof, 1e9), "dof_piece", fmin(v->dof_piece, 1e9),
      "inside_measured_range", v->inside_measured_range, "in_other_units", units_json(a));
}
