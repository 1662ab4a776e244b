/* Frames and probes read back from their files by readers of this test's own, against a state known in closed
 * form. */
#include "cbtest.h"

#include "sim_mesh.h"
#include "playtest.h"
#include "sim_probe.h"
#include "sim_table.h"
#include "sim_write_files.h"

static float f32_at(const unsigned char *p) {
  uint32_t bits = 0;
  float f;
  for (int k = 0; k < 4; k++) bits |= (uint32_t)p[k] << 8 * k;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static int i32_at(const unsigned char *p) {
  uint32_t bits = 0;
  for (int k = 0; k < 4; k++) bits |= (uint32_t)p[k] << 8 * k;
  return (int)bits;
}

static double f64_at(const unsigned char *p) {
  uint64_t bits = 0;
  double d;
  for (int k = 0; k < 8; k++) bits |= (uint64_t)p[k] << 8 * k;
  memcpy(&d, &bits, sizeof d);
  return d;
}

/* A strip with numbers that tell where they belong. */
static void numbered(sim_mesh *m, sim_frame *f) {
  sim_rectangle r = {.length_m = 0.4, .width_m = 0.1, .pattern = SIM_PATTERN_ALTERNATING, .cells_across = 3};
  assert_ok(sim_mesh_rectangle(&r, m, err));
  assert_ok(sim_frame_init(m, f, err));
  f->time_s = 0.1;
  for (int i = 0; i < m->n_vertices; i++) {
    f->pressure_Pa[i] = 1000 + i;
    f->slip_m_per_s[i] = 0.5 * i;
    f->body[i] = i % 3 - 1;
    for (int k = 0; k < 3; k++) f->velocity_m_per_s[i][k] = 10 * i + k;
  }
  for (int t = 0; t < m->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      f->strain[t][k] = -4 * t - k;
      f->curvature_per_m[t][k] = 0.25 * t + k;
    }
}

static const unsigned char *after(const unsigned char *data, const char *mark) {
  const char *at = strstr((const char *)data, mark);
  assert_non_null(at);
  return (const unsigned char *)at + strlen(mark);
}

static unsigned char *read_all(const char *path, size_t *n) {
  char *text;
  assert_ok(cb_file_read(path, 1 << 28, &text, n, err));
  return (unsigned char *)text;
}

static void ply(void **state) {
  (void)state;
  sim_mesh m;
  sim_frame f;
  char path[400], count[64];
  size_t n;
  numbered(&m, &f);
  assert_ok(sim_write_ply(&f, cbt_path("f.ply", path), err));
  unsigned char *data = read_all(path, &n);
  assert_memory_equal(data, "ply\nformat binary_little_endian 1.0\n", 36);
  (void)snprintf(count, sizeof count, "element vertex %d\n", m.n_vertices);
  (void)after(data, count);
  (void)snprintf(count, sizeof count, "element face %d\nproperty list uchar int vertex_indices\n",
                 m.n_triangles);
  (void)after(data, count);
  const unsigned char *p = after(data, "end_header\n");
  for (int i = 0; i < m.n_vertices; i++, p += 36) {
    for (int k = 0; k < 3; k++) {
      assert_near((double)f32_at(p + 4 * k), (double)(float)m.position_m[i][k], 0);
      assert_near((double)f32_at(p + 12 + 4 * k), 10 * i + k, 0);
    }
    assert_near((double)f32_at(p + 24), 1000 + i, 0);
    assert_near((double)f32_at(p + 28), 0.5 * i, 0);
    assert_int_equal(i32_at(p + 32), i % 3 - 1);
  }
  for (int t = 0; t < m.n_triangles; t++, p += 37) {
    assert_int_equal(*p, 3);
    for (int k = 0; k < 3; k++) {
      assert_int_equal(i32_at(p + 1 + 4 * k), m.triangle[t][k]);
      assert_near((double)f32_at(p + 13 + 4 * k), -4 * t - k, 0);
      assert_near((double)f32_at(p + 25 + 4 * k), 0.25 * t + k, 0);
    }
  }
  assert_true(p == data + n);
  free(data);
  sim_frame_clear(&f);
  sim_mesh_clear(&m);
}

/* The bytes of an array by its name, as the head says where they are; their number must be the one
 * expected. */
static const unsigned char *array(const unsigned char *data, const char *name, const char *type,
                                  int components, size_t size) {
  char mark[80], head[160];
  (void)snprintf(mark, sizeof mark, "Name=\"%s\" NumberOfComponents=\"%d\"", name, components);
  const char *at = strstr((const char *)data, mark);
  assert_non_null(at);
  while (*at != '<') at--;
  (void)snprintf(head, sizeof head, "<DataArray type=\"%s\" ", type);
  assert_memory_equal(at, head, strlen(head));
  const char *offset = strstr(at, "offset=\"");
  const unsigned char *bytes =
      after(data, "<AppendedData encoding=\"raw\">\n_") + strtoul(offset + 8, NULL, 10);
  assert_int_equal(i32_at(bytes), size);
  assert_int_equal(i32_at(bytes + 4), 0);
  return bytes + 8;
}

static void vtp(void **state) {
  (void)state;
  sim_mesh m;
  sim_frame f;
  char path[400];
  size_t n;
  numbered(&m, &f);
  assert_ok(sim_write_vtp(&f, cbt_path("f.vtp", path), err));
  unsigned char *data = read_all(path, &n);
  size_t nv = (size_t)m.n_vertices, nt = (size_t)m.n_triangles;
  const unsigned char *x = array(data, "position_m", "Float64", 3, 24 * nv),
                      *v = array(data, "velocity_m_per_s", "Float32", 3, 12 * nv);
  const unsigned char *p = array(data, "contact_pressure_Pa", "Float32", 1, 4 * nv),
                      *s = array(data, "slip_m_per_s", "Float32", 1, 4 * nv);
  const unsigned char *b = array(data, "body", "Int32", 1, 4 * nv),
                      *e = array(data, "strain", "Float32", 3, 12 * nt);
  const unsigned char *k = array(data, "curvature_per_m", "Float32", 3, 12 * nt),
                      *c = array(data, "connectivity", "Int32", 1, 12 * nt);
  const unsigned char *o = array(data, "offsets", "Int32", 1, 4 * nt);
  for (size_t i = 0; i < nv; i++) {
    assert_near(f64_at(x + 24 * i + 8), m.position_m[i][1], 0);
    assert_near((double)f32_at(v + 12 * i + 8), 10 * (double)i + 2, 0);
    assert_near((double)f32_at(p + 4 * i), 1000 + (double)i, 0);
    assert_near((double)f32_at(s + 4 * i), 0.5 * (double)i, 0);
    assert_int_equal(i32_at(b + 4 * i), (int)i % 3 - 1);
  }
  for (size_t t = 0; t < nt; t++) {
    assert_near((double)f32_at(e + 12 * t + 4), -4 * (double)t - 1, 0);
    assert_near((double)f32_at(k + 12 * t), 0.25 * (double)t, 0);
    assert_int_equal(i32_at(c + 12 * t + 8), m.triangle[t][2]);
    assert_int_equal(i32_at(o + 4 * t), 3 * (int)(t + 1));
  }
  assert_string_equal((const char *)o + 4 * nt, "\n</AppendedData>\n</VTKFile>\n");
  (void)after(data, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.10000000000000001<");
  free(data);
  sim_frame_clear(&f);
  sim_mesh_clear(&m);
}

static void pvd(void **state) {
  (void)state;
  const double time_s[] = {0, 0.5};
  const char *const file[] = {"a.vtp", "b&\"c\".vtp"};
  char path[400];
  assert_ok(sim_write_pvd(time_s, file, 2, cbt_path("s.pvd", path), err));
  char *text = cbt_read(path);
  assert_string_equal(
      text,
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n"
      "<DataSet timestep=\"0\" part=\"0\" file=\"a.vtp\"/>\n"
      "<DataSet timestep=\"0.5\" part=\"0\" file=\"b&amp;&quot;c&quot;.vtp\"/>\n</Collection>\n</VTKFile>\n");
  free(text);
  assert_fails(CB_E_IO, "/nowhere/s.pvd", sim_write_pvd(time_s, file, 2, "/nowhere/s.pvd", err));
}

/* A sheet that falls freely, backward Euler: v = -g n h, z = -g h^2 n (n + 1) / 2, the same at every
 * probe. */
static const char falling[] =
    "name: falls\n"
    "sheet: {shape: rectangle, length_mm: 200, width_mm: 100, pattern: right, vertices: 15, warp_deg: 23, "
    "at_mm: [100, 50, 0]}\n"
    "cloth: {self_collision: false}\n"
    "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 100, stretch_weft_N_per_m: 100, "
    "shear_N_per_m: 50,\n"
    "    bend_warp_uN_m: 10, bend_weft_uN_m: 10}\n"
    "time: {duration_s: 0.05, step_ms: 10, solve_tolerance: 1e-6}\n"
    "output: {probes: [{name: a, at_mm: [0, 0, 0]}, {name: b, at_mm: [190, 130, 0]}]}\n";

static void table(void **state) {
  (void)state;
  sim_play *p;
  sim_table *rows;
  char path[400];
  assert_ok(parse_play(falling, &p, err));
  assert_ok(sim_table_new(p, cbt_path("p.csv", path), &rows, err));
  const double h = 0.01, g = 9.80665;
  assert_ok(sim_table_add(rows, p, err));
  for (int n = 1; n <= 5; n++) {
    assert_ok(sim_play_step(p, NULL, err));
    assert_ok(sim_table_add(rows, p, err));
  }
  char *text = cbt_read(path), *line = text; /* before it is closed: a row is there when it was added */
  assert_memory_equal(text,
                      "time_s,kinetic_J,stretch_J,bending_J,gravity_J,friction_J,damping_J,supports_J,mean_x_"
                      "m,mean_y_m,mean_z_m,",
                      106);
  assert_non_null(strstr(text, ",a_x_m,a_y_m,a_z_m,a_vx_m_per_s,a_vy_m_per_s,a_vz_m_per_s,b_x_m,"));
  for (int n = 0; n <= 5; n++) {
    line = strchr(line, '\n') + 1;
    double v[26];
    char *at = line;
    for (int k = 0; k < 26; k++, at++) v[k] = strtod(at, &at);
    double z = -g * h * h * n * (n + 1) / 2;
    assert_near(v[0], n * h, 1e-15);
    assert_near(v[8], 0.1, 1e-12);
    double mass = 0.15 * 0.02, speed = g * n * h;
    assert_near(v[1], mass * speed * speed / 2, 1e-5 * mass * speed * speed);
    assert_near(v[4], mass * g * z, 1e-5 * mass * g * fabs(z));
    assert_near(v[14], 0, 1e-9);
    assert_near(v[20], 0.2, 1e-9);
    assert_near(v[21], 0.1, 1e-9);
    for (int k = 0; k < 3; k++) { /* floats solve for the change of velocity */
      assert_near(v[10 + 6 * k], z, 1e-5 * fabs(z));
      assert_near(v[13 + 6 * k], -g * n * h, 1e-5 * g * n * h);
    }
  }
  free(text);
  sim_table_close(rows);
  free_play(p);
}

/* A table goes on behind the rows up to the play's time: later ones, and half a row that a killed run left,
 * are gone. */
static void table_resumes(void **state) {
  (void)state;
  sim_play *p, *q;
  sim_table *rows;
  char path[400], half[400];
  assert_ok(parse_play(falling, &p, err));
  assert_ok(parse_play(falling, &q, err));
  assert_ok(sim_table_new(p, cbt_path("p.csv", path), &rows, err));
  assert_ok(sim_table_add(rows, p, err));
  for (int n = 1; n <= 5; n++) {
    assert_ok(sim_play_step(p, NULL, err));
    assert_ok(sim_table_add(rows, p, err));
    if (n == 2) assert_ok(sim_play_save(p, cbt_path("half.sim", half), err));
  }
  sim_table_close(rows);
  char *whole = cbt_read(path);
  char *longer = malloc(strlen(whole) + 20);
  assert_non_null(longer);
  (void)sprintf(longer, "%s0.06,1.5,", whole);
  cbt_write(path, longer);
  free(longer);
  assert_ok(sim_play_load(q, half, err));
  assert_ok(sim_table_resume(q, path, &rows, err));
  for (int n = 3; n <= 5; n++) {
    assert_ok(sim_play_step(q, NULL, err));
    assert_ok(sim_table_add(rows, q, err));
  }
  sim_table_close(rows);
  char *again = cbt_read(path);
  assert_string_equal(whole, again);
  cbt_write(path, "time_s,other\n0,1\n");
  assert_fails(CB_E_PARSE, "has other columns than this run", sim_table_resume(q, path, &rows, err));
  assert_null(rows);
  free(whole);
  free(again);
  free_play(p);
  free_play(q);
}

/* Where a place of the flat cloth is. */
static void flat_places(void **state) {
  (void)state;
  sim_rectangle r = {
      .length_m = 0.2, .width_m = 0.1, .pattern = SIM_PATTERN_RIGHT, .cells_across = 2, .warp_rad = 0.4};
  sim_mesh m;
  int vertex[3];
  double weight[3], centroid[2] = {0}, far[2] = {5, 5};
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  for (int k = 0; k < 3; k++)
    for (int d = 0; d < 2; d++) centroid[d] += m.corner_m[7][k][d] / 3;
  assert_true(sim_probe_in_flat(&m, centroid, vertex, weight));
  for (int k = 0; k < 3; k++) {
    assert_int_equal(vertex[k], m.triangle[7][k]);
    assert_near(weight[k], 1.0 / 3, 1e-12);
  }
  assert_false(sim_probe_in_flat(&m, far, vertex, weight));
  sim_mesh_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(ply, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(vtp, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(pvd, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(table, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(table_resumes, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test(flat_places)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
