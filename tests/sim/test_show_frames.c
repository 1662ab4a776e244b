/* frames.show: what is written is what is read, a half-written frame is ignored, a resumed run cuts. */
#include <fcntl.h>
#include <sys/stat.h>

#include "cbtest.h"
#include "show_frames.h"

static char folder[256], path[300];

static int make_folder(void **state) {
  (void)state;
  (void)snprintf(path, sizeof path, "%s/%s", cbt_scratch(folder), SHOW_FRAMES_FILE);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  (void)unlink(path);
  return rmdir(folder);
}

static off_t size_of(void) {
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  return info.st_size;
}

/* A fan of n triangles, raised by the time. */
static void add_fan(double time_s, int n) {
  float at[12][3] = {{0}}, value[12] = {0};
  int triangle[10][3];
  for (int i = 0; i < n + 2; i++) {
    at[i][0] = (float)i, at[i][1] = (float)(i % 2), at[i][2] = (float)time_s;
    value[i] = (float)(10 * time_s + i);
  }
  for (int t = 0; t < n; t++) triangle[t][0] = 0, triangle[t][1] = t + 1, triangle[t][2] = t + 2;
  static show_frame f;
  memset(&f, 0, sizeof f);
  f.time_s = time_s;
  f.n_surfaces = 2;
  f.surface[0] = (show_surface){.name = "cloth",
                                .cloth = true,
                                .colour = {0.25f, 0.5f, 1},
                                .n_vertices = n + 2,
                                .n_triangles = n,
                                .n_channels = 1,
                                .position_m = at,
                                .triangle = triangle,
                                .channel = {{.name = "warp strain", .unit = "1", .value = value}}};
  f.surface[1] = (show_surface){.name = "ground",
                                .ground = true,
                                .n_vertices = 3,
                                .n_triangles = 1,
                                .position_m = at,
                                .triangle = triangle};
  assert_ok(show_frames_add(path, &f, err));
}

static void check_fan(show_frames *file, int k, double time_s, int n, bool as_before) {
  static show_frame f;
  assert_ok(show_frames_read(file, k, &f, err));
  const show_surface *s = &f.surface[0];
  assert_near(f.time_s, time_s, 0);
  assert_int_equal(f.n_surfaces, 2);
  assert_string_equal(s->name, "cloth");
  assert_true(s->cloth && !s->ground && f.surface[1].ground && !f.surface[1].cloth);
  assert_near(s->colour[1], 0.5, 0);
  assert_int_equal(s->as_before, as_before);
  assert_int_equal(s->n_vertices, n + 2);
  assert_int_equal(s->n_triangles, n);
  assert_int_equal(s->triangle[n - 1][2], n + 1);
  assert_near(s->position_m[n + 1][0], n + 1, 0);
  assert_near(s->position_m[n + 1][2], (float)time_s, 0);
  assert_string_equal(s->channel[0].name, "warp strain");
  assert_near(s->channel[0].value[n + 1], (float)(10 * time_s + n + 1), 0);
  show_frame_clear(&f);
}

static void test_round_trip(void **state) {
  (void)state;
  show_frames *file;
  assert_ok(show_frames_new(path, "{\"scene\": \"fan\"}", err));
  add_fan(0, 3);
  add_fan(0.5, 3);
  add_fan(1, 5); /* another mesh */
  add_fan(1.5, 5);
  add_fan(2, 5);
  assert_ok(show_frames_open(path, &file, err));
  assert_string_equal(show_frames_about(file), "{\"scene\": \"fan\"}");
  assert_int_equal(show_frames_count(file), 5);
  check_fan(file, 4, 2, 5, true);
  check_fan(file, 0, 0, 3, false);
  check_fan(file, 1, 0.5, 3, true);
  check_fan(file, 2, 1, 5, false);
  check_fan(file, 3, 1.5, 5, true);
  static show_frame f;
  assert_fails(CB_E_RANGE, "frame 5: 0 to 4", show_frames_read(file, 5, &f, err));
  show_frames_close(file);
}

static void test_half_written(void **state) {
  (void)state;
  show_frames *file;
  assert_ok(show_frames_new(path, "{}", err));
  add_fan(0, 3);
  const off_t one = size_of();
  add_fan(1, 3);
  const off_t two = size_of();
  for (off_t left = two - 1; left > one; left--) {
    assert_int_equal(truncate(path, left), 0);
    assert_ok(show_frames_open(path, &file, err));
    assert_int_equal(show_frames_count(file), 1);
    check_fan(file, 0, 0, 3, false);
    show_frames_close(file);
  }
  add_fan(2, 3); /* cuts it off first */
  assert_ok(show_frames_open(path, &file, err));
  assert_int_equal(show_frames_count(file), 2);
  check_fan(file, 1, 2, 3, true);
  show_frames_close(file);
}

static void test_cut(void **state) {
  (void)state;
  show_frames *file;
  assert_ok(show_frames_new(path, "{}", err));
  for (int k = 0; k < 4; k++) add_fan(k, 3);
  assert_fails(CB_E_RANGE, "has 4 frames: 5 or more", show_frames_cut(path, 5, err));
  assert_ok(show_frames_cut(path, 4, err));
  assert_ok(show_frames_cut(path, 2, err));
  add_fan(9, 3);
  assert_ok(show_frames_open(path, &file, err));
  assert_int_equal(show_frames_count(file), 3);
  check_fan(file, 2, 9, 3, true);
  show_frames_close(file);
  assert_ok(show_frames_cut(path, 0, err));
  add_fan(3, 4);
  assert_ok(show_frames_open(path, &file, err));
  check_fan(file, 0, 3, 4, false);
  show_frames_close(file);
}

static void flip(off_t at) {
  const int fd = open(path, O_RDWR);
  unsigned char byte;
  assert_int_equal(pread(fd, &byte, 1, at), 1);
  byte ^= 0x40;
  assert_int_equal(pwrite(fd, &byte, 1, at), 1);
  (void)close(fd);
}

static void test_damage(void **state) {
  (void)state;
  show_frames *file;
  static show_frame f;
  assert_fails(CB_E_IO, "a file of frames was wanted", show_frames_open("/nowhere/frames", &file, err));
  assert_ok(cb_file_write(path, "garbage", 7, err));
  assert_fails(CB_E_PARSE, "is no file of frames", show_frames_open(path, &file, err));
  assert_ok(show_frames_new(path, "{}", err));
  const off_t head = size_of();
  add_fan(0, 3);
  add_fan(1, 3);
  flip(head + 20);
  assert_ok(show_frames_open(path, &file, err));
  assert_fails(CB_E_PARSE, "frame 0 is damaged", show_frames_read(file, 0, &f, err));
  assert_fails(CB_E_PARSE, "frame 0 is damaged", show_frames_read(file, 1, &f, err)); /* its triangles */
  show_frames_close(file);
  flip(head);
  assert_fails(CB_E_PARSE, "something else stands where frame 0", show_frames_open(path, &file, err));
  flip(head - 1);
  assert_fails(CB_E_PARSE, "its description is damaged", show_frames_open(path, &file, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_round_trip, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_half_written, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_cut, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_damage, make_folder, remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
