/* glTF and OpenUSD of a run: a strip that rises by 0.1 m per frame, and a body that has other triangles in
 * its last frame. Other programs read such files in './run test show'. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cbtest.h"
#include "show_frames.h"
#include "show_scene.h"

static void put_surface(show_surface *s, const char *name, int n, double z_m) {
  *s = (show_surface){.cloth = true, .n_vertices = n + 2, .n_triangles = n, .colour = {0.1F, 0.2F, 0.3F}};
  (void)snprintf(s->name, sizeof s->name, "%s", name);
  s->position_m = calloc((size_t)n + 2, sizeof *s->position_m);
  s->triangle = calloc((size_t)n, sizeof *s->triangle);
  assert_true(s->position_m && s->triangle);
  for (int i = 0; i < n + 2; i++) {
    s->position_m[i][0] = (float)(i / 2) * 0.25F;
    s->position_m[i][1] = (float)(i % 2);
    s->position_m[i][2] = (float)z_m;
  }
  for (int t = 0; t < n; t++)
    for (int k = 0; k < 3; k++) s->triangle[t][k] = t + k;
}

static void write_frames(const char *path) {
  static show_frame frame;
  assert_ok(show_frames_new(
      path,
      "{\"scene\": \"s\", \"materials\": {\"cloth\": {\"thickness_mm\": 0.5, "
      "\"areal_density_g_per_m2\": 150, \"warp\": {\"green_strain\": [0, 1], "
      "\"stress_N_per_m\": [0, 400]}, \"weft\": {\"green_strain\": [0, 2], "
      "\"stress_N_per_m\": [0, 200]}, \"bending_Nm\": [[4e-6, 0, 0], [0, 1e-6, 0], [0, 0, 0]]}}}",
      err));
  for (int k = 0; k < 3; k++) {
    frame = (show_frame){.time_s = 0.5 * k, .n_surfaces = 2};
    put_surface(&frame.surface[0], "cloth", 4, 0.1 * k);
    put_surface(&frame.surface[1], "body1", k == 2 ? 3 : 2, -1);
    assert_ok(show_frames_add(path, &frame, err));
    show_frame_clear(&frame);
  }
}

static json_t *gltf_of(const char *path, size_t *bytes) {
  char *text;
  size_t n;
  assert_ok(cb_file_read(path, 1 << 20, &text, &n, err));
  assert_memory_equal(text, "glTF\2\0\0\0", 8);
  uint32_t whole, json;
  memcpy(&whole, text + 8, 4);
  memcpy(&json, text + 12, 4);
  assert_int_equal(whole, n);
  assert_int_equal(json % 4, 0);
  json_t *doc = json_loadb(text + 20, json, 0, NULL);
  assert_non_null(doc);
  *bytes = n - 28 - json;
  free(text);
  return doc;
}

static void a_run_is_a_gltf_scene(void **state) {
  (void)state;
  char frames[400], path[400];
  show_frames *f;
  size_t bytes;
  write_frames(cbt_path("frames.show", frames));
  assert_ok(show_frames_open(frames, &f, err));
  assert_ok(show_gltf_write(f, cbt_path("run.glb", path), err));
  show_frames_close(f);
  json_t *doc = gltf_of(path, &bytes), *meshes = json_object_get(doc, "meshes");
  assert_int_equal(json_array_size(meshes), 3); /* the strip, the body of two frames, the body of the last */
  const size_t targets[] = {2, 1, 0};
  for (size_t i = 0; i < 3; i++) {
    json_t *primitive = json_array_get(json_object_get(json_array_get(meshes, i), "primitives"), 0);
    assert_int_equal(json_array_size(json_object_get(primitive, "targets")), targets[i]);
  }
  /* The second target of the strip is 0.2 m up, everywhere. */
  json_t *places = json_array_get(
      json_object_get(doc, "accessors"),
      (size_t)json_integer_value(json_object_get(
          json_array_get(
              json_object_get(json_array_get(json_object_get(json_array_get(meshes, 0), "primitives"), 0),
                              "targets"),
              1),
          "POSITION")));
  assert_int_equal(json_integer_value(json_object_get(places, "count")), 6);
  for (int side = 0; side < 2; side++) {
    json_t *corner = json_object_get(places, side ? "max" : "min");
    assert_near(json_number_value(json_array_get(corner, 2)), 0.2, 1e-7);
    assert_near(json_number_value(json_array_get(corner, 0)), 0, 1e-12);
  }
  /* weights of two parts, presence of two */
  json_t *channels = json_object_get(json_array_get(json_object_get(doc, "animations"), 0), "channels");
  assert_int_equal(json_array_size(channels), 4);
  json_t *buffer = json_array_get(json_object_get(doc, "buffers"), 0);
  assert_int_equal(json_integer_value(json_object_get(buffer, "byteLength")), bytes);
  json_decref(doc);
}

