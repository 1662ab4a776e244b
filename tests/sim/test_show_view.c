/* view.html: its data decode to the frames within half a step of 16 bits, and the page is whole. The decoder
 * here follows the description in show_view.h alone. */
#include <jansson.h>
#include <zlib.h>

#include "cbtest.h"
#include "show_frames.h"
#include "show_view.h"

#define FRAMES 7
#define SIDE 12
#define N (SIDE * SIDE)
#define MOST_BYTES (1 << 20)

static char folder[256], frames[300], view[300], other[300], scan[300];

static int make_folder(void **state) {
  (void)state;
  (void)cbt_scratch(folder);
  (void)snprintf(frames, sizeof frames, "%s/%s", folder, SHOW_FRAMES_FILE);
  (void)snprintf(view, sizeof view, "%s/view.html", folder);
  (void)snprintf(other, sizeof other, "%s/values.csv", folder);
  (void)snprintf(scan, sizeof scan, "%s/scan.obj", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  (void)unlink(frames), (void)unlink(view), (void)unlink(other), (void)unlink(scan);
  return rmdir(folder);
}

/* ---- a run in closed form: a sheet that falls and waves; from frame 4 on its triangles turn the other way
 * ---- */

static void place(int k, int v, float out[3]) {
  const double x = 0.1 * (v % SIDE), y = 0.1 * (v / SIDE), t = 0.1 * k;
  out[0] = (float)x;
  out[1] = (float)(y + 0.01 * sin(7 * t + x));
  out[2] = (float)(1 - 4.9 * t * t + 0.05 * cos(5 * x + 3 * t));
}

static int make_triangles(int k, int (*triangle)[3]) {
  int n = 0;
  for (int v = 0; v < N; v++) {
    if (v % SIDE == SIDE - 1 || v / SIDE == SIDE - 1) continue;
    const int a = v, b = v + 1, c = v + SIDE, d = v + SIDE + 1;
    const int two[2][2][3] = {{{a, b, c}, {b, d, c}}, {{a, b, d}, {a, d, c}}};
    memcpy(triangle[n++], two[k >= 4][0], sizeof *triangle);
    memcpy(triangle[n++], two[k >= 4][1], sizeof *triangle);
  }
  return n;
}

static void write_run(const char *name) {
  static float at[N][3], value[N];
  static int triangle[2 * N][3];
  static show_frame f;
  char about[100];
  (void)snprintf(about, sizeof about, "{\"scene\": \"%s\", \"program\": \"test\"}", name);
  assert_ok(show_frames_new(frames, about, err));
  for (int k = 0; k < FRAMES; k++) {
    memset(&f, 0, sizeof f);
    for (int v = 0; v < N; v++) place(k, v, at[v]), value[v] = (float)(v % 5 - 1);
    f.time_s = 0.1 * k;
    f.n_surfaces = 1;
    f.surface[0] = (show_surface){.name = "cloth",
                                  .cloth = true,
                                  .n_vertices = N,
                                  .n_triangles = make_triangles(k, triangle),
                                  .n_channels = 1,
                                  .position_m = at,
                                  .triangle = triangle,
                                  .channel = {{.name = "height", .unit = "m", .value = value}}};
    assert_ok(show_frames_add(frames, &f, err));
  }
}

/* ---- the page ---- */

static char *text_between(const char *page, const char *from, const char *to) {
  const char *a = strstr(page, from);
  assert_non_null(a);
  a += strlen(from);
  const char *b = strstr(a, to);
  assert_non_null(b);
  return strndup(a, (size_t)(b - a));
}

static int digit(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = strchr(digits, c);
  return c && at ? (int)(at - digits) : 0;
}

static size_t from_base64(const char *text, unsigned char *out) {
  const size_t n = strlen(text);
  size_t m = 0;
  assert_int_equal(n % 4, 0);
  for (size_t i = 0; i < n; i += 4) {
    const int v =
        digit(text[i]) << 18 | digit(text[i + 1]) << 12 | digit(text[i + 2]) << 6 | digit(text[i + 3]);
    for (int b = 0; b < 3; b++) out[m++] = (unsigned char)(v >> (16 - 8 * b));
  }
  return m;
}

/* The page's description and its bytes. */
static json_t *read_page(unsigned char *data, size_t *n) {
  char *page;
  size_t size;
  assert_ok(cb_file_read(view, 1 << 24, &page, &size, err));
  assert_null(strstr(page, "@@"));
  assert_non_null(strstr(page, "MIT licence"));
  assert_non_null(strstr(page, "THREE.OrbitControls"));
  char *run = text_between(page, "<script id=\"run\" type=\"application/json\">", "</script>"),
       *text = text_between(page, "<script id=\"data\" type=\"text/plain\">", "</script>");
  unsigned char *packed = malloc(strlen(text) + 4);
  uLongf plain = MOST_BYTES;
  const size_t n_packed = from_base64(text, packed);
  assert_int_equal(uncompress(data, &plain, packed, n_packed), Z_OK);
  json_t *doc = json_loads(run, 0, NULL);
  assert_non_null(doc);
  *n = plain;
  free(packed);
  free(run);
  free(text);
  free(page);
  return doc;
}

static int unzigzag(unsigned z) { return (int)(z >> 1) ^ -(int)(z & 1); }

static double number_in(const json_t *list, int k) {
  return json_number_value(json_array_get(list, (size_t)k));
}

static unsigned u32(const unsigned char *at) {
  return at[0] | (unsigned)at[1] << 8 | (unsigned)at[2] << 16 | (unsigned)at[3] << 24;
}

static const unsigned char *check_triangles(const unsigned char *at, int k) {
  static int triangle[2 * N][3];
  const int n = make_triangles(k, triangle);
  assert_int_equal(u32(at), N);
  assert_int_equal(u32(at + 4), n);
  at += 8;
  for (int i = 0, v = 0; i < 3 * n; i++) {
    const unsigned z =
        at[i] | (unsigned)at[3 * n + i] << 8 | (unsigned)at[6 * n + i] << 16 | (unsigned)at[9 * n + i] << 24;
    v += unzigzag(z);
    assert_int_equal(v, triangle[i / 3][i % 3]);
  }
  return at + 12 * n;
}

static void test_decodes(void **state) {
  (void)state;
  static unsigned char data[MOST_BYTES];
  static uint16_t q[3][3 * N];
  static unsigned char value[N];
  size_t n;
  write_run("a <b>");
  assert_ok(show_view_write(&(show_view){.frames = frames}, view, err));
  json_t *doc = read_page(data, &n);
  assert_string_equal(json_string_value(json_object_get(doc, "scene")), "a <b>");
  assert_int_equal(json_array_size(json_object_get(doc, "times")), FRAMES);
  const json_t *s = json_array_get(json_object_get(doc, "surfaces"), 0), *low = json_object_get(s, "low"),
               *high = json_object_get(s, "high"),
               *channel = json_array_get(json_object_get(s, "channels"), 0);
  assert_near(json_number_value(json_object_get(channel, "low")), -3, 0); /* -1 to 3, 0 in the middle */
  assert_near(json_number_value(json_object_get(channel, "high")), 3, 0);
  const unsigned char *at = data;
  int used[3] = {0};
  for (int k = 0; k < FRAMES; k++) {
    const int flags = *at++, order = flags >> 2;
    assert_int_equal(flags & 3, k == 0 || k == 4 ? 3 : 1);
    used[order]++;
    if (flags & 2) at = check_triangles(at, k);
    memcpy(q[2], q[1], sizeof q[1]);
    memcpy(q[1], q[0], sizeof q[0]);
    for (int c = 0; c < 3; c++, at += 2 * N)
      for (int v = 0; v < N; v++) {
        const int i = 3 * v + c, from = order == 0 ? 0 : order == 1 ? q[1][i] : 2 * q[1][i] - q[2][i];
        q[0][i] = (uint16_t)(from + unzigzag(at[v] | (unsigned)at[N + v] << 8));
        float want[3];
        place(k, v, want);
        const double step = (number_in(high, c) - number_in(low, c)) / 65535;
        assert_near(number_in(low, c) + step * q[0][i], (double)want[c], 0.5 * step + 1e-8);
      }
    if (flags & 2) memset(value, 0, sizeof value);
    for (int v = 0; v < N; v++) {
      value[v] = (unsigned char)(value[v] + *at++);
      assert_near(-3 + 6 * value[v] / 255.0, v % 5 - 1, 0.5 * 6 / 255 + 1e-9);
    }
  }
  assert_int_equal(at - data, n);
  assert_true(used[0] == 2 && used[1] >= 2); /* new triangles, and the frame behind each */
  json_decref(doc);
}

/* Distances to a plane are heights above it. */
static void test_against(void **state) {
  (void)state;
  static unsigned char data[MOST_BYTES];
  size_t n;
  const char *plane = "v -9 -9 -1\nv 9 -9 -1\nv 9 9 -1\nv -9 9 -1\nf 1 2 3 4\n";
  const char *table =
      "time_s,mean_x_m,mean_y_m,mean_z_m,tip_x_m,tip_y_m,tip_z_m\n0,0,0,0,1,2,3\n0.6,0,0,0,4,5,6\n";
  write_run("plane");
  assert_ok(cb_file_write(scan, plane, strlen(plane), err));
  assert_ok(cb_file_write(other, table, strlen(table), err));
  const double square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const show_outline line = {.name = "measured", .n = 4, .xy_m = square, .z_m = 0.5};
  assert_ok(show_view_write(
      &(show_view){.frames = frames, .table = other, .against = scan, .outline = &line, .n_outlines = 1},
      view, err));
  json_t *doc = read_page(data, &n);
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < FRAMES; k++)
    for (int v = 0; v < N; v++) {
      float x[3];
      place(k, v, x);
      low = fmin(low, (double)x[2] + 1), high = fmax(high, (double)x[2] + 1);
    }
  const json_t *surfaces = json_object_get(doc, "surfaces"), *s = json_array_get(surfaces, 0),
               *c = json_array_get(json_object_get(s, "channels"), 1);
  assert_string_equal(json_string_value(json_object_get(c, "name")), "distance to scan.obj");
  /* The range has all but 0.2 % of the values at each end. */
  assert_true(json_number_value(json_object_get(c, "low")) < low + 0.1);
  assert_near(json_number_value(json_object_get(c, "high")), high, 0.01);
  assert_true(json_is_true(json_object_get(json_array_get(surfaces, 1), "against")));
  const json_t *probes = json_object_get(doc, "probes"), *tip = json_array_get(probes, 0);
  assert_int_equal(json_array_size(probes), 1); /* the mean is no probe */
  assert_string_equal(json_string_value(json_object_get(tip, "name")), "tip");
  assert_near(number_in(json_array_get(json_object_get(tip, "xyz"), 2), 1), 6, 0);
  const json_t *outline = json_array_get(json_object_get(doc, "outlines"), 0);
  assert_near(number_in(json_array_get(json_object_get(outline, "xy"), 2), 1), 1, 0);
  json_decref(doc);
}

static void test_refuses(void **state) {
  (void)state;
  assert_ok(show_frames_new(frames, "{}", err));
  assert_fails(CB_E_RANGE, "has no frame", show_view_write(&(show_view){.frames = frames}, view, err));
  assert_int_not_equal(access(view, F_OK), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_decodes, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_against, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_refuses, make_folder, remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
