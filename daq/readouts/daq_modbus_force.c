/* An indicator with Modbus RTU as a read-out: one question for every reading.
 *
 * libmodbus is not used. Its calls wait for the answer, up to its time-out, and the loop that asks the
 * indicator also watches the stage and the e-stop. */
#include <math.h>

#include "daq_modbus.h"
#include "daq_serial_force.h"

#define DECIMALS_MOST 9
enum { LATER = 5, BUSY = 6 }; /* exceptions of a device that is to be asked again */

/* The decimals come first, once, where they stand in a register: the note is their number and one. */
static bool wants_decimals(const daq_force *f) {
  return f->rig->force.modbus.decimals_register >= 0 && *daq_serial_force_note(f) == 0;
}

static daq_modbus_question question_of(const daq_force *f) {
  const cb_rig_modbus *m = &f->rig->force.modbus;
  if (wants_decimals(f)) return (daq_modbus_question){m->address, m->function, m->decimals_register, 1};
  return (daq_modbus_question){m->address, m->function, m->register_, daq_modbus_width(m->type)};
}

static size_t ask_modbus(const daq_force *f, char out[DAQ_QUESTION_MAX]) {
  const daq_modbus_question q = question_of(f);
  daq_modbus_ask(&q, out);
  return DAQ_MODBUS_QUESTION;
}

static cb_status check_answer(const daq_modbus_question *q, const daq_modbus_answer *a, cb_err *err) {
  if (a->address != q->address)
    return cb_fail(err, CB_E_DEVICE,
                   "force read-out (modbus-rtu): device %d was asked, and device %d answers: do two have the "
                   "same line and the wrong address?",
                   q->address, a->address);
  if (a->exception == 0 || a->exception == LATER || a->exception == BUSY) return CB_OK;
  return cb_fail(
      err, CB_E_DEVICE,
      "force read-out (modbus-rtu): device %d, function %d, register %d: refused with exception %d (%s)",
      q->address, q->function, q->first, a->exception, daq_modbus_exception(a->exception));
}

static cb_status take_decimals(const daq_force *f, const daq_modbus_answer *a, cb_err *err) {
  if (a->value[0] > DECIMALS_MOST)
    return cb_fail(
        err, CB_E_DEVICE,
        "force read-out (modbus-rtu): register %d: the number of decimals in it is %d, at most %d was "
        "wanted: is it the right register?",
        f->rig->force.modbus.decimals_register, a->value[0], DECIMALS_MOST);
  *daq_serial_force_note(f) = a->value[0] + 1;
  return CB_OK;
}

static cb_status take_modbus_reading(const daq_force *f, const char *bytes, size_t n, daq_reading *out,
                                     daq_serial_answer *answer, size_t *used, cb_err *err) {
  const cb_rig_modbus *m = &f->rig->force.modbus;
  const daq_modbus_question q = question_of(f);
  const bool decimals = wants_decimals(f);
  daq_modbus_answer a;
  daq_parse p = daq_modbus_parse(bytes, n, &q, &a, used);
  *answer = p == DAQ_PARSE_MORE ? DAQ_ANSWER_MORE : DAQ_ANSWER_GARBAGE;
  if (p != DAQ_PARSE_VALID) return CB_OK;
  *answer = DAQ_ANSWER_OTHER;
  CB_TRY(check_answer(&q, &a, err));
  if (a.exception != 0) return CB_OK;
  if (decimals) return take_decimals(f, &a, err);
  *answer = DAQ_ANSWER_READING;
  const int places = m->decimals_register >= 0 ? *daq_serial_force_note(f) - 1 : m->decimals;
  const double number = daq_modbus_number(m->type, a.value);
  /* An indicator that is over its range sends no number. */
  out->overload = !isfinite(number);
  out->raw = out->value = out->overload ? 0 : number / pow(10, places) * f->rig->force.scale;
  return CB_OK;
}

static cb_status start_modbus(daq_force *f, cb_err *err) {
  return daq_transport_use_parity(daq_serial_force_port(f), f->rig->force.modbus.parity, err);
}

static cb_status modbus_open(daq_force *f, const char *port, daq_stage *stage, cb_err *err) {
  static const daq_serial_protocol protocol = {
      .exact = true,
      .start = start_modbus,
      .take = take_modbus_reading,
      .question = ask_modbus,
      .doubt = "wrong baud rate or parity, or another type of number than the rig file says"};
  (void)stage;
  return daq_serial_force_open(f, port, &protocol, "", err);
}

const daq_force_driver daq_modbus_driver = DAQ_SERIAL_FORCE_DRIVER("modbus-rtu", modbus_open);
