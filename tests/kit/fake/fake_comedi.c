#include "fake_comedi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_time.h"

fake_board fake;

struct comedi_t_struct {
  int fd;
};
static comedi_t device = {.fd = -1};
static int last_error;

void fake_reset(void) {
  fake = (fake_board){.type = COMEDI_SUBD_AI,
                      .flags = SDF_READABLE | SDF_CMD_READ | SDF_GROUND | SDF_DIFF,
                      .n_channels = 8,
                      .n_ranges = 2,
                      .maxdata = 65535,
                      .range = {-10, 10, UNIT_volt},
                      .scan_begin_src = TRIG_TIMER,
                      .convert_src = TRIG_TIMER,
                      .stop_src = TRIG_NONE | TRIG_COUNT,
                      .step_ns = 1000,
                      .buffer = 65536,
                      .buffer_max = 1 << 20};
}

static int failed(int code) {
  last_error = code;
  return code ? -1 : 0;
}

/* ---- the board ---- */

comedi_t *comedi_open(const char *path) {
  (void)path;
  if (failed(fake.open_error)) return NULL;
  device.fd = open("/dev/null", O_RDWR);
  return &device;
}

int comedi_close(comedi_t *d) {
  fake.n_closes++;
  (void)close(d->fd);
  d->fd = -1;
  return 0;
}

int comedi_loglevel(int level) { return level; }
int comedi_errno(void) { return last_error; }
const char *comedi_strerror(int code) { return strerror(code); }
int comedi_fileno(comedi_t *d) { return d->fd; }
enum comedi_oor_behavior comedi_set_global_oor_behavior(enum comedi_oor_behavior b) { return b; }
int comedi_get_n_subdevices(comedi_t *d) { return d ? 2 : 0; }
int comedi_get_version_code(comedi_t *d) { return d ? COMEDI_VERSION_CODE(0, 7, 76) : 0; }
const char *comedi_get_driver_name(comedi_t *d) { return d ? "fake_driver" : NULL; }
const char *comedi_get_board_name(comedi_t *d) { return d ? "fake-6036" : NULL; }
int comedi_lock(comedi_t *d, unsigned s) {
  (void)d, (void)s;
  fake.n_locks++;
  return failed(fake.lock_error);
}
int comedi_get_subdevice_type(comedi_t *d, unsigned s) {
  return (void)d, s == 0 ? fake.type : COMEDI_SUBD_DIO;
}
int comedi_find_subdevice_by_type(comedi_t *d, int type, unsigned s) {
  return (void)d, s == 0 && type == fake.type ? 0 : -1;
}
int comedi_get_subdevice_flags(comedi_t *d, unsigned s) { return (void)d, (void)s, fake.flags; }
int comedi_get_n_channels(comedi_t *d, unsigned s) { return (void)d, (void)s, fake.n_channels; }
int comedi_get_n_ranges(comedi_t *d, unsigned s, unsigned c) {
  return (void)d, (void)s, (void)c, fake.n_ranges;
}
comedi_range *comedi_get_range(comedi_t *d, unsigned s, unsigned c, unsigned r) {
  return (void)d, (void)s, (void)c, (void)r, &fake.range;
}
lsampl_t comedi_get_maxdata(comedi_t *d, unsigned s, unsigned c) {
  return (void)d, (void)s, (void)c, fake.maxdata;
}
int comedi_get_read_subdevice(comedi_t *d) { return (void)d, fake.read_subdevice; }
int comedi_set_read_subdevice(comedi_t *d, unsigned s) { return (void)d, fake.read_subdevice = (int)s, 0; }

/* ---- calibration ---- */

int comedi_get_hardcal_converter(comedi_t *d, unsigned s, unsigned c, unsigned r,
                                 enum comedi_conversion_direction way, comedi_polynomial_t *p) {
  (void)d, (void)s, (void)c, (void)r, (void)way;
  *p = (comedi_polynomial_t){{fake.range.min, (fake.range.max - fake.range.min) / fake.maxdata}, 0, 1};
  return 0;
}

