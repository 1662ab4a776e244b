/* What positions mean: exact shapes give back exactly the property that went into them. */
#include "conftest.h"

#include "conf_case.h"
#include "fit_elastica.h"

#define G 9.80665

/* A case with its positions, CONF_TIMES blocks as made. */
static double (*begin(conf_kind kind, double level, conf_case *c))[3] {
  const exch_cloth s = poplin();
  assert_ok(conf_case_init(kind, level, 0.005, &s, c, err));
  double(*x)[3] = calloc((size_t)(CONF_TIMES * c->n_vertices), sizeof *x);
  assert_non_null(x);
  for (int k = 0; k < CONF_TIMES; k++)
    memcpy(x + k * c->n_vertices, c->vertex, (size_t)c->n_vertices * sizeof *x);
  return x;
}

static conf_finding end(conf_case *c, double (*x)[3], bool hinges) {
  const exch_cloth s = poplin();
  const conf_finding f = conf_case_judge(c, &s, hinges, (const double(*)[3])x);
  free(x);
  conf_case_clear(c);
  return f;
}

static void a_heavy_elastica_has_its_rigidity(void **state) {
  (void)state;
  for (int hinges = 0; hinges < 2; hinges++)
    for (const double *level = conf_levels[CONF_CANTILEVER]; *level > 0; level++) {
      conf_case c;
      double(*x)[3] = begin(CONF_CANTILEVER, *level, &c);
      const double inside = hinges ? c.edge_m / 2 : 0, length = c.length_m + inside;
      const fit_elastica e = fit_elastica_of_load(0.15 * G * length * length * length / 1e-5);
      for (int j = 0; j <= c.ny; j++) {
        double *tip = x[2 * c.n_vertices + c.nx * (c.ny + 1) + j];
        tip[0] = e.reach * length - inside;
        tip[2] = -e.drop * length;
      }
      const conf_finding f = end(&c, x, hinges);
      assert_near(f.wanted, 1e-5, 0);
      assert_near(f.found / 1e-5, 1, 1e-6);
    }
}

/* e(s) = w g (L - s) / E. */
static void a_strip_that_carries_itself_has_its_stiffness(void **state) {
  (void)state;
  conf_case c;
  double(*x)[3] = begin(CONF_STRIP, 0.01, &c);
  for (int i = 0; i < CONF_TIMES * c.n_vertices; i++)
    x[i][0] += 0.15 * c.gravity_m_per_s2[0] / 700 * (0.1 * x[i][0] - x[i][0] * x[i][0] / 2);
  const conf_finding f = end(&c, x, false);
  assert_near(f.found, 700, 1e-9);
  assert_near(f.wanted, 1000, 0);
  assert_near(f.drift_m_per_s, 0, 0);
}

/* Far from free edges the sag is a parabola, w g x (L - x) / (2 G). */
static void a_sheared_sheet_has_its_stiffness(void **state) {
  (void)state;
  conf_case c;
  double(*x)[3] = begin(CONF_SHEAR, 0.01, &c);
  for (int i = 0; i < CONF_TIMES * c.n_vertices; i++)
    x[i][1] += 0.15 * c.gravity_m_per_s2[1] / (2 * 40) * x[i][0] * (0.1 - x[i][0]);
  const double edges = 8 / (M_PI * M_PI * M_PI) * 1.0517998 / 2 * sqrt(40.0 / 1000);
  assert_near(end(&c, x, false).found, 40 * (1 + edges), 1e-4);
}

static void a_fall_has_its_acceleration(void **state) {
  (void)state;
  conf_case c;
  double(*x)[3] = begin(CONF_FALL, 1, &c);
  for (int k = 0; k < CONF_TIMES; k++)
    for (int i = 0; i < c.n_vertices; i++) x[k * c.n_vertices + i][2] -= 8 * c.time_s[k] * c.time_s[k] / 2;
  const conf_finding f = end(&c, x, false);
  assert_near(f.found, 8, 1e-12);
  assert_near(f.wanted, G, 0);
}

