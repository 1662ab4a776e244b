/* What is on the other end of a serial port? Listened to first: a read-out that streams identifies itself. Asked only then, and only
 * questions that can move nothing on any device this program knows; docs/rig-check.md argues why these are such.
 *
 * Opening a port may reset what is on it (an Arduino with Grbl). */
#ifndef DAQ_IDENTIFY_H
#define DAQ_IDENTIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_stop.h"

typedef enum daq_question {
  DAQ_Q_NONE,     /* nothing was asked: what comes by itself */
  DAQ_Q_ESM,      /* p        status of a Mark-10 test stand */
  DAQ_Q_ZABER,    /* CR / LF  any Zaber device; the CR ends what the p began in devices that take whole lines */
  DAQ_Q_GRBL_GCL, /* ? CR     Grbl's status, a Mark-10 gauge's reading */
  DAQ_Q_SMC100,   /* 1TS CRLF state */
  DAQ_Q_SICS,     /* I4 CRLF  serial number of a balance */
  DAQ_N_QUESTIONS
} daq_question;

extern const char *const daq_question_texts[DAQ_N_QUESTIONS]; /* the bytes; NULL for DAQ_Q_NONE */
/* Speeds at which they are asked: ascending, so that no device has heard anything faster than its own speed before it was asked at it. */
extern const int daq_question_bauds[]; /* ends with 0 */

typedef struct daq_identified {
  char what[128];  /* "Zaber stage, device 1"; "" where nothing is known */
  char driver[24]; /* as in a rig file; "" where none fits */
  char serial[32]; /* "" where it was not told */
  char heard[64];  /* the first line that came, or "" */
  bool noise;      /* bytes came that are no text at any usual speed */
  int baud;        /* 0: nothing came */
} daq_identified;

/* Pure: what the bytes that came after the question say. true: out->what and ->driver are filled in; out->heard is whenever a printable
 * line came. */
bool daq_identify_bytes(daq_question asked, const char *bytes, size_t n, daq_identified *out);

/* Opens the port for a few seconds. rig_baud: listened to first; 0: none in particular. ask = false: listens only. stop_flag: ends it
 * early with CB_E_STOPPED; may be NULL. The errors of opening: no such port, in use, no permission. */
CB_CHECKED cb_status daq_identify_port(const char *path, int rig_baud, bool ask, const cb_stop *stop_flag, daq_identified *out,
                                       cb_err *err);

#endif
