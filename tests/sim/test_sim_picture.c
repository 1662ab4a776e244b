/* Pictures of scenes whose pixels can be told: where something is, which side, what hides what, where the
 * shadow falls. */
#include "cbtest.h"

#include <omp.h>
#include <png.h>

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_picture_draw.h"

#define W 120
#define H 80

static const int two[2][3] = {{0, 1, 2}, {0, 2, 3}};

/* A square of 2 a, level at this height, its face up. */
static void square(double (*x)[3], double a, double z) {
  const double corner[4][2] = {{-a, -a}, {a, -a}, {a, a}, {-a, a}};
  for (int i = 0; i < 4; i++) {
    x[i][0] = corner[i][0];
    x[i][1] = corner[i][1];
    x[i][2] = z;
  }
}

static sim_drawn drawn(double (*x)[3], bool ground) {
  return (sim_drawn){.n_vertices = 4,
                     .n_triangles = 2,
                     .position_m = (const double(*)[3])x,
                     .triangle = two,
                     .face = {0, 0, 0.8F},
                     .back = {0.8F, 0, 0},
                     .ground = ground};
}

static sim_view from_above(void) {
  return (sim_view){.width_px = W, .height_px = H, .azimuth_rad = -CB_PI / 2, .elevation_rad = CB_PI / 2};
}

static const unsigned char *at(const unsigned char *rgb, int x, int y) { return rgb + 3 * (y * W + x); }
static bool blue(const unsigned char *p) { return p[2] > p[0] + 60; }
static bool red(const unsigned char *p) { return p[0] > p[2] + 60; }

static bool bluish(const unsigned char *p) { return p[2] > p[0] + 30; }

static void read_png(const char *path, unsigned char *rgb) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  assert_true(png_image_begin_read_from_file(&image, path));
  assert_true(image.width == W && image.height == H);
  image.format = PNG_FORMAT_RGB;
  assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
}

/* Orthographic, the square fills the shorter side but for the margin of 4 %. */
static void lies_where_it_should(void **state) {
  (void)state;
  double x[4][3];
  unsigned char rgb[3 * W * H];
  sim_view view = from_above();
  square(x, 1, 0);
  for (int side = 0; side < 2; side++) {
    sim_drawn d = drawn(x, false);
    assert_ok(sim_picture_draw(&view, &d, 1, rgb, err));
    int seen = 0;
    for (int y = 0; y < H; y++)
      for (int i = 0; i < W; i++) {
        bool inside = fabs(i + 0.5 - W / 2.0) < H / 2.08 - 1 && fabs(y + 0.5 - H / 2.0) < H / 2.08 - 1;
        bool outside = fabs(i + 0.5 - W / 2.0) > H / 2.08 + 1 || fabs(y + 0.5 - H / 2.0) > H / 2.08 + 1;
        bool is = side ? red(at(rgb, i, y)) : blue(at(rgb, i, y));
        if (inside && !is) fail_msg("%d %d is not of side %d", i, y, side);
        if (outside && is) fail_msg("%d %d is of side %d", i, y, side);
        seen += is;
      }
    assert_near(sqrt(seen), H / 1.04, 1.5);
    view.elevation_rad = -CB_PI / 2;
  }
}

/* A small square under a large one is not seen from above, and alone is seen from below. */
static void near_hides_far(void **state) {
  (void)state;
  double large[4][3], small[4][3];
  unsigned char rgb[3 * W * H];
  square(large, 1, 0.5);
  square(small, 0.3, 0);
  const float green[3] = {0, 0.8F, 0};
  sim_drawn d[2] = {drawn(large, false), drawn(small, false)};
  memcpy(d[1].face, green, sizeof green);
  memcpy(d[1].back, green, sizeof green);
  for (int perspective = 0; perspective < 2; perspective++)
    for (int below = 0; below < 2; below++) {
      sim_view view = from_above();
      view.field_rad = perspective ? 0.5 : 0;
      view.elevation_rad *= below ? -1 : 1;
      assert_ok(sim_picture_draw(&view, d, 2, rgb, err));
      const unsigned char *middle = at(rgb, W / 2, H / 2), *beside = at(rgb, W / 2 + H / 3, H / 2);
      if (below) {
        assert_true(middle[1] > middle[0] && middle[1] > middle[2] && red(beside));
      } else {
        assert_true(blue(middle) && blue(beside));
      }
    }
}

