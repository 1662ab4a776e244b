/* A run that was saved, ended and resumed goes on to the bit; what is not a checkpoint of this cloth is
 * refused and changes nothing. */
#include "cbtest.h"

#include "sim_cloth.h"
#include "clothfile.h"
#include "sim_mesh.h"

typedef struct lab {
  sim_mesh mesh;
  sim_material material;
  sim_body body[3];
  sim_solid *solid;
  sim_tether tether;
  double *share;
  bool *gripped;
  sim_cloth_setup setup;
  sim_cloth *cloth;
} lab;

/* A sheet with one gripped corner, that falls on a ball, a turning torus and the ground. */
static void lab_init(lab *l, sim_cloth_scheme scheme) {
  sim_rectangle r = {
      .length_m = 0.3, .width_m = 0.3, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = 150};
  sim_friction friction = {.mu_kinetic = 0.2, .mu_static = 0.4};
  assert_ok(sim_mesh_rectangle(&r, &l->mesh, err));
  assert_ok(sim_solid_torus(0.1, 0.02, 16, &l->solid, err));
  l->material = sim_material_isotropic(0.2, 200, 2e-5);
  l->material.thickness_m = 1e-3;
  l->material.damping_s = 0.002;
  l->gripped = calloc((size_t)l->mesh.n_vertices, sizeof *l->gripped);
  for (int i = 0; i < l->mesh.n_vertices; i++) {
    l->mesh.position_m[i][2] = 0.12;
    l->gripped[i] = l->mesh.position_m[i][0] + l->mesh.position_m[i][1] < 1e-9;
  }
  l->body[0] = (sim_body){.shape = SIM_SPHERE,
                          .origin_m = {0.15, 0.15, 0.05},
                          .axis = {0, 0, 1},
                          .radius_m = 0.05,
                          .friction = friction};
  l->body[1] = (sim_body){
      .shape = SIM_TRIANGLES, .solid = l->solid, .origin_m = {0.2, 0.2, 0.08}, .spin_rad_per_s = {1, 0, 2}};
  l->body[2] = (sim_body){.shape = SIM_PLANE, .axis = {0, 0, 1}, .friction = friction};
  l->setup = sim_cloth_setup_default(&l->mesh, &l->material);
  l->setup.bodies = l->body;
  l->setup.n_bodies = 3;
  l->share = calloc((size_t)l->mesh.n_vertices, sizeof *l->share);
  l->share[l->mesh.n_vertices / 2] = 1;
  l->tether =
      (sim_tether){.direction = {1, 0, 0}, .share = l->share, .stiffness_N_per_m = 0.5, .anchor_m = 0.1};
  l->setup.tethers = &l->tether;
  l->setup.n_tethers = 1;
  l->setup.gripped = l->gripped;
  l->setup.self_collision = true;
  l->setup.self_friction = friction;
  l->setup.scheme = scheme;
  assert_ok(sim_cloth_new(&l->setup, &l->cloth, err));
}

static void lab_clear(lab *l) {
  sim_cloth_free(l->cloth);
  sim_mesh_clear(&l->mesh);
  sim_solid_free(l->solid);
  free(l->gripped);
  free(l->share);
}

static void step(lab *l, int n) {
  for (int k = 0; k < n; k++) assert_ok(sim_cloth_step(l->cloth, 0.002, NULL, err));
}

