#include <math.h>
#include <unistd.h>

#include "daq_comedi.h"

#define TESTS_MAX 6                /* comedi_command_test was seen to need four rounds */
#define WAKE_EVERY_SCAN_MAX_Hz 1e4 /* below, a board would hold samples back until its FIFO is half full */

static size_t sample_size(const daq_comedi *c) { return c->wide ? sizeof(lsampl_t) : sizeof(sampl_t); }

/* ---- the command ---- */

/* What the driver complains of after its own corrections to cmd: 0 nothing, < 0 it cannot be asked. */
static int test_command(const daq_comedi *c, comedi_cmd *cmd) {
  int answer = -1;
  for (int i = 0; i < TESTS_MAX && answer != 0; i++) {
    answer = comedi_command_test(c->dev, cmd);
    if (answer < 0 || answer == 5) break;
  }
  return answer;
}

/* The board's driver corrects the command until it likes it, or says what it cannot. */
static cb_status agree_command(const daq_comedi *c, comedi_cmd *cmd, cb_err *err) {
  static const char *const complaints[] = {"",
                                           "it lacks a trigger source that is needed",
                                           "its trigger sources do not go together",
                                           "an argument is out of its range",
                                           "it goes on rounding the timing",
                                           "it cannot scan these channels, ranges and arefs in this order"};
  int answer = test_command(c, cmd);
  if (answer < 0) return daq_comedi_fail(c, "it does not test its commands", err);
  if (answer != 0)
    return cb_fail(err, CB_E_DEVICE, "board %s: the acquisition is refused: %s", c->port,
                   answer <= 5 ? complaints[answer] : "unknown reason");
  if (cmd->stop_src != TRIG_NONE)
    return cb_fail(err, CB_E_DEVICE, "board %s: it cannot acquire without an end set beforehand", c->port);
  return CB_OK;
}

/* Scans per second, from what the driver made of the command; 0 if that does not say. */
static double granted_rate_Hz(const comedi_cmd *cmd) {
  double period_ns = 0;
  if (cmd->scan_begin_src == TRIG_TIMER) period_ns = cmd->scan_begin_arg;
  if (cmd->scan_begin_src == TRIG_FOLLOW && cmd->convert_src == TRIG_TIMER)
    period_ns = (double)cmd->convert_arg * cmd->chanlist_len;
  return period_ns > 0 ? 1e9 / period_ns : 0;
}

static cb_status take_timing(daq_comedi *c, const comedi_cmd *cmd, cb_err *err) {
  CB_TRY(daq_comedi_take_rate(c, granted_rate_Hz(cmd), err));
  for (size_t i = 0; i < c->n; i++)
    c->channel[i].skew_s = cmd->convert_src == TRIG_TIMER ? 1e-9 * cmd->convert_arg * (double)i : 0;
  return CB_OK;
}

/* ---- the buffer ---- */

static cb_status size_buffer(daq_comedi *c, cb_err *err) {
  double bytes_per_s = c->channel[0].granted_rate_Hz * (double)(c->n * sample_size(c));
  long page = sysconf(_SC_PAGESIZE);
  double wanted = ceil(c->rig->comedi.buffer_s * bytes_per_s / (double)page) * (double)page;
  int have = comedi_get_buffer_size(c->dev, c->subdevice),
      most = comedi_get_max_buffer_size(c->dev, c->subdevice);
  if (wanted > have && wanted > most)
    return cb_fail(err, CB_E_RANGE,
                   "board %s: comedi.buffer_s = %g takes %.0f bytes, the board allows %d: lower it, or raise "
                   "the limit with comedi_config",
                   c->port, c->rig->comedi.buffer_s, wanted, most);
  if (wanted > have) have = comedi_set_buffer_size(c->dev, c->subdevice, (unsigned)wanted);
  if (have <= 0) return daq_comedi_fail(c, "its buffer cannot be set", err);
  c->buffer_s = have / bytes_per_s;
  return CB_OK;
}

/* ---- start ---- */

/* A scan that has a timer of its own is begun exactly at the rate, whatever the number of channels does to
 * the converter's steps, and a read() seldom ends in its middle. Spread over most of a scan, a multiplexer
 * has time to settle. */
static bool choose_timing(const comedi_cmd *has, double period_ns, unsigned n, comedi_cmd *cmd) {
  bool timed_scan = has->scan_begin_src & TRIG_TIMER, timed_convert = has->convert_src & TRIG_TIMER;
  cmd->scan_begin_src = timed_scan ? TRIG_TIMER : TRIG_FOLLOW;
  cmd->scan_begin_arg = timed_scan ? (unsigned)period_ns : 0;
  cmd->convert_src = timed_scan && has->convert_src & TRIG_NOW ? TRIG_NOW : TRIG_TIMER;
  if (cmd->convert_src == TRIG_TIMER) cmd->convert_arg = (unsigned)((timed_scan ? 0.8 : 1) * period_ns / n);
  return timed_scan ? cmd->convert_src == TRIG_NOW || timed_convert
                    : timed_convert && has->scan_begin_src & TRIG_FOLLOW;
}

/* *possible = false: no command, or none that the board's own timer paces. */
static cb_status describe_command(daq_comedi *c, comedi_cmd *cmd, bool *possible, cb_err *err) {
  comedi_cmd has = {0};
  double period_ns = round(1e9 / c->rig->force.rate_Hz);
  *cmd = (comedi_cmd){
      .subdev = c->subdevice, .start_src = TRIG_NOW, .scan_end_src = TRIG_COUNT, .stop_src = TRIG_NONE};
  cmd->chanlist = c->list;
  cmd->chanlist_len = cmd->scan_end_arg = (unsigned)c->n;
  if (c->rig->force.rate_Hz * (double)c->n <= WAKE_EVERY_SCAN_MAX_Hz) cmd->flags |= CMDF_WAKE_EOS;
  *possible = c->flags & SDF_CMD_READ && period_ns <= 4294967295.0 &&
              comedi_get_cmd_src_mask(c->dev, c->subdevice, &has) >= 0 &&
              choose_timing(&has, period_ns, (unsigned)c->n, cmd);
  if (!*possible) return CB_OK;
  if (comedi_get_read_subdevice(c->dev) != (int)c->subdevice &&
      comedi_set_read_subdevice(c->dev, c->subdevice) != 0)
    return daq_comedi_fail(c, "its subdevice cannot be the one that streams", err);
  return CB_OK;
}

cb_status daq_comedi_command_start(daq_comedi *c, bool *possible, cb_err *err) {
  comedi_cmd cmd;
  CB_TRY(describe_command(c, &cmd, possible, err));
  if (!*possible) return CB_OK;
  c->wide = c->flags & SDF_LSAMPL;
  CB_TRY(agree_command(c, &cmd, err));
  CB_TRY(take_timing(c, &cmd, err));
  CB_TRY(size_buffer(c, err));
  if (comedi_command(c->dev, &cmd) != 0) return daq_comedi_fail(c, "the acquisition does not start", err);
  c->streams = true;
  return CB_OK;
}
