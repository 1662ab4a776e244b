/* Pictures: PNG to the bit, JPEG to its rounding; damage, claims of size and other formats end in a
 * sentence. */
#include "fit_picture.h"

#include "drapetest.h"

static fit_picture a_disc(void) {
  fit_picture p = dt_ground(100, 80, 255);
  dt_draw(&p, &(dt_rosette){50, 40, 30, 0, 0}, 10);
  return p;
}

static void read_back(const char *path, fit_picture *out) {
  char *bytes;
  size_t n;
  assert_ok(cb_file_read(path, 1 << 20, &bytes, &n, err));
  assert_ok(fit_picture_parse(bytes, n, path, out, err));
  free(bytes);
}

static void both_formats(void **state) {
  (void)state;
  char path[400];
  fit_picture p = a_disc(), q;
  dt_write_png(&p, cbt_path("a.png", path));
  read_back(path, &q);
  assert_int_equal(q.width, 100);
  assert_int_equal(q.height, 80);
  assert_memory_equal(p.grey, q.grey, 8000);
  fit_picture_clear(&q);
  dt_write_jpeg(&p, cbt_path("a.jpg", path), 95);
  read_back(path, &q);
  assert_int_equal(q.height, 80);
  for (size_t i = 0; i < 8000; i++) assert_near(q.grey[i], p.grey[i], 20);
  fit_picture_clear(&q);
  fit_picture_clear(&p);
}

/* Every cut of a file, and every byte of it turned over, is a picture or a sentence. */
static void damage(void **state) {
  (void)state;
  static const char *const names[] = {"a.png", "a.jpg"};
  char path[400];
  fit_picture p = a_disc();
  dt_write_png(&p, cbt_path(names[0], path));
  dt_write_jpeg(&p, cbt_path(names[1], path), 80);
  fit_picture_clear(&p);
  for (int k = 0; k < 2; k++) {
    char *bytes;
    size_t n;
    assert_ok(cb_file_read(cbt_path(names[k], path), 1 << 20, &bytes, &n, err));
    for (size_t cut = 3; cut + 20 < n; cut += 7) {
      cb_err err = {""};
      assert_int_equal(fit_picture_parse(bytes, cut, names[k], &p, &err), CB_E_PARSE);
      assert_non_null(strstr(err.msg, names[k]));
      fit_picture_clear(&p);
    }
    for (size_t i = 0; i < n; i++) {
      cb_err err = {""};
      bytes[i] ^= 0x55;
      if (fit_picture_parse(bytes, n, names[k], &p, &err) != CB_OK) assert_true(err.msg[0] != 0);
      fit_picture_clear(&p);
      bytes[i] ^= 0x55;
    }
    free(bytes);
  }
}

static void claims(void **state) {
  (void)state;
  /* 60000 x 60000: IHDR with its CRC; SOI and SOF0. */
  static const unsigned char png[] = {0x89, 'P', 'N', 'G', 13,  10,   26,   10,   0,    0, 0,    13,
                                      'I',  'H', 'D', 'R', 0,   0,    0xea, 0x60, 0,    0, 0xea, 0x60,
                                      8,    0,   0,   0,   0,   0xa5, 0xb9, 0x2a, 0x9e, 0, 0,    0,
                                      0,    'I', 'D', 'A', 'T', 0x35, 0xaf, 0x06, 0x1e};
  static const unsigned char jpeg[] = {0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0xea, 0x60, 0xea, 0x60, 1, 1,
                                       0x11, 0,    0xff, 0xda, 0, 8,  1, 1,    0,    0,    63,   0};
  fit_picture p;
  assert_fails(CB_E_RANGE, "60000 x 60000 pixels", fit_picture_parse(png, sizeof png, "p", &p, err));
  fit_picture_clear(&p);
  assert_fails(CB_E_RANGE, "60000 x 60000 pixels", fit_picture_parse(jpeg, sizeof jpeg, "j", &p, err));
  fit_picture_clear(&p);
  assert_fails(CB_E_PARSE, "gif: neither a PNG nor a JPEG", fit_picture_parse("GIF89a", 6, "gif", &p, err));
  assert_fails(CB_E_PARSE, "neither", fit_picture_parse("", 0, "x", &p, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(both_formats, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(damage, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test(claims)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
