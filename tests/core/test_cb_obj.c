/* OBJ files: what stands in them comes out, and every line that cannot be read is named. */
#include "cb_obj.h"

#include <zlib.h>

#include "cb_gzip.h"
#include "cbtest.h"

static cb_status parse(const char *text, cb_obj *o, cb_err *err) {
  return cb_obj_parse(text, strlen(text), "m.obj", o, err);
}

static void a_square_with_texture_coordinates(void **state) {
  (void)state;
  cb_obj o;
  assert_ok(
      parse("# square\nmtllib x.mtl\nv 0 0 0.5 # first\nv 1 0 0\r\nv 1 \\\r\n1 0\nv -2.5e-1 1 0\nvt 0 0\nvt "
            "1\nvn 0 0 1\n"
            "f 1/1/1 2/2 \\\n3//1 -1/-1/1",
            &o, err));
  assert_int_equal(o.n_vertices, 4);
  assert_int_equal(o.n_texcoords, 2);
  assert_int_equal(o.n_triangles, 2);
  assert_near(o.vertex[0][2], 0.5, 0);
  assert_near(o.vertex[3][0], -0.25, 0);
  assert_near(o.texcoord[1][0], 1, 0);
  assert_near(o.texcoord[1][1], 0, 0);
  const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}}, texcoords[2][3] = {{0, 1, -1}, {0, -1, 1}};
  assert_memory_equal(o.triangle, triangles, sizeof triangles);
  assert_memory_equal(o.triangle_texcoord, texcoords, sizeof texcoords);
  assert_true(o.line[0] == 11 && o.line[1] == 11);
  cb_obj_clear(&o);
}

static void bad_lines_are_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
    cb_status st;
  } cases[] = {
      {"", "0 vertices", CB_E_PARSE},
      {"v 0 0 0\n", "0 faces", CB_E_PARSE},
      {"v 0 0 0\nv 1 0\nf 1 1 1\n", "m.obj:2: vertex with 2 numbers", CB_E_PARSE},
      {"v 0 0 nan\nf 1 1 1\n", "m.obj:1: vertex = 'nan'", CB_E_PARSE},
      {"v 0 0 0\nf 1 1 2\n", "m.obj:2: vertex 2: there are 1", CB_E_RANGE},
      {"v 0 0 0\nf 1 1 0\n", "vertex 0", CB_E_RANGE},
      {"v 0 0 0\nf 1 1 -2\n", "vertex -2", CB_E_RANGE},
      {"v 0 0 0\nf 1/1 1 1\n", "texture coordinate 1: there are 0", CB_E_RANGE},
      {"v 0 0 0\nf 1 1\n", "m.obj:2: a face with 2 corners", CB_E_PARSE},
      {"v 0 0 \\\n0\n# \\\n\nf 1 1 2\n", "m.obj:5: vertex 2", CB_E_RANGE},
      {"v 0 0 0\nf 1 x 1\n", "vertex = 'x'", CB_E_PARSE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    cb_obj o;
    assert_fails(cases[i].st, cases[i].says, parse(cases[i].text, &o, err));
    cb_obj_clear(&o);
  }
}

/* Every triangle has area and runs as its polygon does, and together they have its area: corners on a line at
 * any place, a concave polygon, and the same seen from behind and standing upright. */
