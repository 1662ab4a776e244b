#include "cb_permeability_law.h"

#include <math.h>

#include "cb_stats.h"

const char *const cb_permeability_form_names[] = {"darcy", "forchheimer", "power", NULL};

/* ---- one curve ---- */

static double w_of(const cb_permeability_curve *c, double q) {
  if (c->form == CB_PERMEABILITY_POWER) return pow(q, c->shape);
  double viscous = 1 - c->shape; /* Darcy: shape 0 */
  return 2 * q / (viscous + sqrt(viscous * viscous + 4 * c->shape * q));
}

static double q_of(const cb_permeability_curve *c, double w) {
  if (c->form == CB_PERMEABILITY_POWER) return pow(w, 1 / c->shape);
  return (1 - c->shape) * w + c->shape * w * w;
}

double cb_permeability_curve_velocity(const cb_permeability_curve *c, double reference_Pa,
                                      double pressure_Pa) {
  return c->velocity_m_per_s * w_of(c, pressure_Pa / reference_Pa);
}

double cb_permeability_curve_pressure(const cb_permeability_curve *c, double reference_Pa,
                                      double velocity_m_per_s) {
  return reference_Pa * q_of(c, velocity_m_per_s / c->velocity_m_per_s);
}

/* d ln v / d ln p. */
static double exponent_of(const cb_permeability_curve *c, double velocity_m_per_s) {
  if (c->form == CB_PERMEABILITY_POWER) return c->shape;
  double inertial = c->shape * velocity_m_per_s / c->velocity_m_per_s, viscous = 1 - c->shape;
  return (viscous + inertial) / (viscous + 2 * inertial);
}

double cb_permeability_curve_by_shape(const cb_permeability_curve *c, double velocity_m_per_s) {
  double w = velocity_m_per_s / c->velocity_m_per_s;
  if (c->form == CB_PERMEABILITY_POWER) return log(w) / c->shape;
  return (1 - w) / ((1 - c->shape) + 2 * c->shape * w);
}

/* ---- the law ---- */

static cb_status check_curve(const cb_permeability_law *l, const cb_permeability_curve *c, cb_err *err) {
  bool shape = c->form == CB_PERMEABILITY_DARCY         ? c->shape == 0
               : c->form == CB_PERMEABILITY_FORCHHEIMER ? c->shape > 0 && c->shape <= 1
                                                        : c->shape > 0 && isfinite(c->shape);
  if (shape && c->velocity_m_per_s > 0 && isfinite(c->velocity_m_per_s)) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "permeability of '%s': %s with shape %g and %g m/s: a velocity above 0 and a shape of 0 "
                 "(darcy), above 0 and at most 1"
                 " (forchheimer) or above 0 (power) were wanted",
                 l->material, cb_permeability_form_names[c->form], c->shape, c->velocity_m_per_s);
}

static cb_status check_uncertainty(const cb_permeability_law *l, cb_err *err) {
  const double at_least_0[] = {l->u_ln_level, l->u_shape, l->u_pressure_rel, l->u_velocity_rel,
                               l->specimen_sd};
  for (size_t i = 0; i < sizeof at_least_0 / sizeof at_least_0[0]; i++)
    if (!(at_least_0[i] >= 0 && isfinite(at_least_0[i])))
      return cb_fail(err, CB_E_RANGE,
                     "permeability of '%s': uncertainty %g: a number of at least 0 was wanted", l->material,
                     at_least_0[i]);
  double most = l->u_ln_level * l->u_shape;
  if (!(fabs(l->cov_level_shape) <= most * (1 + 1e-9)))
    return cb_fail(err, CB_E_RANGE,
                   "permeability of '%s': covariance %g of level and shape: at most %g, the product of their "
                   "u, was wanted",
                   l->material, l->cov_level_shape, most);
  if (l->dof_level >= 1 && l->dof_shape >= 1) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "permeability of '%s': %g and %g degrees of freedom: at least 1 was wanted",
                 l->material, l->dof_level, l->dof_shape);
}