static void goes_on_to_the_bit(void **state) {
  (void)state;
  char path[400], after[400];
  for (int scheme = SIM_BACKWARD_EULER; scheme <= SIM_BDF2; scheme++) {
    lab through, first, second;
    lab_init(&through, (sim_cloth_scheme)scheme);
    lab_init(&first, (sim_cloth_scheme)scheme);
    lab_init(&second, (sim_cloth_scheme)scheme);
    size_t n = (size_t)through.mesh.n_vertices;
    step(&through, 100);
    step(&first, 50);
    assert_ok(cloth_save(first.cloth, cbt_path("half.cloth", path), err));
    assert_ok(cloth_load(second.cloth, path, err));
    assert_near(sim_cloth_time(second.cloth), sim_cloth_time(first.cloth), 0);
    step(&second, 50);
    sim_step_report report;
    assert_memory_equal(sim_cloth_position(through.cloth), sim_cloth_position(second.cloth),
                        n * 3 * sizeof(double));
    assert_memory_equal(sim_cloth_velocity(through.cloth), sim_cloth_velocity(second.cloth),
                        n * 3 * sizeof(double));
    assert_ok(sim_cloth_step(second.cloth, 0.002, &report, err));
    assert_true(report.contacts > 0); /* or the test would not say much */
    /* The same state is the same file. */
    char *one, *other;
    size_t size[2];
    step(&through, 1);
    assert_ok(cloth_save(through.cloth, path, err));
    assert_ok(cloth_save(second.cloth, cbt_path("other.cloth", after), err));
    assert_ok(cb_file_read(path, 1 << 24, &one, &size[0], err));
    assert_ok(cb_file_read(after, 1 << 24, &other, &size[1], err));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(one, other, size[0]);
    free(one);
    free(other);
    lab_clear(&through);
    lab_clear(&first);
    lab_clear(&second);
  }
}

/* Of any bit that is turned, and any byte that is cut off, something is noticed. */
static void damage_is_noticed(void **state) {
  (void)state;
  lab l;
  char path[400], *data;
  size_t n;
  lab_init(&l, SIM_BACKWARD_EULER);
  step(&l, 3);
  assert_ok(cloth_save(l.cloth, cbt_path("c.cloth", path), err));
  assert_ok(cb_file_read(path, 1 << 24, &data, &n, err));
  double *before = malloc((size_t)l.mesh.n_vertices * sizeof *l.mesh.position_m);
  memcpy(before, sim_cloth_position(l.cloth), (size_t)l.mesh.n_vertices * sizeof *l.mesh.position_m);
  for (size_t i = 0; i < n; i += i < 60 ? 1 : 97) {
    cb_err err = {""};
    data[i] = (char)(data[i] ^ (1 << i % 8));
    assert_int_equal(sim_cloth_restore(l.cloth, (unsigned char *)data, n, "c", &err), CB_E_PARSE);
    assert_true(err.msg[0]);
    data[i] = (char)(data[i] ^ (1 << i % 8));
    assert_int_not_equal(sim_cloth_restore(l.cloth, (unsigned char *)data, i, "c", &err), CB_OK);
  }
  assert_memory_equal(before, sim_cloth_position(l.cloth),
                      (size_t)l.mesh.n_vertices * sizeof *l.mesh.position_m);
  assert_ok(sim_cloth_restore(l.cloth, (unsigned char *)data, n, "c", err));
  free(before);
  free(data);
  lab_clear(&l);
}

static void of_another_cloth(void **state) {
  (void)state;
  lab l, other;
  char path[400];
  lab_init(&l, SIM_BACKWARD_EULER);
  assert_ok(cloth_save(l.cloth, cbt_path("c.cloth", path), err));
  lab_init(&other, SIM_BDF2);
  assert_fails(CB_E_RANGE, "c.cloth: belongs to another cloth", cloth_load(other.cloth, path, err));
  lab_clear(&other);
  lab_init(&other, SIM_BACKWARD_EULER);
  sim_cloth_free(other.cloth);
  other.material.damping_s = 0.003;
  assert_ok(sim_cloth_new(&other.setup, &other.cloth, err));
  assert_fails(CB_E_RANGE, "the same mesh, material, grips and method were wanted",
               cloth_load(other.cloth, path, err));
  sim_cloth_free(other.cloth);
  other.material = l.material;
  other.setup.n_bodies = 2;
  assert_ok(sim_cloth_new(&other.setup, &other.cloth, err));
  assert_fails(CB_E_RANGE, "has 3 bodies: 2 were wanted", cloth_load(other.cloth, path, err));
  assert_fails(CB_E_IO, "nothing.cloth", cloth_load(other.cloth, cbt_path("nothing.cloth", path), err));
  cbt_write(path, "v 0 0 0\n");
  assert_fails(CB_E_PARSE, "is no checkpoint of a cloth", cloth_load(other.cloth, path, err));
  lab_clear(&other);
  lab_clear(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(goes_on_to_the_bit, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(damage_is_noticed, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(of_another_cloth, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