static size_t count_of(const char *text, const char *word) {
  size_t n = 0;
  for (const char *at = text; (at = strstr(at, word)); at++) n++;
  return n;
}

static void a_run_is_an_openusd_stage(void **state) {
  (void)state;
  char frames[400], path[400];
  show_frames *f;
  write_frames(cbt_path("frames.show", frames));
  assert_ok(show_frames_open(frames, &f, err));
  assert_ok(show_usd_write(f, cbt_path("run.usda", path), err));
  show_frames_close(f);
  char *text = cbt_read(path);
  assert_memory_equal(text, "#usda 1.0\n", 10);
  assert_int_equal(count_of(text, "def Mesh "), 2);
  assert_int_equal(count_of(text, "points.timeSamples"), 2);
  assert_non_null(strstr(text, "metersPerUnit = 1\n"));
  assert_non_null(strstr(text, "timeCodesPerSecond = 2\n"));
  /* 150 g/m2 in 0.5 mm; sqrt(400 N/m x 100 N/m); sqrt(4 x 1) uN m */
  assert_non_null(strstr(text, "physics:density = 300\n"));
  assert_non_null(strstr(text, "physics:surfaceStretchStiffness = 200\n"));
  assert_non_null(strstr(text, "physics:surfaceBendStiffness = 2e-06\n"));
  assert_null(strstr(text, "surfaceShearStiffness")); /* not known */
  assert_non_null(strstr(text, "2: [(0, 0, 0.200000003)"));
  free(text);
}

/* A strip in frames at these times, with another surface in all frames but the second. */
static char *stage_of(const char *about, const char *other, const double *time_s, int n) {
  static show_frame frame;
  char frames[400], path[400];
  show_frames *f;
  assert_ok(show_frames_new(cbt_path("frames.show", frames), about, err));
  for (int k = 0; k < n; k++) {
    frame = (show_frame){.time_s = time_s[k], .n_surfaces = k == 1 ? 1 : 2};
    put_surface(&frame.surface[0], "cloth", 4, 0.1 * k);
    if (k != 1) put_surface(&frame.surface[1], other, 2, -1);
    assert_ok(show_frames_add(frames, &frame, err));
    show_frame_clear(&frame);
  }
  assert_ok(show_frames_open(frames, &f, err));
  assert_ok(show_usd_write(f, cbt_path("run.usda", path), err));
  show_frames_close(f);
  return cbt_read(path);
}

static const double even_s[] = {0, 0.05, 0.1};

/* S_uv = 120 N/m x E_uv, and the shear angle is 2 E_uv: 60 N/m over the angle, as a scene's shear_N_per_m. */
static void shear_stiffness_is_stress_over_the_angle(void **state) {
  (void)state;
  char *text = stage_of(
      "{\"materials\": {\"cloth\": {\"thickness_mm\": 1, \"shear\": "
      "{\"green_strain\": [0, 1], \"stress_N_per_m\": [0, 120]}}}}",
      "body1", even_s, 3);
  assert_non_null(strstr(text, "physics:surfaceShearStiffness = 60\n"));
  assert_non_null(strstr(text, "apiSchemas = [\"PhysicsSurfaceDeformableMaterialAPI\"]"));
  assert_non_null(strstr(text, "apiSchemas = [\"MaterialBindingAPI\"]"));
  free(text);
}