char *comedi_get_default_calibration_path(comedi_t *d) {
  return d && fake.calibration_path ? strcpy(malloc(strlen(fake.calibration_path) + 1), fake.calibration_path)
                                    : NULL;
}

comedi_calibration_t *comedi_parse_calibration_file(const char *path) {
  static comedi_calibration_t any;
  return path && fake.soft_calibration ? &any : NULL;
}

void comedi_cleanup_calibration(comedi_calibration_t *c) { (void)c; }

int comedi_get_softcal_converter(unsigned s, unsigned c, unsigned r, enum comedi_conversion_direction way,
                                 const comedi_calibration_t *cal, comedi_polynomial_t *p) {
  (void)s, (void)c, (void)way, (void)cal;
  *p = (comedi_polynomial_t){{1, 2, 3}, 100, 2};
  return r == 0 ? 0 : -1;
}

/* ---- commands ---- */

int comedi_get_cmd_src_mask(comedi_t *d, unsigned s, comedi_cmd *cmd) {
  (void)d, (void)s;
  *cmd = (comedi_cmd){.start_src = TRIG_NOW,
                      .scan_begin_src = fake.scan_begin_src,
                      .convert_src = fake.convert_src,
                      .scan_end_src = TRIG_COUNT,
                      .stop_src = fake.stop_src};
  return 0;
}

static void round_up(unsigned *ns) { *ns = (*ns + fake.step_ns - 1) / fake.step_ns * fake.step_ns; }

int comedi_command_test(comedi_t *d, comedi_cmd *cmd) {
  (void)d;
  int answer = fake.n_tests < FAKE_TESTS_MAX ? fake.answers[fake.n_tests] : 0;
  fake.n_tests++;
  cmd->stop_src &= fake.stop_src;
  if (cmd->scan_begin_src == TRIG_TIMER) round_up(&cmd->scan_begin_arg);
  if (cmd->convert_src == TRIG_TIMER) round_up(&cmd->convert_arg);
  return answer < 0 ? failed(EIO) : answer;
}

int comedi_command(comedi_t *d, comedi_cmd *cmd) {
  (void)d;
  fake.n_commands++;
  fake.command = *cmd;
  memcpy(fake.list, cmd->chanlist, cmd->chanlist_len * sizeof *fake.list);
  return failed(fake.command_error);
}

int comedi_cancel(comedi_t *d, unsigned s) { return (void)d, (void)s, fake.n_cancels++, 0; }
int comedi_get_buffer_size(comedi_t *d, unsigned s) { return (void)d, (void)s, fake.buffer; }
int comedi_get_max_buffer_size(comedi_t *d, unsigned s) { return (void)d, (void)s, fake.buffer_max; }
int comedi_set_buffer_size(comedi_t *d, unsigned s, unsigned n) {
  return (void)d, (void)s, fake.buffer = (int)n;
}

int comedi_data_read(comedi_t *d, unsigned s, unsigned c, unsigned r, unsigned a, lsampl_t *out) {
  (void)d, (void)s, (void)r, (void)a;
  if (fake.data_s > 0) cb_sleep_s(fake.data_s);
  *out = fake.next_data++ * 10 + c;
  return fake.data_error ? failed(fake.data_error) : 1;
}

/* ---- read() on the board's file (linked with --wrap=read) ---- */

ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);

ssize_t __wrap_read(int fd, void *to, size_t n) {
  if (device.fd < 0 || fd != device.fd) return __real_read(fd, to, n);
  errno = EAGAIN;
  if (fake.next_step == fake.n_steps) return -1;
  const fake_step *step = &fake.steps[fake.next_step++];
  errno = step->error;
  if (step->error) return -1;
  if (step->n > 0) memcpy(to, step->bytes, step->n);
  return (ssize_t)step->n;
}