/* Whatever the landing did to place and speed. */
static void a_slide_has_its_friction(void **state) {
  (void)state;
  conf_case c;
  double(*x)[3] = begin(CONF_SLOPE, 1.5, &c);
  const double acceleration = c.gravity_m_per_s2[0] + 0.3 * c.gravity_m_per_s2[2];
  for (int k = 0; k < CONF_TIMES; k++)
    for (int i = 0; i < c.n_vertices; i++)
      x[k * c.n_vertices + i][0] += 0.01 + 0.02 * c.time_s[k] + acceleration * c.time_s[k] * c.time_s[k] / 2;
  assert_near(end(&c, x, false).found, 0.3, 1e-12);
  assert_near(hypot(c.gravity_m_per_s2[0], c.gravity_m_per_s2[2]), G, 1e-12);
  assert_near(c.gravity_m_per_s2[0] / -c.gravity_m_per_s2[2], 1.5 * 0.4, 1e-12);
}

static void what_should_hold_creeps(void **state) {
  (void)state;
  conf_case c;
  double(*x)[3] = begin(CONF_SLOPE, 0.8, &c);
  for (int k = 0; k < CONF_TIMES; k++)
    for (int i = 0; i < c.n_vertices; i++) x[k * c.n_vertices + i][0] += 1e-5 * c.time_s[k];
  const conf_finding f = end(&c, x, false);
  assert_near(f.found, 1e-5, 1e-15);
  assert_near(f.wanted, 0, 0);
}

/* ---- what gives no number of the cloth ---- */

/* A sheet that falls as a rigid one, with a speed aside and a spin about an axis through its centre of mass:
 * each is found as it went in. The third of a triangle's mass at each corner is what makes the centre. */
static void rotated(const double axis[3], double angle, const double r[3], double out[3]) {
  const double along = axis[0] * r[0] + axis[1] * r[1] + axis[2] * r[2], c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = c * r[k] + s * (axis[i] * r[j] - axis[j] * r[i]) + (1 - c) * along * axis[k];
  }
}

/* Masses of the vertices by the areas of the triangles in space: the sheet is flat at rest. */
static void centre_of(const conf_case *c, double *mass, double out[3]) {
  double sum = 0;
  for (int f = 0; f < c->n_faces; f++) {
    const int *q = c->face[f];
    const double *a = c->vertex[q[0]], *b = c->vertex[q[1]], *d = c->vertex[q[2]];
    const double area = ((b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0])) / 2;
    assert_true(area > 0 && q[3] == -1);
    for (int k = 0; k < 3; k++) mass[q[k]] += area / 3;
  }
  for (int k = 0; k < 3; k++) out[k] = 0;
  for (int i = 0; i < c->n_vertices; i++)
    for (int k = 0; k < 3; k++) out[k] += mass[i] * c->start[i][k];
  for (int i = 0; i < c->n_vertices; i++) sum += mass[i];
  for (int k = 0; k < 3; k++) out[k] /= sum;
}

static void an_uneven_sheet_has_its_drift_and_its_spin(void **state) {
  (void)state;
  const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, aside[2] = {3e-3, -4e-3}, spin = 0.3;
  conf_case c;
  double(*x)[3] = begin(CONF_DRIFT, 2, &c), centre[3], inertia = 0, square = 0;
  double *mass = calloc((size_t)c.n_vertices, sizeof *mass);
  assert_non_null(mass);
  centre_of(&c, mass, centre);
  for (int i = 0; i < CONF_TIMES * c.n_vertices; i++) {
    const double t = c.time_s[i / c.n_vertices], *from = c.start[i % c.n_vertices],
                 m = mass[i % c.n_vertices];
    double r[3];
    for (int k = 0; k < 3; k++) r[k] = from[k] - centre[k];
    const double along = axis[0] * r[0] + axis[1] * r[1] + axis[2] * r[2],
                 whole = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    inertia += m * (whole - along * along), square += m * whole;
    rotated(axis, spin * t, r, x[i]);
    for (int k = 0; k < 3; k++) x[i][k] += centre[k] + (k < 2 ? aside[k] * t : -8 * t * t / 2);
  }
  free(mass);
  const conf_finding f = end(&c, x, false);
  assert_near(f.found, 8, 1e-9);
  assert_near(f.wanted, G, 0);
  assert_near(f.sideways_m_per_s, 5e-3, 1e-12);
  /* About an axis that is none of the sheet's own there are parts of the momentum across it, too. */
  assert_true(f.turn_rad_per_s > 0.999 * spin * inertia / square && f.turn_rad_per_s < spin);
}