static void no_mesh_is_bound_to_a_material_that_is_not_there(void **state) {
  (void)state;
  char *text = stage_of("{}", "body1", even_s, 3);
  assert_null(strstr(text, "ClothMaterial"));
  free(text);
}

/* The last frame comes after 0.02 s, the others every 0.05 s. */
static void time_codes_are_times(void **state) {
  (void)state;
  const double time_s[] = {0, 0.05, 0.1, 0.12};
  char *text = stage_of("{}", "body1", time_s, 4), *at = strstr(text, "point3f[] points.timeSamples");
  const double rate_Hz = strtod(strstr(text, "timeCodesPerSecond = ") + 21, NULL);
  assert_near(strtod(strstr(text, "endTimeCode = ") + 14, NULL) / rate_Hz, 0.12, 1e-9);
  at = strchr(at, '{') + 1;
  for (int k = 0; k < 4; k++) {
    assert_near(strtod(at, &at) / rate_Hz, time_s[k], 1e-9);
    at = strchr(at, ']') + 2;
  }
  free(text);
}

static void a_surface_is_hidden_where_it_is_not(void **state) {
  (void)state;
  char *text = stage_of("{}", "body1", even_s, 3);
  assert_int_equal(count_of(text, "visibility.timeSamples"), 1);
  assert_non_null(
      strstr(text, "      0: \"inherited\",\n      1: \"invisible\",\n      2: \"inherited\",\n"));
  free(text);
}

static void a_name_stays_a_name(void **state) {
  (void)state;
  char *text = stage_of("{}", "b\" (x", even_s, 3);
  assert_non_null(strstr(text, "def Mesh \"_b___x_1\"\n"));
  free(text);
}

static void an_empty_run_is_refused(void **state) {
  (void)state;
  char frames[400], path[400];
  show_frames *f;
  assert_ok(show_frames_new(cbt_path("frames.show", frames), "{}", err));
  assert_ok(show_frames_open(frames, &f, err));
  assert_fails(CB_E_RANGE, "no frame", show_gltf_write(f, cbt_path("run.glb", path), err));
  assert_fails(CB_E_RANGE, "no frame", show_usd_write(f, path, err));
  show_frames_close(f);
  assert_fails(CB_E_NOTFOUND, "no pictures", show_film_write(cbt_folder, 3, 10, path, err));
}

static long left; /* allocations of jansson until one fails; < 0: none does */

static void *sparse_malloc(size_t n) { return left-- == 0 ? NULL : malloc(n); }

/* Whichever allocation of the document fails, the file is whole or is not there. */
static void a_document_is_whole(void **state) {
  (void)state;
  char frames[400], whole_path[400], path[400];
  show_frames *f;
  write_frames(cbt_path("frames.show", frames));
  assert_ok(show_frames_open(frames, &f, err));
  assert_ok(show_gltf_write(f, cbt_path("whole.glb", whole_path), err));
  cbt_path("run.glb", path);
  cb_status st = CB_E_NOMEM;
  long n;
  json_set_alloc_funcs(sparse_malloc, free);
  for (n = 0; st == CB_E_NOMEM; n++) {
    cb_err err = {""};
    left = n;
    st = show_gltf_write(f, path, &err);
    if (st == CB_E_NOMEM) assert_int_not_equal(access(path, F_OK), 0);
  }
  json_set_alloc_funcs(malloc, free);
  assert_int_equal(st, CB_OK);
  assert_true(n > 200);
  size_t bytes, whole_bytes;
  json_t *doc = gltf_of(path, &bytes), *whole = gltf_of(whole_path, &whole_bytes);
  assert_true(json_equal(doc, whole) && bytes == whole_bytes);
  json_decref(doc);
  json_decref(whole);
  show_frames_close(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_run_is_a_gltf_scene, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_run_is_an_openusd_stage, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(shear_stiffness_is_stress_over_the_angle, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(no_mesh_is_bound_to_a_material_that_is_not_there, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(time_codes_are_times, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_surface_is_hidden_where_it_is_not, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_name_stays_a_name, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_document_is_whole, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(an_empty_run_is_refused, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
