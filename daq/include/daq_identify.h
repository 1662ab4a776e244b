/* Identifies the device on a serial port. The port is listened to first, as a read-out that streams
 * identifies itself. Then questions are asked that can move nothing on any device this program knows.
 * docs/guide/find-devices.md gives the reasons.
 *
 * Opening a port may reset its device (an Arduino with Grbl). */
#ifndef DAQ_IDENTIFY_H
#define DAQ_IDENTIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_stop.h"

typedef enum daq_question {
  DAQ_Q_NONE,        /* nothing was asked: the device streams by itself */
  DAQ_Q_ESM,         /* p        status of a Mark-10 test stand */
  DAQ_Q_APT,         /* Thorlabs: five NULs end the message that the p began; then the controller's name */
  DAQ_Q_ZABER,       /* CR / LF  any Zaber device; the CR also ends the line begun by the two before */
  DAQ_Q_GRBL_GCL,    /* ? CR     Grbl's status, a Mark-10 gauge's reading */
  DAQ_Q_SMC100,      /* CR LF 1TS CR LF  state; the first CR LF ends the line of the ? before */
  DAQ_Q_SICS,        /* I4 CRLF  serial number of a balance */
  DAQ_Q_IDN,         /* *IDN? LF name by IEEE 488.2: instruments with SCPI, controllers with GCS 2 */
  DAQ_Q_MODBUS,      /* Modbus RTU: holding register 9 of address 1 */
  DAQ_Q_MODBUS_EVEN, /* the same with even parity, the protocol's default */
  DAQ_N_QUESTIONS
} daq_question;

typedef struct daq_question_text {
  const char *bytes;
  size_t n;   /* some have NULs */
  int parity; /* cb_parity */
} daq_question_text;

extern const daq_question_text daq_question_texts[DAQ_N_QUESTIONS]; /* by daq_question; none for DAQ_Q_NONE */
/* Rates of the questions. They ascend, so that a device hears its own rate before any faster one. */
extern const int daq_question_bauds[]; /* ends with 0 */

typedef struct daq_identified {
  char what[128];  /* "Zaber stage, device 1"; "": not known */
  char driver[24]; /* as in a rig file; "": none fits */
  char serial[32]; /* "": not reported */
  char heard[64];  /* the first line received; of messages of bytes, these; or "" */
  bool noise;      /* bytes came that are no text at any usual rate */
  int baud;        /* 0: nothing came */
} daq_identified;

#endif
