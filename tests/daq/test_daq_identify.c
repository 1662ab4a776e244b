/* What a port says: replies as the manuals print them; that no question can move anything; and the exchange
 * on a port. */
#include "daqtest.h"

#include <signal.h>

#include "cb_rig.h"
#include "daq_devices_parts.h"
#include "daq_emulator.h"
#include "daq_modbus.h"
#include "vrig_apt.h"
#include "vrig_device.h"
#include "vrig_esm.h"
#include "vrig_force.h"
#include "vrig_gcs.h"
#include "vrig_grbl.h"
#include "vrig_smc100.h"
#include "vrig_zaber.h"

static void replies(void **state) {
  (void)state;
  static const struct {
    daq_question asked;
    const char *bytes, *driver, *what, *serial;
  } cases[] = {
      {DAQ_Q_IDN, "HEWLETT-PACKARD,34401A,0,11-5-2\r\n", "scpi",
       "instrument with SCPI: HEWLETT-PACKARD 34401A", ""},
      {DAQ_Q_IDN, "KEITHLEY INSTRUMENTS INC.,MODEL 2000,0812345,A20\n", "scpi",
       "instrument with SCPI: KEITHLEY INSTRUMENTS INC. MODEL 2000", "0812345"},
      {DAQ_Q_IDN, "0\n(c)2021 Physik Instrumente (PI) GmbH & Co. KG, C-863.12, V20001, 1.2.1\n", "lines",
       "PI controller C-863.12 (GCS)", "V20001"},
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

typedef struct message {
  daq_question asked;
  const char *bytes;
  size_t n;
  const char *driver, *what, *heard;
} message;

#define BYTES(text) text, sizeof(text) - 1
#define INFO                 \
  "\x06\x00\x54\x00\x81\x50" \
  "\xC1\xFC\x9B\x01KDC101\x00\x00\x1F\x00\x03\x02\x01\x00"

/* Messages of bytes: a controller's information; a reading, a refusal, and a question that comes back before
 * the answer. What is no answer of the one that was asked says nothing. */
static void messages(void **state) {
  (void)state;
  char info[91] = "?" INFO;
  const message cases[] = {
      {DAQ_Q_APT, info, sizeof info, "thorlabs-apt", "Thorlabs KDC101 (APT)", "?\\x06\\x00T\\x00\\x81P"},
      {DAQ_Q_APT, info, sizeof info - 1, "", "", ""},
      {DAQ_Q_ZABER, info, sizeof info, "", "", ""},
      {DAQ_Q_MODBUS, BYTES("\x01\x03\x02\x00\x2A\x39\x9B"), "modbus-rtu", "Modbus RTU device, address 1",
       "\\x01\\x03\\x02\\x00*9\\x9B"},
      {DAQ_Q_MODBUS_EVEN, BYTES("\x01\x83\x02\xC0\xF1"), "modbus-rtu",
       "Modbus RTU device, address 1, even parity", "\\x01\\x83\\x02"},
      {DAQ_Q_MODBUS, BYTES("\x01\x03\x00\x09\x00\x01\x54\x08\x01\x03\x02\x00\x2A\x39\x9B"), "modbus-rtu",
       "Modbus RTU device, address 1", "\\x01\\x03\\x00\\x09"},
      {DAQ_Q_MODBUS, BYTES("\x01\x03\x00\x09\x00\x01\x54\x08"), "", "", ""},
      {DAQ_Q_MODBUS, BYTES("\x01\x03\x02\x00\x2A\x39\x9C"), "", "", ""},
      {DAQ_Q_IDN, BYTES("\x01\x03\x02\x00\x2A\x39\x9B"), "", "", ""},
      {DAQ_Q_MODBUS, BYTES("\x02\x03\x02\x00\x2A\x7D\x9B"), "", "", ""}}; /* of address 2 */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const message *m = &cases[i];
    daq_identified id = {0};
    if (daq_identify_bytes(m->asked, m->bytes, m->n, &id) != (m->what[0] != '\0') ||
        strcmp(id.what, m->what) != 0 || strcmp(id.driver, m->driver) != 0 || !strstr(id.heard, m->heard))
      fail_msg("case %zu: '%s', driver '%s', heard '%s'", i, id.what, id.driver, id.heard);
    if (m->asked == DAQ_Q_APT && m->what[0]) assert_string_equal(id.serial, "27000001");
  }
}

/* The frame is the one that the read-out's code writes. */
static void modbus_question(void **state) {
  (void)state;
  const daq_question_text *t = &daq_question_texts[DAQ_Q_MODBUS];
  char own[DAQ_MODBUS_QUESTION];
  daq_modbus_ask(&(daq_modbus_question){1, 3, 9, 1}, own);
  assert_int_equal(t->n, sizeof own);
  assert_memory_equal(t->bytes, own, sizeof own);
}

/* ---- safety ---- */

/* Single letters that a Mark-10 stand obeys by moving (u, d), by another mode or speed, limits, zero; $, !, ~
 * and the bytes from 0x18 on that Grbl obeys at once, its reset among them (the stop of a PI controller); @
 * (a balance's reset); 4, the second byte of every message that moves a Thorlabs stage. p, a stand's status,
 * is the question itself. */
static const char obeyed[] = "udojkegzhmlcs$!~@\x18\x04";

static void harmless_letters(void **state) {
  (void)state;
  for (int q = DAQ_Q_NONE + 1; q < DAQ_N_QUESTIONS; q++)
    for (size_t i = 0; i < daq_question_texts[q].n; i++) {
      const char c = daq_question_texts[q].bytes[i];
      assert_true(c == '\0' || !strchr(obeyed, c));
      assert_true((unsigned char)c < 0x80);
      /* '*' begins a command of a D500 whose address follows: I is address 18 */
      assert_true(c != '*' || (q == DAQ_Q_IDN && daq_question_texts[q].bytes[i + 1] == 'I'));
    }
  /* The stand is asked before it could hear a capital letter, which zeroes its gauge or changes its mode. */
  assert_int_equal(daq_question_texts[DAQ_Q_NONE + 1].n, 1);
  assert_string_equal(daq_question_texts[DAQ_Q_NONE + 1].bytes, "p");
}

#define WIRE_MAX 100000

static size_t put_level(unsigned char *level, size_t n, int value, size_t times) {
  memset(level + n, value, times);
  return n + times;
}

/* The line's level over time in units of 1/sixteenth of the fastest bit, as the text is sent at `baud`. */
static size_t wire_of(const daq_question_text *text, int baud, unsigned char *level) {
  size_t per_bit = (size_t)(16 * 115200 / baud), n = put_level(level, 0, 1, 10 * per_bit);
  for (size_t i = 0; i < text->n; i++) {
    int even = 0;
    n = put_level(level, n, 0, per_bit);
    for (int bit = 0; bit < 8; bit++) {
      const int value = ((unsigned char)text->bytes[i] >> bit) & 1;
      n = put_level(level, n, value, per_bit);
      even ^= value;
    }
    if (text->parity == CB_PARITY_EVEN) n = put_level(level, n, even, per_bit);
    n = put_level(level, n, 1, per_bit);
  }
  return put_level(level, n, 1, 20 * per_bit);
}

/* A receiver at another speed, which samples in the middle of its bits; framing errors count as received, to
 * be on the safe side. */
static bool hears(const daq_question_text *text, int sent, int heard, const char *letters) {
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
    const daq_question_text moves = {"xu", 2, CB_PARITY_NONE}, even = {"xu", 2, CB_PARITY_EVEN};
    assert_true(hears(&moves, *sent, *sent, "u") && hears(&even, *sent, *sent, "u"));
    assert_false(hears(&daq_question_texts[DAQ_Q_ESM], *sent, *sent, "ud"));
    for (const int *heard = sent + 1; *sent && *heard; heard++)
      for (int q = DAQ_Q_NONE + 1; q < DAQ_N_QUESTIONS; q++)
        if (hears(&daq_question_texts[q], *sent, *heard, "ud"))
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

/* Some questions have NULs. */
static bool has_heard(const device *d) {
  const size_t n = strlen(d->question);
  for (size_t i = 0; i + n <= d->n; i++)
    if (memcmp(d->got + i, d->question, n) == 0) return true;
  return false;
}

static void *play_device(void *context) {
  device *d = context;
  daq_latency_prefer(); /* an instrument does not wait for a processor */
  while (!atomic_load(&d->over)) {
    struct pollfd p = {.fd = d->pty.master, .events = POLLIN};
    if (d->stream) (void)!write(d->pty.master, d->stream, strlen(d->stream));
    if (poll(&p, 1, 10) <= 0) continue;
    ssize_t n = read(d->pty.master, d->got + d->n, sizeof d->got - 1 - d->n);
    d->n += n > 0 ? (size_t)n : 0;
    if (d->answer && has_heard(d)) {
      (void)!write(d->pty.master, d->answer, strlen(d->answer));
      d->n = 0;
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

/* ---- devices of the virtual rig ---- */

/* What each question makes each of them say, and that all of them together change nothing: the plan of the
 * stage, and the device but for the line that it has heard, its last error, and how often it spoke. */
typedef union known_device {
  vrig_zaber zaber;
  vrig_grbl grbl;
  vrig_esm esm;
  vrig_smc100 smc100;
  vrig_gcs gcs;
  vrig_apt apt;
} known_device;

static void forget_heard(int driver, int spoken, known_device *d) {
  if (driver == CB_STAGE_ZABER_ASCII || (driver == CB_STAGE_LINES && spoken == CB_VIRTUAL_ZABER))
    memset(d->zaber.line, 0, sizeof d->zaber.line), d->zaber.n = 0, d->zaber.listening = false;
  else if (driver == CB_STAGE_GRBL)
    memset(d->grbl.line, 0, sizeof d->grbl.line), d->grbl.n = 0, d->grbl.n_reports = 0;
  else if (driver == CB_STAGE_MARK10_ESM)
    memset(d->esm.number, 0, sizeof d->esm.number), d->esm.n = 0, d->esm.command = '\0';
  else if (driver == CB_STAGE_SMC100)
    memset(d->smc100.line, 0, sizeof d->smc100.line), d->smc100.n = 0, d->smc100.letter = '@';
  else if (driver == CB_STAGE_LINES)
    memset(d->gcs.line, 0, sizeof d->gcs.line), d->gcs.n = 0, d->gcs.error = 0;
  else
    memset(d->apt.message, 0, sizeof d->apt.message), d->apt.n = 0;
}

/* Its own sentences, the first question after which it is known, and as what. */
static void stage_is(const char *file, daq_question wanted, const char *driver, const char *what) {
  char path[400], out[8 * VRIG_DEVICE_REPLY_MAX], reply[VRIG_DEVICE_REPLY_MAX];
  cb_rig rig;
  vrig_stage stage, was;
  known_device own = {0}, before;
  daq_identified id = {0};
  int found = 0;
  (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/rigs/%s", file);
  assert_ok(cb_rig_load(path, &rig, err));
  const vrig_device *d = vrig_device_of(&rig);
  assert_true(d->size <= sizeof own);
  vrig_stage_init(&stage, rig.stage.limit_min_m, rig.stage.limit_max_m, rig.stage.start_m);
  d->power_up(&own, &rig, &stage);
  if (d->opened) (void)d->opened(&own, 0, reply);
  memcpy(&was, &stage, sizeof was);
  forget_heard(rig.stage.driver, rig.virt.device, &own);
  memcpy(&before, &own, sizeof before);
  for (int q = DAQ_Q_NONE + 1; q < DAQ_N_QUESTIONS; q++) {
    size_t n = 0;
    for (size_t i = 0; i < daq_question_texts[q].n; i++) {
      const size_t got = d->byte(&own, q, daq_question_texts[q].bytes[i], reply);
      assert_true(n + got <= sizeof out);
      memcpy(out + n, reply, got);
      n += got;
    }
    if (!found && daq_identify_bytes((daq_question)q, out, n, &id)) found = q;
    assert_false(vrig_stage_moving(&stage, q));
  }
  if (found != (int)wanted || strcmp(id.driver, driver) != 0 || strcmp(id.what, what) != 0)
    fail_msg("%s: question %d: '%s' (driver '%s')", file, found, id.what, id.driver);
  forget_heard(rig.stage.driver, rig.virt.device, &own);
  assert_memory_equal(&was, &stage, sizeof was);
  assert_memory_equal(&before, &own, sizeof before);
  cb_rig_clear(&rig);
}

static void stages(void **state) {
  (void)state;
  stage_is("virtual.yaml", DAQ_Q_ZABER, "zaber-ascii", "Zaber stage, device 1");
  stage_is("virtual-lines.yaml", DAQ_Q_ZABER, "zaber-ascii", "Zaber stage, device 1");
  stage_is("virtual-grbl.yaml", DAQ_Q_GRBL_GCL, "grbl", "Grbl");
  stage_is("virtual-esm.yaml", DAQ_Q_ESM, "mark10-esm", "Mark-10 test stand");
  stage_is("virtual-smc100.yaml", DAQ_Q_SMC100, "smc100", "Newport SMC100, address 1");
  stage_is("virtual-gcs.yaml", DAQ_Q_IDN, "lines", "PI controller C-863.12 (GCS)");
  stage_is("virtual-apt.yaml", DAQ_Q_APT, "thorlabs-apt", "Thorlabs KDC101 (APT)");
}

static void read_out_is(int kind, daq_question wanted, const char *driver) {
  char path[400], out[4096], reply[VRIG_FORCE_LINE_MAX];
  cb_rig rig;
  vrig_force f;
  daq_identified id = {0};
  int found = 0;
  (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/rigs/virtual.yaml");
  assert_ok(cb_rig_load(path, &rig, err));
  rig.force.driver = kind;
  rig.force.modbus = (cb_rig_modbus){true, 1, 3, 7, CB_MODBUS_INT32, CB_PARITY_NONE, 2, -1};
  vrig_force_init(&f, &rig.force, 0.001);
  f.on_command = true; /* a D500 that sends is not asked */
  (void)vrig_force_sample(&f, 0.25, false, reply);
  for (int q = DAQ_Q_NONE + 1; q < DAQ_N_QUESTIONS; q++) {
    size_t n = 0;
    for (size_t i = 0; i < daq_question_texts[q].n; i++) {
      const size_t got = vrig_force_byte(&f, daq_question_texts[q].bytes[i], reply);
      memcpy(out + n, reply, got);
      n += got;
    }
    if (!found && daq_identify_bytes((daq_question)q, out, n, &id)) found = q;
  }
  if (found != (int)wanted || strcmp(id.driver, driver) != 0)
    fail_msg("read-out %d: question %d: '%s' (driver '%s')", kind, found, id.what, id.driver);
  assert_true(f.on_command && !f.bare && f.tare == 0 && f.reading == 0.25);
  cb_rig_clear(&rig);
}

static void read_outs(void **state) {
  (void)state;
  read_out_is(CB_FORCE_FUTEK_D500, DAQ_Q_NONE, "");
  read_out_is(CB_FORCE_MARK10_GCL, DAQ_Q_GRBL_GCL, "mark10-gcl");
  read_out_is(CB_FORCE_MT_SICS, DAQ_Q_SICS, "mt-sics");
  read_out_is(CB_FORCE_SCPI, DAQ_Q_IDN, "scpi");
  read_out_is(CB_FORCE_MODBUS_RTU, DAQ_Q_MODBUS, "modbus-rtu");
}

/* On pseudo-terminals, all at once. */
typedef struct emulated {
  const char *file, *driver, *what, *pair[3][2];
  bool force;
  char path[400];
  daq_emulator *e;
  daq_identified id;
  pthread_t thread;
} emulated;

static void *ask_emulated(void *context) {
  emulated *x = context;
  const char *port = x->force ? daq_emulator_force_port(x->e) : daq_emulator_stage_port(x->e);
  if (daq_identify_port(port, 0, true, NULL, &x->id, NULL) != CB_OK) x->id.what[0] = '\0';
  return NULL;
}

static void found_on_ports(void **state) {
  (void)state;
  static emulated devices[] = {
      {.file = "virtual-gcs.yaml", .driver = "lines", .what = "PI controller C-863.12 (GCS)"},
      {.file = "virtual-apt.yaml", .driver = "thorlabs-apt", .what = "Thorlabs KDC101 (APT)"},
      {.file = "virtual.yaml",
       .driver = "scpi",
       .what = "instrument with SCPI: CLOTHBENCH VIRTUAL",
       .pair = {{"driver: line", "driver: scpi"}, {"rate_Hz: 400", "rate_Hz: 20"}, {"bench:", "bench:"}},
       .force = true},
      {.file = "virtual.yaml",
       .driver = "modbus-rtu",
       .what = "Modbus RTU device, address 1",
       .pair = {{"driver: line", "driver: modbus-rtu"},
                {"rate_Hz: 400", "rate_Hz: 20"},
                {"bench:", "modbus: {register: 7, type: int32}\nbench:"}},
       .force = true}};
  const size_t n = sizeof devices / sizeof devices[0];
  for (size_t i = 0; i < n; i++) {
    emulated *x = &devices[i];
    (void)snprintf(x->path, sizeof x->path, "%s/rig%zu.yaml", cbt_folder, i);
    dt_rig_from(x->file, x->path, (const char *const(*)[2])x->pair, x->force ? 3 : 0);
    assert_ok(daq_emulator_start(CB_EXE, x->path, &x->e, err));
    assert_int_equal(pthread_create(&x->thread, NULL, ask_emulated, x), 0);
  }
  for (size_t i = 0; i < n; i++) {
    pthread_join(devices[i].thread, NULL);
    daq_emulator_stop(devices[i].e);
  }
  for (size_t i = 0; i < n; i++)
    if (strcmp(devices[i].id.driver, devices[i].driver) != 0 ||
        strcmp(devices[i].id.what, devices[i].what) != 0)
      fail_msg("device %zu: '%s' (driver '%s'), heard '%s'", i, devices[i].id.what, devices[i].id.driver,
               devices[i].id.heard);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(replies),
                                     cmocka_unit_test(no_replies),
                                     cmocka_unit_test(messages),
                                     cmocka_unit_test(modbus_question),
                                     cmocka_unit_test(harmless_letters),
                                     cmocka_unit_test(harmless_at_the_wrong_speed),
                                     cmocka_unit_test(stages),
                                     cmocka_unit_test(read_outs),
                                     cmocka_unit_test(found_on_ports),
                                     cmocka_unit_test(asked),
                                     cmocka_unit_test(streams_are_not_asked)};
  (void)signal(SIGPIPE, SIG_IGN);
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