/* The lamp stands 48 degrees above the ground: a square at height h has its shadow h / tan 48 deg further on,
 * as large as itself. */
static void shadow_falls(void **state) {
  (void)state;
  double high[4][3], ground[4][3];
  unsigned char with[3 * W * H], without[3 * W * H];
  square(high, 0.2, 0.4);
  square(ground, 3, 0);
  sim_drawn d[3] = {drawn(high, false), drawn(ground, true)};
  sim_view view = from_above();
  /* Four far corners, so that the camera stays where it is. */
  double corner[4][3];
  static const int spots[2][3] = {{0, 1, 1}, {2, 3, 3}};
  square(corner, 1, 0.2);
  d[2] = drawn(corner, false);
  d[2].triangle = spots;
  assert_ok(sim_picture_draw(&view, d, 3, with, err));
  d[0] = d[2];
  assert_ok(sim_picture_draw(&view, d, 3, without, err));
  double sum[3] = {0}, a = (-90 - 50) * CB_DEG, far = 0.4 / tan(48 * CB_DEG), px_per_m = H / 2 / 1.04;
  for (int y = 0; y < H; y++)
    for (int i = 0; i < W; i++) {
      int lost = at(without, i, y)[1] - at(with, i, y)[1];
      if (lost < 40 || blue(at(with, i, y))) continue;
      double u = (i + 0.5 - W / 2.0) / px_per_m, v = (H / 2.0 - y - 0.5) / px_per_m;
      assert_true(fabs(u + far * cos(a)) < 0.25 && fabs(v + far * sin(a)) < 0.25);
      sum[0] += 1;
    }
  /* The square covers (0.4 - |dx|)(0.4 - |dy|) of its shadow. */
  double hidden = fmax(0, 0.4 - fabs(far * cos(a))) * fmax(0, 0.4 - fabs(far * sin(a)));
  assert_near(sum[0] / px_per_m / px_per_m, 0.16 - hidden, 0.02);
}

/* A roof whose two sides meet at this angle; its ridge lies along y. */
static void roof(double (*x)[3], double angle) {
  for (int i = 0; i < 6; i++) {
    x[i][0] = (i % 3 - 1) * cos(angle / 2);
    x[i][1] = i < 3 ? -1 : 1;
    x[i][2] = i % 3 == 1 ? sin(angle / 2) : 0;
  }
}

/* From 90 degrees on each side of a fold has its own light to the ridge; a shallow fold is smooth. */
static void creases_stay_sharp(void **state) {
  (void)state;
  static const int four[4][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
  double x[6][3];
  unsigned char rgb[3 * W * H];
  const sim_view view = from_above();
  for (int steep = 0; steep < 2; steep++) {
    sim_drawn d = drawn(x, false);
    d.n_vertices = 6;
    d.n_triangles = 4;
    d.triangle = four;
    d.face[2] = 0.3F; /* far from white */
    roof(x, (steep ? 100 : 40) * CB_DEG);
    assert_ok(sim_picture_draw(&view, &d, 1, rgb, err));
    const int ridge = W / 2, eave = (int)(0.9 * H / 2.08 * cos(steep ? 50 * CB_DEG : 20 * CB_DEG));
    const int across = at(rgb, ridge - 3, H / 2)[2] - at(rgb, ridge + 2, H / 2)[2],
              along = at(rgb, ridge + 2, H / 2)[2] - at(rgb, ridge + eave, H / 2)[2];
    if (steep) {
      assert_true(across > 25 && abs(along) <= 1);
    } else {
      assert_true(abs(across) <= 3 && along > 6);
    }
  }
}

/* The middles of a coarse cloth's triangles are inside of the ball on which its corners lie. */
static void no_body_shows_through_its_cloth(void **state) {
  (void)state;
  const double radius = 0.5;
  sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = 120};
  sim_mesh m;
  sim_frame f;
  sim_drawn cloth;
  char path[400];
  unsigned char rgb[3 * W * H];
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_ok(sim_frame_init(&m, &f, err));
  for (int i = 0; i < m.n_vertices; i++) {
    const double u = m.position_m[i][0] - 0.5, v = m.position_m[i][1] - 0.5, way = hypot(u, v) + 1e-9;
    const double from = (radius + 0.0005) * sin(way / radius);
    f.position_m[i][0] = from * u / way;
    f.position_m[i][1] = from * v / way;
    f.position_m[i][2] = (radius + 0.0005) * cos(way / radius);
  }
  const sim_body ball = {.shape = SIM_SPHERE, .axis = {0, 0, 1}, .radius_m = radius};
  const sim_view view = from_above();
  assert_int_equal(sim_picture_surfaces(&f, &cloth), 1);
  assert_ok(sim_picture_of(&cloth, 1, &ball, 1, &view, cbt_path("ball.png", path), err));
  read_png(path, rgb);
  for (int y = 0; y < H; y++)
    for (int i = 0; i < W; i++)
      if (hypot(i + 0.5 - W / 2.0, y + 0.5 - H / 2.0) < 0.7 * H / 2.08 && !bluish(at(rgb, i, y)))
        fail_msg("the ball shows through at %d %d", i, y);
  sim_frame_clear(&f);
  sim_mesh_clear(&m);
}