/* Outline, cells and bend are uneven, the same ones every time. */
static void an_uneven_sheet_is_uneven(void **state) {
  (void)state;
  conf_case c, again;
  double least = INFINITY, most = 0;
  free(begin(CONF_DRIFT, 1, &c));
  free(begin(CONF_DRIFT, 1, &again));
  assert_memory_equal(c.vertex, again.vertex, (size_t)c.n_vertices * sizeof *c.vertex);
  for (int f = 0; f < c.n_faces; f++)
    for (int k = 0; k < 3; k++) {
      const int a = c.face[f][k], b = c.face[f][(k + 1) % 3];
      const double length = hypot(c.vertex[a][0] - c.vertex[b][0], c.vertex[a][1] - c.vertex[b][1]);
      least = fmin(least, length), most = fmax(most, length);
      /* Bent as a cylinder is: a chord differs from its arc by the square of the angle over 24. */
      double now = 0;
      for (int i = 0; i < 3; i++) now += pow(c.start[a][i] - c.start[b][i], 2);
      assert_near(sqrt(now) / length, 1, 1.01 * pow(length / 0.1, 2) / 24);
    }
  assert_true(most > 5 * least);
  conf_case_clear(&c);
  conf_case_clear(&again);
}

/* The upper sheet alone slides; it has no vertex over one of the lower one, and room to slide. */
static void a_layer_has_its_friction(void **state) {
  (void)state;
  conf_case c;
  double(*x)[3] = begin(CONF_LAYERS, 1.2, &c), ahead = 0;
  const double acceleration = c.gravity_m_per_s2[0] + 0.3 * c.gravity_m_per_s2[2], last = c.time_s[2];
  int upper = 0;
  for (int i = 0; i < CONF_TIMES * c.n_vertices; i++) {
    const double t = c.time_s[i / c.n_vertices];
    const bool free = !c.pinned[i % c.n_vertices];
    assert_int_equal(free, c.vertex[i % c.n_vertices][2] > 0.001);
    if (free) x[i][0] += 0.002 + 0.01 * t + acceleration * t * t / 2;
    if (free) upper++, ahead = fmax(ahead, c.vertex[i % c.n_vertices][0]);
  }
  assert_true(c.self && !c.plane && upper > 0);
  assert_true(ahead + (c.gravity_m_per_s2[0] + 0.4 * c.gravity_m_per_s2[2]) * last * last / 2 < 0.2);
  assert_near(end(&c, x, false).found, 0.3, 1e-12);
  x = begin(CONF_LAYERS, 0.8, &c);
  for (int i = 0; i < CONF_TIMES * c.n_vertices; i++)
    if (!c.pinned[i % c.n_vertices]) x[i][0] += 1e-5 * c.time_s[i / c.n_vertices];
  assert_near(end(&c, x, false).found, 1e-5, 1e-15);
}

/* A strip on a drum, step by step: the tension along the drum by sums over 4000 parts of its arc, at the
 * acceleration for which it ends in that of the long end. */
