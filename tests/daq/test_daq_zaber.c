/* The Zaber parser against every kind of garbage, commands byte for byte, units against hand calculation. */
#include "cbtest.h"

#include <stdbool.h>

#include "cb_rng_parts.h"
#include "daq_zaber.h"

static daq_parse parse(const char *text, bool checksum, daq_zaber_message *m, size_t *used) {
  return daq_zaber_parse(text, strlen(text), checksum, m, used);
}

static void replies(void **state) {
  (void)state;
  daq_zaber_message m;
  size_t used;
  assert_int_equal(parse("@01 0 OK BUSY -- 0\r\n", false, &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(used, 20);
  assert_int_equal(m.kind, DAQ_ZABER_REPLY);
  assert_int_equal(m.device, 1);
  assert_int_equal(m.axis, 0);
  assert_int_equal(m.id, -1);
  assert_true(m.busy && !m.rejected);
  assert_string_equal(m.warning, "--");
  assert_string_equal(m.data, "0");
  assert_int_equal(parse("@12 1 07 RJ IDLE WR BADDATA\n", false, &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(m.device, 12);
  assert_int_equal(m.axis, 1);
  assert_int_equal(m.id, 7);
  assert_true(m.rejected && !m.busy);
  assert_string_equal(m.warning, "WR");
  assert_string_equal(m.data, "BADDATA");
  assert_int_equal(parse("@01 0 99 OK IDLE FS 100 -200\r", false, &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(m.id, 99);
  assert_string_equal(m.data, "100 -200");
}

static void alerts_and_infos(void **state) {
  (void)state;
  daq_zaber_message m;
  size_t used;
  assert_int_equal(parse("!01 1 IDLE FS\r\n", false, &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(m.kind, DAQ_ZABER_ALERT);
  assert_string_equal(m.warning, "FS");
  assert_int_equal(parse("#01 0 visit the manual\r\n", false, &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(m.kind, DAQ_ZABER_INFO);
  assert_string_equal(m.data, "visit the manual");
}

static void refused(void **state) {
  (void)state;
  static const char *const lines[] = {
      "@\r\n",
      "@01\r\n",
      "@01 0\r\n",
      "@01 0 OK\r\n",
      "@01 0 OK BUSY\r\n",
      "@01 0 OK BUSY --\r\n",
      "@01 0 OK BUSY - 0\r\n",
      "@01 0 OK BUSY --- 0\r\n",
      "@01 0 KO BUSY -- 0\r\n",
      "@01 0 OK LAZY -- 0\r\n",
      "@xx 0 OK BUSY -- 0\r\n",
      "@100 0 OK BUSY -- 0\r\n",
      "@01 x OK BUSY -- 0\r\n",
      "@-1 0 OK BUSY -- 0\r\n",
      "@01 0 1000 OK BUSY -- 0\r\n",
      "!01 1 IDLE\r\n",
      "!01\r\n",
      "#\r\n",
      "@01 0 OK BUSY -- \t1\r\n",
      "@01 0 OK BUSY -- \x80\r\n",
      "@01 0 OK BUSY -- 0:00\r\n",
      "/01 0 get pos\r\n",
      "\r\n",
      "\n",
      "garbage\r\n",
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    daq_zaber_message m;
    size_t used;
    if (parse(lines[i], false, &m, &used) != DAQ_PARSE_INVALID) fail_msg("'%s' was taken", lines[i]);
    /* It must get rid of something, or the caller would ask for ever. */
    assert_true(used > 0 && used <= strlen(lines[i]));
  }
}

/* Feeds the bytes one at a time, as a slow line would, and collects the data of the replies. */
static void feed(const char *bytes, size_t n, char *out, size_t size) {
  char buffer[1024];
  size_t have = 0;
  out[0] = '\0';
  for (size_t i = 0; i < n; i++) {
    buffer[have++] = bytes[i];
    daq_zaber_message m;
    size_t used;
    daq_parse p;
    while ((p = daq_zaber_parse(buffer, have, false, &m, &used)) != DAQ_PARSE_MORE) {
      assert_true(used > 0 && used <= have);
      memmove(buffer, buffer + used, have -= used);
      if (p == DAQ_PARSE_VALID && m.kind == DAQ_ZABER_REPLY)
        (void)snprintf(out + strlen(out), size - strlen(out), "%s;", m.data);
    }
    assert_int_equal(used, 0);
    assert_true(have < sizeof buffer);
  }
}

static void resynchronises(void **state) {
  (void)state;
  char got[256];
  const char text[] =
      "4 IDLE -- 17\r\n" /* the end of a message that began before we listened */
      "@01 0 01 OK IDLE -- 1\r\n"
      "@01 0 02 OK ID@01 0 03 OK IDLE -- 3\r\n" /* torn */
      "\xff\x00\x07 noise # ! @ \r\n"
      "!01 1 IDLE NI\r\n"
      "@01 0 04 OK IDLE -- 4\r\n"
      "@01 0 05 OK IDLE -- 5\n\n\r"
      "@01 0 06 OK IDLE -- 6\r\n";
  feed(text, sizeof text - 1, got, sizeof got);
  assert_string_equal(got, "1;3;4;5;6;");
}

static void too_long(void **state) {
  (void)state;
  char text[1024] = "@01 0 OK IDLE -- ", got[64];
  size_t n = strlen(text);
  memset(text + n, '1', 400);
  strcpy(text + n + 400, "\r\n@01 0 OK IDLE -- 2\r\n");
  feed(text, strlen(text), got, sizeof got);
  assert_string_equal(got, "2;");
}

/* Any bytes whatever: the parser ends, stays inside, always drops something, and a good message afterwards is
 * found. */
static void random_garbage(void **state) {
  (void)state;
  const char alphabet[] = "@!#/ :0123456789OKRJBUSYIDLE-WRFS\r\n\x00\xff";
  cb_rng rng;
  cb_rng_init(&rng, 11, 0);
  for (int round = 0; round < 2000; round++) {
    char text[256], got[512];
    size_t n = cb_rng_u64(&rng) % 120;
    for (size_t i = 0; i < n; i++) text[i] = alphabet[cb_rng_u64(&rng) % (sizeof alphabet - 1)];
    memcpy(text + n, "\r\n@07 0 42 OK IDLE -- 4711\r\n", 28);
    feed(text, n + 28, got, sizeof got);
    assert_non_null(strstr(got, "4711;"));
  }
}

static void checksums(void **state) {
  (void)state;
  daq_zaber_message m;
  size_t used;
  char line[96], right[64];
  size_t n = daq_zaber_format(line, sizeof line, 1, 7, "get pos", true);
  assert_int_equal(line[n - 1], '\n');
  /* The bytes after the marker and the checksum's value sum to 0 modulo 256. */
  unsigned sum = 0, said;
  char *colon = strrchr(line, ':');
  for (char *c = line + 1; c < colon; c++) sum += (unsigned char)*c;
  assert_int_equal(sscanf(colon, ":%2X", &said), 1);
  assert_int_equal((sum + said) % 256, 0);
  assert_int_equal(strlen(colon), 4);
  sum = 0;
  for (const char *c = "01 0 OK IDLE -- 5"; *c; c++) sum += (unsigned char)*c;
  (void)snprintf(right, sizeof right, "@01 0 OK IDLE -- 5:%02X\r\n", (256 - sum % 256) % 256);
  assert_int_equal(parse(right, true, &m, &used), DAQ_PARSE_VALID);
  assert_string_equal(m.data, "5");
  assert_int_equal(parse(right, false, &m, &used), DAQ_PARSE_VALID);
  assert_string_equal(m.data, "5");
  right[16] = '6'; /* one flipped digit */
  assert_int_equal(parse(right, true, &m, &used), DAQ_PARSE_INVALID);
  assert_int_equal(parse(right, false, &m, &used), DAQ_PARSE_INVALID);
  assert_int_equal(parse("@01 0 OK IDLE -- 5\r\n", true, &m, &used), DAQ_PARSE_INVALID);
}

static void commands(void **state) {
  (void)state;
  char line[96];
  assert_int_equal(daq_zaber_format(line, sizeof line, 1, 5, "move abs 1000", false), 23);
  assert_string_equal(line, "/01 0 05 move abs 1000\n");
}

static void units(void **state) {
  (void)state;
  /* 2.5 mm/s at 0.1984375 um: 12598.425 microsteps/s x 1.6384 = 20641.3; 500 mm/s2: 2519685 x 1.6384e-4 =
   * 412.8 */
  assert_int_equal(daq_zaber_speed_data(2.5e-3, 0.1984375e-6), 20641);
  assert_int_equal(daq_zaber_accel_data(0.5, 0.1984375e-6), 413);
}

static void flags(void **state) {
  (void)state;
  assert_int_equal(daq_zaber_flag_concern("FS"), DAQ_ZABER_FAULT);
  assert_int_equal(daq_zaber_flag_concern("F?"), DAQ_ZABER_FAULT); /* whatever a newer firmware calls it */
  assert_int_equal(daq_zaber_flag_concern("WR"), DAQ_ZABER_UNHOMED);
  assert_int_equal(daq_zaber_flag_concern("WH"), DAQ_ZABER_UNHOMED);
  assert_int_equal(daq_zaber_flag_concern("NI"), DAQ_ZABER_CUT_SHORT);
  assert_int_equal(daq_zaber_flag_concern("NC"), DAQ_ZABER_CUT_SHORT);
  assert_int_equal(daq_zaber_flag_concern("WM"), DAQ_ZABER_DOUBTFUL);
  assert_int_equal(daq_zaber_flag_concern("W?"), DAQ_ZABER_DOUBTFUL);
  assert_int_equal(daq_zaber_flag_concern("WT"), DAQ_ZABER_FINE);
  assert_int_equal(daq_zaber_flag_concern("--"), DAQ_ZABER_FINE);
  assert_string_equal(daq_zaber_flag_text("FS"), "stalled and stopped");
  assert_string_equal(daq_zaber_flag_text("XX"), "unknown flag");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(replies),        cmocka_unit_test(alerts_and_infos), cmocka_unit_test(refused),
      cmocka_unit_test(resynchronises), cmocka_unit_test(too_long),         cmocka_unit_test(random_garbage),
      cmocka_unit_test(checksums),      cmocka_unit_test(commands),         cmocka_unit_test(units),
      cmocka_unit_test(flags),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
