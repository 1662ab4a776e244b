/* Messages of Thorlabs' APT protocol: six bytes, and a packet where the fifth of them says so. Numbers are
 * little-endian; there is no mark of a beginning, and no checksum. Pure functions on bytes. Sources:
 * Thorlabs' document Host-Controller Communications Protocol, as quoted in yaq-project/thorlabs-apt-protocol
 * and UniNE-CHYN/thorpy. */
#ifndef DAQ_APT_H
#define DAQ_APT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daq_line.h"

enum {
  DAQ_APT_REQ_INFO = 0x0005,
  DAQ_APT_INFO = 0x0006,
  DAQ_APT_STOP_UPDATES = 0x0012,
  DAQ_APT_HOST_IS_HERE = 0x0018, /* HW_NO_FLASH_PROGRAMMING */
  DAQ_APT_RESPONSE = 0x0080,     /* an error, without a text */
  DAQ_APT_RICH_RESPONSE = 0x0081,
  DAQ_APT_ENABLE = 0x0210,
  DAQ_APT_SET_VELOCITY = 0x0413,
  DAQ_APT_REQ_VELOCITY = 0x0414,
  DAQ_APT_VELOCITY = 0x0415,
  DAQ_APT_HOME = 0x0443,
  DAQ_APT_HOMED = 0x0444,
  DAQ_APT_MOVE = 0x0453,
  DAQ_APT_COMPLETED = 0x0464,
  DAQ_APT_STOP = 0x0465,
  DAQ_APT_STOPPED = 0x0466,
  DAQ_APT_REQ_STATUS = 0x0480, /* of a stepper motor; the next two of a servo */
  DAQ_APT_STATUS = 0x0481,
  DAQ_APT_REQ_DC_STATUS = 0x0490,
  DAQ_APT_DC_STATUS = 0x0491,
  DAQ_APT_ALIVE = 0x0492 /* the host is alive: else the controller ends its answers after some 50 */
};

#define DAQ_APT_PACKET 84 /* the longest packet of these, INFO's */
typedef struct daq_apt_message {
  int id;
  size_t n; /* bytes of its packet */
  unsigned char packet[DAQ_APT_PACKET];
} daq_apt_message;

/* Parses the first message of n bytes (daq_line.h). Bytes that begin no message from the controller to the
 * host, of a known number and its length, are invalid one by one. */
daq_parse daq_apt_parse(const char *bytes, size_t n, daq_apt_message *m, size_t *used);

#define DAQ_APT_MESSAGE_MAX 20
/* Write a message to the controller: without a packet, with two bytes; with a packet of channel 1 and
 * numbers. They return its length. */
size_t daq_apt_put(int id, int first, int second, char out[DAQ_APT_MESSAGE_MAX]);
size_t daq_apt_put_numbers(int id, const int32_t *numbers, size_t n, char out[DAQ_APT_MESSAGE_MAX]);

/* The i-th number of a packet, which follow its channel: VELOCITY has 3 (lowest, acceleration, highest),
 * the states 3 (position, another, status bits). Of INFO the serial number stands first, without a channel.
 */
int32_t daq_apt_number(const daq_apt_message *m, size_t i);
int32_t daq_apt_serial(const daq_apt_message *m);

/* Status bits. */
enum {
  DAQ_APT_AT_LIMIT = 0x3,
  DAQ_APT_MOVING = 0xF0, /* to either side, by command or by its wheel */
  DAQ_APT_HOMING = 0x200,
  DAQ_APT_IS_HOMED = 0x400,
  DAQ_APT_MOTION_ERROR = 0x4000
};

#endif