static double strip_acceleration(double mu, double s, double l, double v) {
  enum { PARTS = 4000 };
  double a[2] = {0, 1}, missing[2];
  for (int trial = 0; trial < 2; trial++) {
    double t = s * (G + a[trial]);
    for (int k = 0; k < PARTS; k++) {
      const double phi = M_PI * (k + 0.5) / PARTS, step = M_PI / PARTS;
      const double drive = mu * (0.05 * G * sin(phi) - v * v) + 0.05 * (G * cos(phi) + a[trial]);
      t += step * (mu * (t + step / 2 * (mu * t + drive)) + drive);
    }
    missing[trial] = l * (G - a[trial]) - t;
  }
  return missing[0] / (missing[0] - missing[1]);
}

static void a_strip_on_a_drum_has_its_friction(void **state) {
  (void)state;
  conf_case c;
  const double mu = 0.35, dt = 1e-3;
  double(*x)[3] = begin(CONF_CAPSTAN, 1.2, &c), way = 0, v = 0.05, t = c.time_s[0];
  const double s = 0.09, l = c.length_m - s - M_PI * 0.05;
  for (int k = 0; k < CONF_TIMES; k++) {
    for (; t < c.time_s[k] - dt / 2; t += dt) {
      const double half = v + dt / 2 * strip_acceleration(mu, s - way, l + way, v);
      way += dt * half;
      v += dt * strip_acceleration(mu, s - way + dt * half / 2, l + way - dt * half / 2, half);
    }
    for (int i = 0; i < c.n_vertices; i++) {
      if (c.start[i][2] < 0) x[k * c.n_vertices + i][2] = c.start[i][0] < 0 ? way - s : -(l + way);
    }
  }
  assert_true(way < s);
  assert_near(end(&c, x, false).found, mu, 2e-4 * mu);
}

/* At level 1 the strip is in balance: nothing accelerates it. Its start is as long as it is at rest. */
static void a_strip_on_a_drum_has_its_lengths(void **state) {
  (void)state;
  for (const double *level = conf_levels[CONF_CAPSTAN]; *level > 0; level++) {
    conf_case c;
    free(begin(CONF_CAPSTAN, *level, &c));
    const double *low = c.start[0], *high = c.start[c.n_vertices - 1], sinks = M_PI / 2 * (high[0] - 0.05);
    const double s = sinks - low[2], l = sinks - high[2];
    assert_near(s + l + M_PI * 0.05, c.length_m, 1e-12);
    assert_near(s, 0.1, 0.005);
    assert_near(strip_acceleration(0.4, s, l / *level, 0), 0, 1e-5);
    assert_true(*level < 1 || strip_acceleration(0.4, s, l, 0) > 0.3);
    assert_true(c.drum_m == 0.05);
    conf_case_clear(&c);
  }
}

/* Two pads with the force of the case, and a friction that is not the cloth's: 0.15 kg/m2 of 100 x 40 mm. */
static void a_pinched_cloth_has_its_friction(void **state) {
  (void)state;
  conf_case c;
  double(*x)[3] = begin(CONF_PINCH, 1.2, &c);
  const double mass = 0.15 * 0.1 * 0.04, from = c.gravity_from_s;
  assert_near(2 * 0.4 * c.pads.force_N * 1.2, mass * G, 1e-12);
  for (int i = 0; i < CONF_TIMES * c.n_vertices; i++) {
    const double t = c.time_s[i / c.n_vertices] - from;
    assert_true(t > 0);
    x[i][0] += 0.001 + 0.02 * t + (G - 2 * 0.37 * c.pads.force_N / mass) * t * t / 2;
  }
  assert_near(end(&c, x, false).found, 0.37, 1e-12);
  x = begin(CONF_PINCH, 0.95, &c);
  assert_near(2 * 0.4 * c.pads.force_N * 0.95, mass * G, 1e-12);
  for (int i = 0; i < CONF_TIMES * c.n_vertices; i++) x[i][0] += 1e-5 * c.time_s[i / c.n_vertices];
  assert_near(end(&c, x, false).found, 1e-5, 1e-15);
}

