/* Private to daq: read-outs that send text lines over a serial port. One transport and one buffer for all of
 * them; what the bytes mean is the protocol's. */
#ifndef DAQ_SERIAL_FORCE_H
#define DAQ_SERIAL_FORCE_H

#include "daq_force.h"

typedef enum daq_serial_answer {
  DAQ_ANSWER_READING,
  DAQ_ANSWER_OTHER,   /* a message of the protocol that is no reading */
  DAQ_ANSWER_GARBAGE, /* counted as unreadable */
  DAQ_ANSWER_MORE     /* the message is not complete yet; *used = 0 */
} daq_serial_answer;

#define DAQ_QUESTION_MAX 128

typedef struct daq_serial_protocol {
  bool plain;        /* lines of anybody's making: boot text may precede them, and their form is learned */
  bool tells_serial; /* the device reports its serial number, which is checked against force.serial */
  bool exact;        /* every message has a check of its own: the form of numbers tells nothing more */
  /* Opens the port; NULL: a serial port. */
  cb_status (*connect)(const daq_force *f, const char *port, daq_transport **out, cb_err *err);
  /* Sends the commands that start the stream; NULL: the device streams by itself. */
  cb_status (*start)(daq_force *f, cb_err *err);
  const char *farewell; /* sent when closing; NULL: nothing */
  /* Writes the next question, whose answer is a message, and returns its length. It is sent force.rate_Hz
   * times per second, but not before the last one was answered or a third of force.silence_timeout_s is over.
   * What came before a question is dropped. NULL: the device sends by itself. */
  size_t (*question)(const daq_force *f, char out[DAQ_QUESTION_MAX]);
  const char *doubt; /* of a port that sends no reading; NULL: "wrong baud rate (9600) or another device" */
  /* Parses the first message of n bytes; *used belong to it. Fails if the device reports a fault. */
  cb_status (*take)(const daq_force *f, const char *bytes, size_t n, daq_reading *out,
                    daq_serial_answer *answer, size_t *used, cb_err *err);
} daq_serial_protocol;

/* Opens the port, starts the stream and waits for the first reading, at most force.start_timeout_s: opening
 * resets some boards. No reading in that time is CB_E_DEVICE, and the sentence says whether nothing came or
 * nothing readable. What a board says before its first reading does not count as unreadable.
 * terminator: as in the rig file. */
CB_CHECKED cb_status daq_serial_force_open(daq_force *f, const char *port,
                                           const daq_serial_protocol *protocol, const char *terminator,
                                           cb_err *err);
void daq_serial_force_close(daq_force *f);
int daq_serial_force_fd(const daq_force *f);
CB_CHECKED cb_status daq_serial_force_read(daq_force *f, daq_reading *out, bool *found, cb_err *err);
CB_CHECKED cb_status daq_serial_force_discard(daq_force *f, cb_err *err);

/* For `start`: a command, and the next printable line that comes within timeout_s ("" where none does). */
CB_CHECKED cb_status daq_serial_force_say(daq_force *f, const char *text, cb_err *err);
CB_CHECKED cb_status daq_serial_force_hear(daq_force *f, double timeout_s, char *line, size_t cap,
                                           cb_err *err);
/* Checks that the reading's unit is force.unit; the sentence names the unit found. */
CB_CHECKED cb_status daq_serial_force_check_unit(const daq_force *f, const char *told, const char *unit,
                                                 cb_err *err);

/* The port, for settings of the protocol; a number that the protocol keeps while the port is open, 0 at
 * first. */
daq_transport *daq_serial_force_port(const daq_force *f);
int *daq_serial_force_note(const daq_force *f);

#define DAQ_SERIAL_FORCE_DRIVER(name_, open_)                                                 \
  {                                                                                           \
    .name = name_, .open = open_, .close = daq_serial_force_close, .fd = daq_serial_force_fd, \
    .read = daq_serial_force_read, .discard = daq_serial_force_discard                        \
  }

#endif
