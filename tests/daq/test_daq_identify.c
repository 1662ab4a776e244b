/* What a port says: replies as the manuals print them; that no question can move anything; and the exchange
 * on a port. */
#include "daqtest.h"

#include "daq_devices_parts.h"

static void replies(void **state) {
  (void)state;
  static const struct {
    daq_question asked;
    const char *bytes, *driver, *what, *serial;
  } cases[] = {
      {DAQ_Q_ZABER, "@01 0 OK IDLE WR 0\r\n", "zaber-ascii", "Zaber stage, device 1", ""},
      {DAQ_Q_NONE, "!02 1 IDLE --\r\n", "zaber-ascii", "Zaber stage, device 2", ""},
      {DAQ_Q_NONE, "\r\nGrbl 1.1f ['$' for help]\r\n", "grbl", "Grbl 1.1f", ""},
      {DAQ_Q_NONE, "\r\nGrblHAL 1.1f ['$' or '$HELP' for help]\r\n", "grbl", "grblHAL 1.1f", ""},
      {DAQ_Q_NONE, "rst:0x1\r\nGrbl 3.7 [FluidNC v3.7.13 (noradio) '$' for help]\r\n", "", "FluidNC v3.7.13",
       ""},
      {DAQ_Q_NONE, "Grbl 1.3a ['$' for help]\r\n", "grbl", "Grbl_ESP32 1.3a", ""},
      {DAQ_Q_GRBL_GCL, "<Alarm:11|MPos:0.000,0.000,0.000|FS:0,0,0|FW:grblHAL>\r\n", "grbl", "grblHAL", ""},
      {DAQ_Q_GRBL_GCL, "<Idle|MPos:0.000,0.000,0.000|FS:0,0>\r\n", "grbl", "Grbl", ""},
      {DAQ_Q_GRBL_GCL, "ok\r\n<Alarm|MPos:0.000,0.000,0.000|FS:0,0>\r\n", "grbl", "Grbl", ""},
      {DAQ_Q_GRBL_GCL, "-18.78 lbF\r\n", "mark10-gcl", "Mark-10 force gauge", ""},
      {DAQ_Q_ESM, "SM\r\n", "mark10-esm", "Mark-10 test stand", ""},
      {DAQ_Q_ESM, "S M UL\r\n", "mark10-esm", "Mark-10 test stand", ""},
      {DAQ_Q_SMC100, "1TS00000A\r\n", "smc100", "Newport SMC100, address 1", ""},
      {DAQ_Q_SICS, "I4 A \"B021002593\"\r\n", "mt-sics", "balance (MT-SICS)", "B021002593"},
      {DAQ_Q_SICS, "ES\r\n", "mt-sics", "balance (MT-SICS)", ""},
      {DAQ_Q_NONE, "12\r\n0.4312\r\n0.4309\r\n0.4311\r\n", "line", "stream of readings", ""},
      {DAQ_Q_NONE, "N-m\r\n-0.00190 N-m\r\n-0.00191 N-m\r\n-0.00188 N-m\r\n", "line", "stream of readings",
       ""},
      {DAQ_Q_NONE, "9\r\n+999.99\r\n-000.01\r\n+000.10A\r\n", "futek-d500",
       "stream of readings as of a FUTEK D500", ""},
      {DAQ_Q_NONE, "9\r\n+999.99\r\n-000.01\r\n+000.10\r\n", "futek-d500",
       "stream of readings as of a FUTEK D500", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    daq_identified id = {0};
    if (!daq_identify_bytes(cases[i].asked, cases[i].bytes, strlen(cases[i].bytes), &id))
      fail_msg("case %zu: '%s'", i, cases[i].bytes);
    assert_string_equal(id.driver, cases[i].driver);
    assert_string_equal(id.what, cases[i].what);
    assert_string_equal(id.serial, cases[i].serial);
  }
}

/* Answers to other questions, echoes, halves of lines and noise say nothing. */
static void no_replies(void **state) {
  (void)state;
  static const struct {
    daq_question asked;
    const char *bytes;
  } cases[] = {
      {DAQ_Q_ZABER, "SM\r\n"},          {DAQ_Q_ESM, "-18.78 lbF\r\n"},
      {DAQ_Q_SMC100, "1TS\r\n"},        {DAQ_Q_ESM, "p\r\n"},
      {DAQ_Q_NONE, "0.4\r\n0.5\r\n"},   {DAQ_Q_NONE, "a\r\nb\r\nc\r\nd\r\n"},
      {DAQ_Q_GRBL_GCL, "<Idle|MPos:0"}, {DAQ_Q_SICS, "I4 A"},
      {DAQ_Q_SMC100, "1TS00000G\r\n"},  {DAQ_Q_NONE, "\xff\xfe\r\n\x80\r\n"},
      {DAQ_Q_GRBL_GCL, "*10\r\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    daq_identified id = {0};
    if (daq_identify_bytes(cases[i].asked, cases[i].bytes, strlen(cases[i].bytes), &id))
      fail_msg("case %zu: %s", i, id.what);
    assert_string_equal(id.what, "");
  }
}

/* ---- safety ---- */

/* Single letters that a Mark-10 stand obeys by moving (u, d), by another mode or speed, limits, zero; $, !, ~
 * and the bytes from 0x18 on that Grbl obeys at once; @ (a balance's reset), * (a D500's commands). p, its
 * status, is the question itself. */
static const char obeyed[] = "udojkegzhmlcs$!~@*\x18";

static void harmless_letters(void **state) {
  (void)state;
  for (int q = DAQ_Q_NONE + 1; q < DAQ_N_QUESTIONS; q++)
    for (const char *p = daq_question_texts[q]; *p; p++) {
      assert_null(strchr(obeyed, *p));
      assert_true((unsigned char)*p < 0x80);
    }
  /* The stand is asked before it could hear a capital letter, which zeroes its gauge or changes its mode. */
  assert_string_equal(daq_question_texts[DAQ_Q_NONE + 1], "p");
}

#define WIRE_MAX 100000

/* The line's level over time in units of 1/sixteenth of the fastest bit, as the text is sent at `baud`. */
static size_t wire_of(const char *text, int baud, unsigned char *level) {
  size_t n = 0, per_bit = (size_t)(16 * 115200 / baud);
  for (size_t k = 0; k < 10 * per_bit; k++) level[n++] = 1;
  for (const char *p = text; *p; p++)
    for (int bit = -1; bit <= 8; bit++)
      for (size_t k = 0; k < per_bit; k++)
        level[n++] = bit < 0 ? 0 : bit > 7 ? 1 : ((unsigned char)*p >> bit) & 1;
  for (size_t k = 0; k < 20 * per_bit; k++) level[n++] = 1;
  return n;
}

/* A receiver at another speed, which samples in the middle of its bits; framing errors count as received, to
 * be on the safe side. */
static bool hears(const char *text, int sent, int heard, const char *letters) {
  static unsigned char level[WIRE_MAX];
  size_t n = wire_of(text, sent, level), per_bit = (size_t)(16 * 115200 / heard);
  for (size_t i = 1; i + 10 * per_bit < n; i++) {
    if (!(level[i - 1] == 1 && level[i] == 0)) continue;
    unsigned c = 0;
    for (size_t bit = 0; bit < 8; bit++) c |= (unsigned)level[i + per_bit / 2 + (bit + 1) * per_bit] << bit;
    if (c && c < 0x80 && strchr(letters, (int)c)) return true;
    i += 9 * per_bit;
  }
  return false;
}

/* Speeds rise, so that a stand which is set to any of them has answered at its own before it hears a faster
 * one: whatever is sent more slowly than it listens must not look like u or d. */
static void harmless_at_the_wrong_speed(void **state) {
  (void)state;
  for (const int *sent = daq_question_bauds; *sent; sent++) {
    assert_true(sent[1] == 0 || sent[1] > sent[0]);
    /* The receiver is one: it hears what is said at its own speed. */
    assert_true(hears("xu", *sent, *sent, "u") && !hears("xp", *sent, *sent, "ud"));
    for (const int *heard = sent + 1; *sent && *heard; heard++)
      for (int q = DAQ_Q_NONE + 1; q < DAQ_N_QUESTIONS; q++)
        if (hears(daq_question_texts[q], *sent, *heard, "ud"))
          fail_msg("question %d sent at %d is heard at %d as u or d", q, *sent, *heard);
  }
}

/* ---- on a port ---- */

typedef struct device {
  dt_pty pty;
  const char *question, *answer, *stream;
  atomic_bool over;
  char got[512];
  size_t n;
  pthread_t thread;
} device;

static void *play_device(void *context) {
  device *d = context;
  daq_latency_prefer(); /* an instrument does not wait for a processor */
  while (!atomic_load(&d->over)) {
    struct pollfd p = {.fd = d->pty.master, .events = POLLIN};
    if (d->stream) (void)!write(d->pty.master, d->stream, strlen(d->stream));
    if (poll(&p, 1, 10) <= 0) continue;
    ssize_t n = read(d->pty.master, d->got + d->n, sizeof d->got - 1 - d->n);
    d->n += n > 0 ? (size_t)n : 0;
    d->got[d->n] = '\0';
    if (d->answer && strstr(d->got, d->question)) {
      (void)!write(d->pty.master, d->answer, strlen(d->answer));
      d->got[d->n = 0] = '\0';
    }
  }
  return NULL;
}

static void identify(device *d, daq_identified *id) {
  dt_pty_open(&d->pty);
  assert_int_equal(fcntl(d->pty.master, F_SETFL, O_NONBLOCK), 0);
  assert_int_equal(pthread_create(&d->thread, NULL, play_device, d), 0);
  assert_ok(daq_identify_port(d->pty.name, 0, true, NULL, id, err));
  atomic_store(&d->over, true);
  pthread_join(d->thread, NULL);
  dt_pty_close(&d->pty);
}

static void asked(void **state) {
  (void)state;
  static device d = {.question = "1TS\r\n", .answer = "1TS000033\r\n"};
  daq_identified id;
  identify(&d, &id);
  assert_string_equal(id.driver, "smc100");
  assert_true(id.baud > 0);
}

static void streams_are_not_asked(void **state) {
  (void)state;
  static device d = {.stream = "0.0512\r\n"};
  daq_identified id;
  identify(&d, &id);
  assert_string_equal(id.driver, "line");
  assert_string_equal(id.heard, "0.0512");
  assert_int_equal(d.n, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(replies),
                                     cmocka_unit_test(no_replies),
                                     cmocka_unit_test(harmless_letters),
                                     cmocka_unit_test(harmless_at_the_wrong_speed),
                                     cmocka_unit_test(asked),
                                     cmocka_unit_test(streams_are_not_asked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
