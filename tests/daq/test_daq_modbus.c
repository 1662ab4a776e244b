/* Modbus RTU: frames as the specification and makers' manuals print them, the driver on a line that plays an
 * indicator by hand, and against the emulator. */
#include "forcetest.h"

#include "daq_modbus.h"

static const daq_modbus_question two = {1, 3, 7, 2};

/* Modbus application protocol V1.1b3, section 6.3: registers 108 to 110 of device 17; the sum of the whole
 * frame as in Modbus_over_serial_line, and as simplymodbus.ca prints it. */
static void questions(void **state) {
  (void)state;
  char out[DAQ_MODBUS_QUESTION];
  daq_modbus_ask(&(daq_modbus_question){0x11, 3, 0x6B, 3}, out);
  assert_memory_equal(out, "\x11\x03\x00\x6B\x00\x03\x76\x87", 8);
}

static daq_parse parse(const daq_modbus_question *q, const char *bytes, size_t n, daq_modbus_answer *a) {
  size_t used;
  daq_parse p = daq_modbus_parse(bytes, n, q, a, &used);
  assert_int_equal(used, p == DAQ_PARSE_MORE ? 0 : n);
  return p;
}

/* Exception 2 to function 1 of device 10, as simplymodbus.ca prints it; 12345 in two registers. */
static void answers(void **state) {
  (void)state;
  static const char refusal[] = "\x0A\x81\x02\xB0\x53", whole[] = "\x01\x03\x04\x00\x00\x30\x39\x2E\x21";
  daq_modbus_answer a;
  assert_int_equal(parse(&(daq_modbus_question){10, 1, 0, 2}, refusal, 5, &a), DAQ_PARSE_VALID);
  assert_true(a.address == 10 && a.exception == 2);
  assert_string_equal(daq_modbus_exception(2), "illegal data address");
  assert_string_equal(daq_modbus_exception(7), "unknown code");
  for (size_t n = 0; n < 9; n++) assert_int_equal(parse(&two, whole, n, &a), DAQ_PARSE_MORE);
  assert_int_equal(parse(&two, whole, 9, &a), DAQ_PARSE_VALID);
  assert_true(a.address == 1 && a.exception == 0 && a.value[0] == 0 && a.value[1] == 12345);
  /* A sum of 16 bits finds every single false bit, but for those that make it another length. */
  for (int bit = 0; bit < 72; bit++) {
    char false_[9];
    memcpy(false_, whole, 9);
    false_[bit / 8] = (char)(false_[bit / 8] ^ 1 << bit % 8);
    size_t used;
    daq_parse p = daq_modbus_parse(false_, 9, &two, &a, &used);
    if (p != DAQ_PARSE_INVALID) fail_msg("bit %d: %d", bit, p);
  }
}

static void numbers(void **state) {
  (void)state;
  /* 50 is 42480000 as a float of IEEE 754, -2 is FFFFFFFE in two's complement. */
  assert_true(daq_modbus_number(CB_MODBUS_FLOAT, (const uint16_t[]){0x4248, 0}) == 50);
  assert_true(daq_modbus_number(CB_MODBUS_FLOAT_SWAPPED, (const uint16_t[]){0, 0x4248}) == 50);
  assert_true(daq_modbus_number(CB_MODBUS_INT16, (const uint16_t[]){0xFFFE, 0}) == -2);
  assert_true(daq_modbus_number(CB_MODBUS_INT32, (const uint16_t[]){0xFFFF, 0xFFFE}) == -2);
  assert_true(daq_modbus_number(CB_MODBUS_INT32_SWAPPED, (const uint16_t[]){0xFFFE, 0xFFFF}) == -2);
  assert_true(daq_modbus_width(CB_MODBUS_INT16) == 1 && daq_modbus_width(CB_MODBUS_FLOAT) == 2);
}

/* ---- the driver, byte by byte ---- */

typedef struct hand {
  dt_pty pty;
  const char *answer[4]; /* to each question in turn, the last one for ever */
  size_t n[4];
  size_t count;
  atomic_bool over;
  pthread_t thread;
} hand;

static void *answer_by_hand(void *context) {
  hand *h = context;
  size_t got = 0, asked = 0;
  char c;
  while (!atomic_load(&h->over)) {
    struct pollfd p = {.fd = h->pty.master, .events = POLLIN};
    if (poll(&p, 1, 5) <= 0 || read(h->pty.master, &c, 1) != 1 || ++got % DAQ_MODBUS_QUESTION != 0) continue;
    size_t i = asked < h->count ? asked++ : h->count - 1;
    if (write(h->pty.master, h->answer[i], h->n[i]) < 0) return NULL;
  }
  return NULL;
}

static void hand_start(hand *h) {
  dt_pty_open(&h->pty);
  if (pthread_create(&h->thread, NULL, answer_by_hand, h) != 0) fail_msg("no thread");
}

static void hand_end(hand *h) {
  atomic_store(&h->over, true);
  pthread_join(h->thread, NULL);
  dt_pty_close(&h->pty);
}