static void same_for_any_threads(void **state) {
  (void)state;
  sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = 900};
  sim_mesh m;
  sim_frame f;
  char path[2][400];
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_ok(sim_frame_init(&m, &f, err));
  for (int i = 0; i < m.n_vertices; i++)
    f.position_m[i][2] = 0.2 + 0.1 * sin(15 * m.position_m[i][0] + 9 * m.position_m[i][1]);
  const sim_body bodies[] = {
      {.shape = SIM_PLANE, .axis = {0, 0, 1}},
      {.shape = SIM_SPHERE, .axis = {0, 0, 1}, .origin_m = {0.5, 0.5, 0}, .radius_m = 0.1},
      {.shape = SIM_CYLINDER, .axis = {1, 0, 0}, .origin_m = {0, 0.2, 0.05}, .radius_m = 0.05}};
  sim_view view = sim_view_default();
  view.width_px = W;
  view.height_px = H;
  size_t n[2];
  char *text[2];
  int threads = omp_get_max_threads();
  for (int k = 0; k < 2; k++) {
    omp_set_num_threads(k ? 3 : 1);
    sim_drawn cloth;
    assert_int_equal(sim_picture_surfaces(&f, &cloth), 1);
    assert_ok(sim_picture_of(&cloth, 1, bodies, 3, &view, cbt_path(k ? "b.png" : "a.png", path[k]), err));
    assert_ok(cb_file_read(path[k], 1 << 24, &text[k], &n[k], err));
  }
  omp_set_num_threads(threads);
  assert_int_equal(n[0], n[1]);
  assert_memory_equal(text[0], text[1], n[0]);
  free(text[0]);
  free(text[1]);
  sim_frame_clear(&f);
  sim_mesh_clear(&m);
}

static void png_holds_the_pixels(void **state) {
  (void)state;
  unsigned char rgb[3 * W * H], back[3 * W * H];
  char path[400];
  for (int i = 0; i < 3 * W * H; i++) rgb[i] = (unsigned char)(i * 7 + i / 100);
  assert_ok(sim_picture_write(rgb, W, H, cbt_path("p.png", path), err));
  read_png(path, back);
  assert_memory_equal(rgb, back, sizeof rgb);
}

static void what_is_refused(void **state) {
  (void)state;
  double x[4][3];
  unsigned char rgb[3 * W * H];
  square(x, 1, 0);
  sim_drawn ground = drawn(x, true);
  sim_view view = from_above();
  assert_fails(CB_E_RANGE, "nothing to be drawn but ground", sim_picture_draw(&view, &ground, 1, rgb, err));
  view.width_px = 15;
  assert_fails(CB_E_RANGE, "15 x 80 pixels", sim_picture_draw(&view, &ground, 1, rgb, err));
  view = from_above();
  view.elevation_rad = 2;
  assert_fails(CB_E_RANGE, "at most 90 deg above", sim_picture_draw(&view, &ground, 1, rgb, err));
  view = from_above();
  view.field_rad = NAN;
  assert_fails(CB_E_RANGE, "opening angle = nan", sim_picture_draw(&view, &ground, 1, rgb, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lies_where_it_should),
      cmocka_unit_test(near_hides_far),
      cmocka_unit_test(shadow_falls),
      cmocka_unit_test(creases_stay_sharp),
      cmocka_unit_test_setup_teardown(no_body_shows_through_its_cloth, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(same_for_any_threads, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(png_holds_the_pixels, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test(what_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
