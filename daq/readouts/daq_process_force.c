/* A read-out in a program of somebody's own: a line with a number for every reading, on its standard output.
 * A pipe loses nothing, so that the form of a number tells nothing more. 9.9E37 is an overload, as in SCPI.
 */
#include "daq_process.h"
#include "daq_scpi.h"
#include "daq_serial_force.h"

static cb_status take_process_reading(const daq_force *f, const char *bytes, size_t n, daq_reading *out,
                                      daq_serial_answer *answer, size_t *used, cb_err *err) {
  daq_scpi_reading r;
  (void)f, (void)err;
  const daq_parse p = daq_scpi_parse(bytes, n, 0, &r, used);
  out->overload = r.overload;
  if (!r.overload) out->raw = out->value = r.number;
  *answer = p == DAQ_PARSE_VALID  ? DAQ_ANSWER_READING
            : p == DAQ_PARSE_MORE ? DAQ_ANSWER_MORE
                                  : DAQ_ANSWER_GARBAGE;
  return CB_OK;
}

static cb_status connect_process(const daq_force *f, const char *port, daq_transport **out, cb_err *err) {
  (void)f;
  return daq_process_open(port, out, err);
}

static cb_status process_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  static const daq_serial_protocol protocol = {.exact = true,
                                               .connect = connect_process,
                                               .take = take_process_reading,
                                               .doubt = "a number on every line was wanted"};
  (void)stage;
  return daq_serial_force_open(f, port, &protocol, "lf", err);
}

const daq_force_driver daq_process_force_driver = DAQ_SERIAL_FORCE_DRIVER("process", process_open);
