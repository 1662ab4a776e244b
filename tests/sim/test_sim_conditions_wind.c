/* Wind on particles: who is shadowed, against rays; what the shadowed feel: nothing. */
#include "clothmesh.h"
#include "sim_mesh.h"
#include "sim_conditions_impl.h"

/* Per vertex: whether it is in the wind shadow of other cloth. Valid until the next call or step. */
static const bool *shadowed_now(sim_conditions *p) {
  sim_wind_shadow_cast(&p->wind_shadow, p->setup.mesh, (const vec3 *)p->x, p->setup.wind_m_per_s);
  return p->wind_shadow.shadowed;
}

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Moeller, Trumbore, J. Graphics Tools 2(1):21, 1997: the ray from p along d meets the triangle, ahead of
 * p. */
static bool hits(const double p[3], const double d[3], const double a[3], const double b[3],
                 const double c[3]) {
  double ab[3], ac[3], ap[3], q[3], r[3];
  for (int k = 0; k < 3; k++) ab[k] = b[k] - a[k], ac[k] = c[k] - a[k], ap[k] = p[k] - a[k];
  cross(d, ac, q);
  const double det = dot(ab, q);
  if (det == 0) return false;
  cross(ap, ab, r);
  const double u = dot(ap, q) / det, v = dot(d, r) / det, t = dot(ac, r) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && t > 0;
}

static bool ray_is_stopped(const sim_mesh *m, const vec3 *x, int i, const double wind[3]) {
  const double up[3] = {-wind[0], -wind[1], -wind[2]};
  for (int t = 0; t < m->n_triangles; t++) {
    const int *v = m->triangle[t];
    if (v[0] != i && v[1] != i && v[2] != i && hits(x[i], up, x[v[0]], x[v[1]], x[v[2]])) return true;
  }
  return false;
}

/* Three sheets, one behind the other, crumpled by up to twice a cell. */
static void three_sheets(sim_mesh *out) {
  sim_mesh part[3];
  cb_rng rng;
  cb_rng_init(&rng, 11, 0);
  for (int k = 0; k < 3; k++) {
    cm_sheet(0.3 - 0.05 * k, 0.2, 14 - k, 10 + k, 0.2, &part[k]);
    sim_mesh_place(&part[k], (double[3]){0.2 * k, 0.1 * k, 0}, (double[3]){0.03 * k, -0.02 * k, 0.05 * k});
  }
  assert_ok(sim_mesh_join(part, 3, out, err));
  for (int k = 0; k < 3; k++) sim_mesh_clear(&part[k]);
  for (int i = 0; i < out->n_vertices; i++)
    for (int k = 0; k < 3; k++) out->position_m[i][k] += 0.04 * (cb_rng_uniform(&rng) - 0.5);
}

static void test_against_rays(void **state) {
  (void)state;
  sim_mesh mesh;
  three_sheets(&mesh);
  sim_conditions_setup s = sim_conditions_setup_default(&mesh);
  cb_rng rng;
  cb_rng_init(&rng, 12, 0);
  int shadowed = 0, asked = 0;
  for (int k = 0; k < 60; k++) {
    for (int a = 0; a < 3; a++)
      s.wind_m_per_s[a] = k < 6 ? (k % 3 == a) * (k < 3 ? 5 : -5) : 10 * cb_rng_uniform(&rng) - 5;
    sim_conditions *p;
    assert_ok(sim_conditions_new(&s, &p, err));
    const bool *seen = shadowed_now(p);
    for (int i = 0; i < mesh.n_vertices; i++, asked++) {
      const bool stopped = ray_is_stopped(&mesh, (const vec3 *)mesh.position_m, i, s.wind_m_per_s);
      if (seen[i] != stopped)
        fail_msg("wind %d, particle %d: %s, the ray says %s", k, i, seen[i] ? "shadowed" : "seen",
                 stopped ? "shadowed" : "seen");
      shadowed += stopped;
    }
    sim_conditions_free(p);
  }
  print_message("%d of %d particles shadowed, every one as its ray says\n", shadowed, asked);
  assert_true(shadowed > asked / 4 && shadowed < 3 * asked / 4);
  sim_mesh_clear(&mesh);
}