/* A stiff napkin, step by step: the part of it on the cloth is pulled, the part on the table is braked. */
static double carried(const conf_case *c, double mu) {
  const double dt = 1e-6, length = 0.04;
  double x = 0, v = 0, cloth = 0;
  for (double t = c->pull.from_s; t < c->time_s[2]; t += dt) {
    const double speed = c->pull.m_per_s * fmin(1, (t - c->pull.from_s) / 0.04),
                 on = fmax(0, fmin(1, (c->length_m + length + x - cloth) / length));
    v += dt * mu * G * (2 * on - 1);
    if (v < 0) return x;
    x += dt * v;
    cloth += dt * speed;
  }
  return NAN; /* it does not rest yet */
}

static void a_napkin_is_carried_as_far_as_its_friction_does(void **state) {
  (void)state;
  for (const double *level = conf_levels[CONF_TABLECLOTH]; *level > 0; level++) {
    conf_case c;
    double(*x)[3] = begin(CONF_TABLECLOTH, *level, &c), way = carried(&c, 0.4), aside = 1e-3;
    assert_true(c.self && c.plane && way > 0.005);
    for (int i = 0; i < CONF_TIMES * c.n_vertices; i++)
      x[i][0] += c.vertex[i % c.n_vertices][2] > 0.002 ? way + aside : 7;
    const conf_finding f = end(&c, x, false);
    assert_near(f.wanted / way, 1, 1e-4);
    assert_near(f.found, way + aside, 1e-12);
  }
}

static void what_is_pinned_is_at_the_clamps(void **state) {
  (void)state;
  for (int kind = 0; kind <= CONF_SLOPE; kind++) {
    conf_case c;
    free(begin((conf_kind)kind, conf_levels[kind][0], &c));
    for (int i = 0; i < c.n_vertices; i++) {
      const double x = c.vertex[i][0];
      const bool clamp = kind == CONF_CANTILEVER ? x < 1e-9
                         : kind == CONF_STRIP    ? x < 1e-9
                                                 : kind == CONF_SHEAR && (x < 1e-9 || x > 0.1 - 1e-9);
      assert_int_equal(c.pinned[i], clamp);
    }
    conf_case_clear(&c);
  }
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  exch_cloth s = poplin();
  conf_case c;
  assert_fails(CB_E_RANGE, "1 to 25 mm", conf_case_init(CONF_STRIP, 0.01, 0.05, &s, &c, err));
  /* 41 mm long: less than 2.5 edges */
  assert_fails(CB_E_NOTFOUND, "'Poplin': no experiment cantilever at level 10 with edges of 20 mm",
               conf_case_init(CONF_CANTILEVER, 10, 0.02, &s, &c, err));
  s.friction.value = NAN;
  assert_false(conf_case_possible(CONF_SLOPE, 0.8, 0.005, &s));
  assert_true(conf_case_possible(CONF_FALL, 1, 0.005, &s));
  s.areal_density_kg_per_m2.value = NAN;
  assert_false(conf_case_possible(CONF_FALL, 1, 0.005, &s));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_heavy_elastica_has_its_rigidity),
      cmocka_unit_test(a_strip_that_carries_itself_has_its_stiffness),
      cmocka_unit_test(a_sheared_sheet_has_its_stiffness),
      cmocka_unit_test(a_fall_has_its_acceleration),
      cmocka_unit_test(a_slide_has_its_friction),
      cmocka_unit_test(what_should_hold_creeps),
      cmocka_unit_test(an_uneven_sheet_has_its_drift_and_its_spin),
      cmocka_unit_test(an_uneven_sheet_is_uneven),
      cmocka_unit_test(a_layer_has_its_friction),
      cmocka_unit_test(a_strip_on_a_drum_has_its_friction),
      cmocka_unit_test(a_strip_on_a_drum_has_its_lengths),
      cmocka_unit_test(a_pinched_cloth_has_its_friction),
      cmocka_unit_test(a_napkin_is_carried_as_far_as_its_friction_does),
      cmocka_unit_test(what_is_pinned_is_at_the_clamps),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