cb_status cb_permeability_law_check(const cb_permeability_law *l, cb_err *err) {
  if (!(l->reference_Pa > 0 && l->min_Pa > 0 && l->max_Pa >= l->min_Pa && isfinite(l->max_Pa) &&
        isfinite(l->reference_Pa)))
    return cb_fail(
        err, CB_E_RANGE,
        "permeability of '%s': pressures %g Pa in %g to %g Pa: ascending numbers above 0 were wanted",
        l->material, l->reference_Pa, l->min_Pa, l->max_Pa);
  if (!(l->other_weight >= 0 && l->other_weight <= 1))
    return cb_fail(err, CB_E_RANGE, "permeability of '%s': weight %g of the runner-up: 0 to 1 was wanted",
                   l->material, l->other_weight);
  CB_TRY(check_curve(l, &l->curve, err));
  if (l->other_weight > 0) CB_TRY(check_curve(l, &l->other, err));
  return check_uncertainty(l, err);
}

/* Half-width over sqrt 3 of where ln v may be at a distance from what was measured; see the header. */
static double u_beyond(const cb_permeability_law *l, double pressure_Pa) {
  double far = fmax(0, fmax(log(l->min_Pa / pressure_Pa), log(pressure_Pa / l->max_Pa)));
  double half_width = l->one_pressure ? 0.5 * far : fmin(0.05 * far * far, 0.5 * far);
  return half_width / sqrt(3);
}

/* What one pressure measured, is measured for pressures that no gauge would tell from it. */
static bool inside_of(const cb_permeability_law *l, double pressure_Pa) {
  double slack = l->one_pressure ? 0.02 : 1e-9;
  return pressure_Pa >= l->min_Pa * (1 - slack) && pressure_Pa <= l->max_Pa * (1 + slack);
}

/* Variances of ln v at one layer's pressure, and what its calibration adds. */
typedef struct parts {
  double exponent;
  double level, shape, model; /* variances */
  double calibration;         /* standard uncertainty: shared with other cloths */
} parts;

static parts split_pressure(const cb_permeability_law *l, double pressure_Pa, double velocity_m_per_s) {
  double g = cb_permeability_curve_by_shape(&l->curve, velocity_m_per_s),
         n = exponent_of(&l->curve, velocity_m_per_s);
  double beyond = u_beyond(l, pressure_Pa), apart = 0;
  if (l->other_weight > 0)
    apart = log(cb_permeability_curve_velocity(&l->other, l->reference_Pa, pressure_Pa) / velocity_m_per_s);
  parts p = {.exponent = n,
             .level = l->u_ln_level * l->u_ln_level + 2 * g * l->cov_level_shape,
             .shape = g * g * l->u_shape * l->u_shape,
             .model = beyond * beyond + l->other_weight * apart * apart,
             .calibration = hypot(l->u_velocity_rel, n * l->u_pressure_rel)};
  return p;
}

/* ---- layers in series ---- */

static double total_pressure(const cb_permeability_layer *stack, size_t n, double velocity_m_per_s) {
  double sum = 0;
  for (size_t k = 0; k < n; k++)
    sum += stack[k].layers *
           cb_permeability_curve_pressure(&stack[k].law->curve, stack[k].law->reference_Pa, velocity_m_per_s);
  return sum;
}

/* Sums over the layers; variances of weight x ln v. */
typedef struct sums {
  double pressure_Pa, weight;
  double calibration;           /* a standard uncertainty: it adds up */
  double mean, pieces;          /* of the cloths' means; what single pieces add */
  double spread, spread_pieces; /* variance^2 / degrees of freedom */
  bool inside;
} sums;