static void polygons_are_cut_right(void **state) {
  (void)state;
  static const struct {
    const char *faces;
    double area;
  } cases[] = {
      {"f 1 2 3 4 5 6 7 8\n", 4}, /* a square with a corner in the middle of each side */
      {"f 2 3 4 5 6 7 8 1\n", 4}, {"f 1 2 3 5 7\n", 4},
      {"f 1 9 2 3 7\n", 2},  /* two corners on one side of a triangle */
      {"f 1 3 10 7\n", 1.5}, /* concave at its third corner */
      {"f 3 10 7 1\n", 1.5},      {"f 10 7 1 3\n", 1.5},
  };
  static const char *const grid[] = {"v %g %g 0\n", "v 0 %g %g\n", "v %g 0 %g\n"};
  static const double x[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1},  {2, 2},
                                {1, 2}, {0, 2}, {0, 1}, {.5, 0}, {.75, .75}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int plane = 0; plane < 3; plane++) {
      char text[1000];
      int n = 0, up = (plane + 2) % 3;
      cb_obj o;
      double area = 0;
      for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, grid[plane], x[i][0], x[i][1]);
      (void)snprintf(text + n, sizeof text - (size_t)n, "%s", cases[c].faces);
      assert_ok(parse(text, &o, err));
      if (plane == 1) up = 0;
      if (plane == 2) up = 1;
      const int u = plane == 1 ? 1 : 0, v = plane == 0 ? 1 : 2;
      for (size_t t = 0; t < o.n_triangles; t++) {
        const double *a = o.vertex[o.triangle[t][0]], *b = o.vertex[o.triangle[t][1]],
                     *d = o.vertex[o.triangle[t][2]];
        const double twice = (b[u] - a[u]) * (d[v] - a[v]) - (b[v] - a[v]) * (d[u] - a[u]);
        assert_true(a[up] == 0 && twice > 0.1);
        area += twice / 2;
      }
      assert_near(area, cases[c].area, 1e-12);
      cb_obj_clear(&o);
    }
}

static size_t pack(const char *text, size_t n, unsigned char *out, size_t room) {
  z_stream z = {0};
  assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (unsigned char *)(uintptr_t)text;
  z.avail_in = (unsigned)n;
  z.next_out = out;
  z.avail_out = (unsigned)room;
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  deflateEnd(&z);
  return room - z.avail_out;
}

static void gzip_is_unpacked(void **state) {
  (void)state;
  const char *text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  unsigned char packed[256];
  size_t n = pack(text, strlen(text), packed, sizeof packed);
  char path[400];
  cbt_path("m.obj.gz", path);
  assert_ok(cb_file_write(path, packed, n, err));
  cb_obj o;
  assert_ok(cb_obj_read(path, 1000, &o, err));
  assert_int_equal(o.n_triangles, 1);
  cb_obj_clear(&o);
  char *out;
  size_t n_out;
  assert_fails(CB_E_PARSE, "too early", cb_gzip_unpack(packed, n - 9, "m", 1000, &out, &n_out, err));
  packed[n - 6] ^= 1; /* the CRC */
  assert_fails(CB_E_PARSE, "damaged gzip", cb_gzip_unpack(packed, n, "m", 1000, &out, &n_out, err));
}

static void a_bomb_ends_at_the_limit(void **state) {
  (void)state;
  size_t n = 10000000;
  char *zeros = calloc(n, 1);
  assert_non_null(zeros);
  unsigned char packed[20000];
  size_t n_packed = pack(zeros, n, packed, sizeof packed);
  free(zeros);
  char *out;
  size_t n_out;
  assert_fails(CB_E_RANGE, "larger than the allowed 100000 bytes when unpacked",
               cb_gzip_unpack(packed, n_packed, "m", 100000, &out, &n_out, err));
  assert_null(out);
  assert_fails(CB_E_RANGE, "unpack to more than the allowed 100 times as much",
               cb_gzip_unpack(packed, n_packed, "m", n + 1, &out, &n_out, err));
  assert_null(out);
  /* A small file may be as simple as it likes. */
  n = (1 << 20) - 1;
  zeros = calloc(n, 1);
  n_packed = pack(zeros, n, packed, sizeof packed);
  free(zeros);
  assert_ok(cb_gzip_unpack(packed, n_packed, "m", n + 1, &out, &n_out, err));
  assert_int_equal(n_out, n);
  free(out);
}

static void all_members_are_unpacked(void **state) {
  (void)state;
  unsigned char packed[600];
  const size_t first = pack("v 0 0 0\n", 8, packed, 300), second = pack("v 1 0 0\n", 8, packed + first, 300);
  char *out;
  size_t n_out;
  assert_ok(cb_gzip_unpack(packed, first + second, "m", 1000, &out, &n_out, err));
  assert_string_equal(out, "v 0 0 0\nv 1 0 0\n");
  free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_square_with_texture_coordinates),
      cmocka_unit_test(bad_lines_are_named),
      cmocka_unit_test(polygons_are_cut_right),
      cmocka_unit_test_setup_teardown(gzip_is_unpacked, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test(a_bomb_ends_at_the_limit),
      cmocka_unit_test(all_members_are_unpacked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
