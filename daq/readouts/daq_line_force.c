/* The read-out that sends lines as the rig file describes them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daq_line.h"
#include "daq_serial_force.h"

static cb_status take_line_reading(const daq_force *f, const char *bytes, size_t n, daq_reading *out,
                                   daq_serial_answer *answer, size_t *used, cb_err *err) {
  const cb_rig_force *rig = &f->rig->force;
  (void)err;
  daq_parse p = daq_line_parse(bytes, n, rig->terminator, rig->field, rig->separator, &out->value, used);
  out->raw = out->value *= rig->scale;
  bool valid = p == DAQ_PARSE_VALID && isfinite(out->value);
  *answer = valid ? DAQ_ANSWER_READING : p == DAQ_PARSE_MORE ? DAQ_ANSWER_MORE : DAQ_ANSWER_GARBAGE;
  return CB_OK;
}

/* A command ends as a line does; CR and LF where any of them ends one. */
static size_t end_command(const daq_force *f, const char *text, char out[DAQ_QUESTION_MAX]) {
  const char *t = f->rig->force.terminator;
  const char *end = strcmp(t, "cr") == 0 ? "\r" : strcmp(t, "lf") == 0 ? "\n" : t[0] && !t[1] ? t : "\r\n";
  return (size_t)snprintf(out, DAQ_QUESTION_MAX, "%s%s", text, end);
}

static cb_status say_command(daq_force *f, const char *text, cb_err *err) {
  char command[DAQ_QUESTION_MAX];
  if (!text[0]) return CB_OK;
  (void)end_command(f, text, command);
  return daq_serial_force_say(f, command, err);
}

static cb_status start_line(daq_force *f, cb_err *err) { return say_command(f, f->rig->force.start, err); }

static size_t ask_line(const daq_force *f, char out[DAQ_QUESTION_MAX]) {
  return end_command(f, f->rig->force.request, out);
}

static cb_status line_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  static const daq_serial_protocol streams = {.plain = true, .start = start_line, .take = take_line_reading},
                                   answers = {.plain = true,
                                              .start = start_line,
                                              .take = take_line_reading,
                                              .question = ask_line};
  (void)stage;
  return daq_serial_force_open(f, port, f->rig->force.request[0] ? &answers : &streams,
                               f->rig->force.terminator, err);
}

static void line_close(daq_force *f) {
  if (daq_serial_force_port(f)) (void)!say_command(f, f->rig->force.stop, NULL);
  daq_serial_force_close(f);
}

const daq_force_driver daq_line_driver = {.name = "line",
                                          .open = line_open,
                                          .close = line_close,
                                          .fd = daq_serial_force_fd,
                                          .read = daq_serial_force_read,
                                          .discard = daq_serial_force_discard};