static void add_layers(const cb_permeability_layer *layer, double velocity_m_per_s, sums *s) {
  const cb_permeability_law *l = layer->law;
  double layer_Pa = cb_permeability_curve_pressure(&l->curve, l->reference_Pa, velocity_m_per_s);
  parts p = split_pressure(l, layer_Pa, velocity_m_per_s);
  double c = layer->layers * layer_Pa / p.exponent;
  /* A covariance may make the level's part negative; then the shape's counts alone. The layers of a cloth are
   * of one piece: how it departs does not average out. */
  double level = c * c * fmax(p.level, 0), shape = c * c * p.shape,
         pieces = c * c * l->specimen_sd * l->specimen_sd;
  s->pressure_Pa += layer->layers * layer_Pa;
  s->weight += c;
  s->calibration += c * p.calibration;
  s->mean += c * c * (p.level + p.shape + p.model);
  s->pieces += pieces;
  s->spread += level * level / l->dof_level + shape * shape / l->dof_shape;
  s->spread_pieces += (level + pieces) * (level + pieces) / l->dof_level + shape * shape / l->dof_shape;
  s->inside = s->inside && inside_of(l, layer_Pa);
}

/* A relative error e of ln v at a layer's pressure changes that pressure at constant v by -e/n. With weights
 * c = p/n over their sum, ln v of the stack at constant total pressure changes by sum c e. Degrees of
 * freedom: Welch and Satterthwaite. */
void cb_permeability_at_velocity(const cb_permeability_layer *stack, size_t n, double velocity_m_per_s,
                                 cb_permeability_value *out) {
  sums s = {.inside = true};
  for (size_t k = 0; k < n; k++) add_layers(&stack[k], velocity_m_per_s, &s);
  double mean = s.mean + s.calibration * s.calibration, piece = mean + s.pieces;
  *out =
      (cb_permeability_value){.pressure_Pa = s.pressure_Pa,
                              .velocity_m_per_s = velocity_m_per_s,
                              .exponent = s.pressure_Pa / s.weight,
                              .u_ln_velocity = sqrt(mean) / s.weight,
                              .u_ln_velocity_piece = sqrt(piece) / s.weight,
                              .dof = s.spread > 0 ? mean * mean / s.spread : INFINITY,
                              .dof_piece = s.spread_pieces > 0 ? piece * piece / s.spread_pieces : INFINITY,
                              .inside_measured_range = s.inside};
}

/* The pressure rises with the velocity: halving an interval in ln v ends at neighbouring doubles. The first
 * interval ends at fastest. */
static double halve_velocity(const cb_permeability_layer *stack, size_t n, double pressure_Pa,
                             double fastest) {
  double high = log(fastest), low = high;
  while (total_pressure(stack, n, exp(low)) > pressure_Pa) low -= 1;
  for (int i = 0; i < 100; i++) {
    double middle = 0.5 * (low + high);
    if (total_pressure(stack, n, exp(middle)) > pressure_Pa)
      high = middle;
    else
      low = middle;
  }
  return exp(low);
}

void cb_permeability_at_pressure(const cb_permeability_layer *stack, size_t n, double pressure_Pa,
                                 cb_permeability_value *out) {
  double v = cb_permeability_curve_velocity(&stack[0].law->curve, stack[0].law->reference_Pa,
                                            pressure_Pa / stack[0].layers);
  if (n > 1) v = halve_velocity(stack, n, pressure_Pa, v);
  cb_permeability_at_velocity(stack, n, v, out);
  out->pressure_Pa = pressure_Pa;
}

double cb_permeability_darcy_m2(double velocity_m_per_s, double pressure_Pa, double thickness_m,
                                double temperature_degC) {
  double T = temperature_degC + 273.15, viscosity = 1.458e-6 * T * sqrt(T) / (T + 110.4);
  return viscosity * velocity_m_per_s * thickness_m / pressure_Pa;
}

double cb_permeability_factor(double u_ln, double dof) { return exp(cb_student_t(0.95, dof) * u_ln); }