/* Cell behind cell, flat sheets: the particles behind lie on edges and corners of those before, to the
 * bit. */
static void test_flat(void **state) {
  (void)state;
  sim_mesh part[2], mesh;
  for (int k = 0; k < 2; k++) {
    cm_sheet(0.3, 0.2, 6, 4, 0, &part[k]);
    for (int i = 0; i < part[k].n_vertices; i++) part[k].position_m[i][2] = 0.1 * k;
  }
  assert_ok(sim_mesh_join(part, 2, &mesh, err));
  const int half = part[0].n_vertices;
  sim_conditions_setup s = sim_conditions_setup_default(&mesh);
  for (int k = 0; k < 3; k++) { /* from below, from above, along the sheets */
    s.wind_m_per_s[2] = k == 0 ? 1 : k == 1 ? -1 : 0;
    s.wind_m_per_s[0] = k == 2 ? 1 : 0;
    sim_conditions *p;
    assert_ok(sim_conditions_new(&s, &p, err));
    const bool *shadowed = shadowed_now(p);
    for (int i = 0; i < mesh.n_vertices; i++)
      assert_int_equal(shadowed[i], k == 2 ? 0 : k == 0 ? i >= half : i < half);
    sim_conditions_free(p);
  }
  sim_mesh_clear(&part[0]);
  sim_mesh_clear(&part[1]);
  sim_mesh_clear(&mesh);
}

/* Particles that nothing ties: the shadowed ones go on to the bit as without wind; the others as (v + h c
 * wind) / (1 + h c), c = k_w / areal density. */
static void test_force(void **state) {
  (void)state;
  sim_mesh mesh;
  three_sheets(&mesh);
  sim_conditions *windy, *calm;
  sim_conditions_report r;
  sim_conditions_setup s = sim_conditions_setup_default(&mesh);
  assert_ok(sim_conditions_new(&s, &calm, err));
  s.wind_m_per_s[0] = 4, s.wind_m_per_s[2] = 3;
  s.wind_Ns_per_m3 = 0.6;
  s.solve_tolerance = 1e-14;
  assert_ok(sim_conditions_new(&s, &windy, err));
  for (int i = 0; i < mesh.n_vertices; i++)
    sim_conditions_velocity(windy)[i][1] = sim_conditions_velocity(calm)[i][1] = 2;
  bool *shadowed = calloc((size_t)mesh.n_vertices, sizeof *shadowed);
  assert_non_null(shadowed);
  memcpy(shadowed, shadowed_now(windy), (size_t)mesh.n_vertices * sizeof *shadowed);
  assert_ok(sim_conditions_step(calm, 0.01, NULL, err));
  assert_ok(sim_conditions_step(windy, 0.01, &r, err));
  int count = 0;
  for (int i = 0; i < mesh.n_vertices; i++) {
    const double *v = sim_conditions_velocity(windy)[i], *without = sim_conditions_velocity(calm)[i],
                 share = 0.01 * 0.6 / 0.15;
    count += shadowed[i];
    for (int k = 0; k < 3; k++) {
      if (shadowed[i])
        assert_true(v[k] == without[k]);
      else
        assert_near(v[k], (without[k] + share * s.wind_m_per_s[k]) / (1 + share), 1e-12);
    }
  }
  assert_int_equal(r.shadowed, count);
  assert_true(count > 0);
  free(shadowed);
  sim_conditions_free(windy);
  sim_conditions_free(calm);
  sim_mesh_clear(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_rays), cmocka_unit_test(test_flat),
                                     cmocka_unit_test(test_force)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