static cb_rig indicator(void) {
  cb_rig rig = {.path = "r.yaml",
                .force = {.driver = CB_FORCE_MODBUS_RTU,
                          .baud = 9600,
                          .unit = "g",
                          .rate_Hz = 100,
                          .start_timeout_s = 0.5,
                          .silence_timeout_s = 0.6,
                          .scale = 1}};
  rig.force.modbus = (cb_rig_modbus){true, 1, 3, 7, CB_MODBUS_INT32, CB_PARITY_EVEN, 2, -1};
  return rig;
}

#define GOOD "\x01\x03\x04\x00\x00\x30\x39\x2E\x21" /* 12345 */

static void fails(const char *answer, size_t n, const char *sentence) {
  cb_rig rig = indicator();
  hand h = {.answer = {answer}, .n = {n}, .count = 1};
  daq_force f;
  hand_start(&h);
  assert_fails(CB_E_DEVICE, sentence, daq_force_open(&f, &rig, h.pty.name, NULL, NULL, err));
  daq_force_close(&f);
  hand_end(&h);
}

static void refused(void **state) {
  (void)state;
  fails("\x01\x83\x02\xC0\xF1", 5,
        "device 1, function 3, register 7: refused with exception 2 (illegal data address)");
  fails("\x02\x03\x04\x00\x00\x30\x39\x1D\x21", 9, "device 1 was asked, and device 2 answers");
  fails("\x01\x03\x04\x00\x00\x30\x39\x2E\x20", 9, "none of them a reading of 'modbus-rtu': wrong baud rate");
  fails("", 0, "nothing came from the force read-out (modbus-rtu) within 0.6 s");
  fails("\x01\x83\x06\xC1\x32", 5, "none of them a reading"); /* busy for ever */
}

/* A spoilt answer is told, and the question asked again; half an answer is waited for no longer than a third
 * of the silence. */
static void asked_again(void **state) {
  (void)state;
  cb_rig rig = indicator();
  hand h = {.answer = {GOOD, "\x01\x03\x04\x00\x00\x30\x38\x2E\x21", "\x01\x03\x04\x00", GOOD},
            .n = {9, 9, 4, 9},
            .count = 4};
  daq_force f;
  daq_reading r[5];
  hand_start(&h);
  assert_ok(daq_force_open(&f, &rig, h.pty.name, NULL, NULL, err));
  assert_true(f.asked);
  assert_int_equal(ft_collect(&f, r, 5), 5);
  for (int i = 0; i < 5; i++) {
    assert_near(r[i].value, 123.45, 1e-12);
    assert_true(r[i].asked_s > 0 && r[i].answered_s >= r[i].asked_s);
  }
  assert_true(r[1].asked_s - r[0].asked_s >= 0.2);
  assert_int_equal(f.n_unreadable, 1);
  assert_int_equal(f.n_unanswered, 1);
  hand_end(&h);
  cb_err why = {""};
  size_t n;
  assert_int_equal(daq_force_read_many(&f, r, 5, &n, &why), CB_E_DEVICE);
  assert_non_null(strstr(why.msg, "the device was disconnected"));
  daq_force_close(&f);
}

/* ---- driver and emulator ---- */

static void reads(const char *registers, double digit) {
  char section[200];
  (void)snprintf(section, sizeof section, "modbus: {%s}\n", registers);
  ft_emulated("driver: modbus-rtu", section, digit, "");
}

static void every_type(void **state) {
  (void)state;
  reads("register: 0, type: float", 1e-7);
  reads("register: 65535, type: float-swapped, function: 4, address: 247, parity: odd", 1e-7);
  reads("register: 7, type: int16, decimals: 3, parity: even", 5e-4);
  reads("register: 7, type: int32, decimals_register: 12", 5e-5);
  reads("register: 7, type: int32-swapped, decimals_register: 6", 5e-5);
}

/* A wire that spoils a third of the answers: none of them becomes a reading, and the stream goes on. */
static void faults(void **state) {
  (void)state;
  const char *section = "modbus: {register: 7, type: int32, decimals: 4}\n";
  assert_int_equal(ft_spoil("driver: modbus-rtu", section, FT_ANY_FAULT ", flipped-bit: 3"), 0);
}

static void wrong_sections(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"register: 7, type: double", "type"},
      {"type: float", "register"},
      {"register: 7, type: int16, decimals: 1, decimals_register: 3", "one of them was wanted"},
      {"register: 7, type: int16, function: 6", "function"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char path[400], modbus[200];
    const char *const pairs[][2] = {
        {"driver: line", "driver: modbus-rtu"}, {"bench:", modbus}, {"rate_Hz: 400", "rate_Hz: 50"}};
    cb_rig rig;
    cb_err why = {""};
    (void)snprintf(modbus, sizeof modbus, "modbus: {%s}\nbench:", cases[i][0]);
    dt_rig_with(cbt_path("rig.yaml", path), pairs, 3);
    assert_int_not_equal(cb_rig_load(path, &rig, &why), CB_OK);
    if (!strstr(why.msg, cases[i][1])) fail_msg("%s", why.msg);
    cb_rig_clear(&rig);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(questions),   cmocka_unit_test(answers),
                                     cmocka_unit_test(numbers),     cmocka_unit_test(refused),
                                     cmocka_unit_test(asked_again), cmocka_unit_test(every_type),
                                     cmocka_unit_test(faults),      cmocka_unit_test(wrong_sections)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
