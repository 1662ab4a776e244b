/* Packed columns give back every bit, are as small as they must be, and cannot be made to crash. */
#include "cb_num.h"
#include "cb_pack.h"
#include "cb_rng.h"
#include "cbtest.h"

static double v[CB_PACK_MAX_N], back[CB_PACK_MAX_N];
static unsigned char packed[CB_PACK_HEADER + 8 * CB_PACK_MAX_N + 8];

/* Returns the packed size. */
static size_t round_trip(size_t n) {
  size_t size, used;
  assert_ok(cb_pack(v, n, packed, &size, err));
  assert_true(size <= cb_pack_bound(n));
  memset(back, 0x55, n * sizeof *back);
  assert_ok(cb_unpack(packed, size, n, back, &used, err));
  assert_int_equal(used, size);
  assert_memory_equal(back, v, n * sizeof *v);
  return size;
}

/* What makes doubles difficult. */
static void every_double_comes_back(void **state) {
  (void)state;
  static const double odd[] = {0.0,
                               -0.0,
                               NAN,
                               -NAN,
                               INFINITY,
                               -INFINITY,
                               5e-324,
                               2.2250738585072014e-308,
                               1e308,
                               -1e308,
                               0.1,
                               1.0 / 3,
                               1e22,
                               1e23,
                               1,
                               9007199254740991.0,
                               9007199254740992.0,
                               -9007199254740993.0,
                               1e-9,
                               1e-10,
                               123456789.123456789,
                               4503599627370496.5};
  size_t n = sizeof odd / sizeof odd[0];
  for (size_t i = 0; i < n; i++) {
    v[0] = odd[i];
    round_trip(1);
    for (size_t k = 0; k < n; k++) {
      v[1] = odd[k];
      v[2] = 0.25;
      round_trip(2);
      round_trip(3);
    }
  }
  memcpy(v, odd, sizeof odd);
  round_trip(n);
}

static void random_bits_come_back(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  for (int trial = 0; trial < 300; trial++) {
    size_t n = 1 + (size_t)(cb_rng_uniform(&rng) * 400);
    int decimals = (int)(cb_rng_uniform(&rng) * 12);
    double range = pow(10, 12 * cb_rng_uniform(&rng) - 6);
    for (size_t i = 0; i < n; i++) {
      double x = range * (cb_rng_uniform(&rng) - 0.5);
      v[i] = decimals < 10 ? cb_round_decimals(x, decimals) : x;
    }
    round_trip(n);
  }
}

/* Scale 3, reference 15000, 1 byte each: the layout that docs/reference/database.md promises. */
static void the_bytes_are_as_documented(void **state) {
  (void)state;
  static const unsigned char wanted[] = {3, 0, 1, 0, 4, 0, 0, 0, 0x98, 0x3a, 0, 0, 0, 0,
                                         0, 0, 0, 0, 0, 0, 0, 0, 0,    0,    0, 1, 4, 1};
  size_t size;
  v[0] = 15, v[1] = 14.999, v[2] = 15.002, v[3] = 14.999;
  assert_ok(cb_pack(v, 4, packed, &size, err));
  assert_int_equal(size, sizeof wanted);
  assert_memory_equal(packed, wanted, sizeof wanted);
}

/* Bytes per value against the entropy of what was packed: white Gaussian noise of sd s counts has log2(s
 * sqrt(2 pi e)) bits. */
static void noise_takes_little_more_than_its_entropy(void **state) {
  (void)state;
  enum { N = 16384 };
  cb_rng rng;
  cb_rng_init(&rng, 7, 1);
  for (double sd = 8; sd <= 512; sd *= 8) {
    for (size_t i = 0; i < N; i++) v[i] = rint(30000 + sd * cb_rng_normal(&rng));
    double bits = 8.0 * (double)round_trip(N) / N, entropy = log2(sd * sqrt(2 * CB_PI * exp(1)));
    print_message("sd %3g counts: %.2f bits, entropy %.2f\n", sd, bits, entropy);
    assert_true(bits > entropy - 0.1 && bits < entropy + 0.9);
  }
  for (size_t i = 0; i < N; i++) v[i] = (double)(i * 1000 + 77) / 1e6;
  assert_true(round_trip(N) < 64); /* an even clock is nearly nothing */
}

static void the_largest_column(void **state) {
  (void)state;
  size_t size;
  for (size_t i = 0; i < CB_PACK_MAX_N; i++) v[i] = (double)(i % 977) / 100;
  round_trip(CB_PACK_MAX_N);
  assert_fails(CB_E_ARG, "1 to 1048576 can be packed", cb_pack(v, 0, packed, &size, err));
  assert_fails(CB_E_ARG, "1 to 1048576 can be packed", cb_pack(v, CB_PACK_MAX_N + 1, packed, &size, err));
}

/* Every byte changed, every length cut: values or a sentence, never a crash; and a cut column is always
 * noticed. */
static void damaged_columns_are_no_columns(void **state) {
  (void)state;
  size_t size;
  for (size_t i = 0; i < 600; i++) v[i] = (double)(i * i % 331) / 10;
  assert_ok(cb_pack(v, 600, packed, &size, err));
  for (size_t i = 0; i < size; i++) {
    unsigned char *cut = malloc(i ? i : 1); /* of its own size, so that a sanitizer sees a read beyond it */
    memcpy(cut, packed, i);
    cb_err e = {""};
    assert_int_equal(cb_unpack(cut, i, 600, back, NULL, &e), CB_E_PARSE);
    assert_true(e.msg[0] != '\0');
    free(cut);
    for (int bit = 0; bit < 8; bit++) {
      packed[i] = (unsigned char)(packed[i] ^ (1 << bit));
      (void)!cb_unpack(packed, size, 600, back, NULL, NULL);
      packed[i] = (unsigned char)(packed[i] ^ (1 << bit));
    }
  }
  assert_fails(CB_E_PARSE, "does not hold 601 values", cb_unpack(packed, size, 601, back, NULL, err));
  assert_fails(CB_E_PARSE, "bytes for 1048577 values",
               cb_unpack(packed, size, CB_PACK_MAX_N + 1, back, NULL, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_double_comes_back),
      cmocka_unit_test(random_bits_come_back),
      cmocka_unit_test(the_bytes_are_as_documented),
      cmocka_unit_test(noise_takes_little_more_than_its_entropy),
      cmocka_unit_test(the_largest_column),
      cmocka_unit_test(damaged_columns_are_no_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
