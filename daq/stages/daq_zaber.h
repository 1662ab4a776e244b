/* Messages of the Zaber ASCII protocol (firmware 6.06+ and 7). Pure functions on bytes.
 *
 *   command  /01 0 07 get pos[:CC]            device, axis, message id
 *   reply    @01 0 07 OK BUSY -- 12345[:CC]   OK or RJ, BUSY or IDLE, warning flag, data
 *   alert    !01 1 IDLE --                    unasked
 *   info     #01 0 07 text
 *
 * CC: two hex digits, the negated sum of the bytes between marker and colon modulo 256. */
#ifndef DAQ_ZABER_H
#define DAQ_ZABER_H

#include <stdbool.h>
#include <stddef.h>

#include "daq_line.h"

typedef enum daq_zaber_kind { DAQ_ZABER_REPLY, DAQ_ZABER_ALERT, DAQ_ZABER_INFO } daq_zaber_kind;

typedef struct daq_zaber_message {
  daq_zaber_kind kind;
  int device, axis;
  int id;          /* -1: none */
  bool rejected;   /* reply: RJ */
  bool busy;       /* reply, alert */
  char warning[3]; /* reply, alert: "--", "WR", ... */
  char data[96];
} daq_zaber_message;

/* Parses the first message of n bytes (daq_line.h). Anything but a whole, printable, well-formed line is
 * invalid up to the next marker. With need_checksum a message without checksum is invalid. An existing
 * checksum is always verified. */
daq_parse daq_zaber_parse(const char *bytes, size_t n, bool need_checksum, daq_zaber_message *m,
                          size_t *used);

/* Writes "/DD 0 II command[:CC]\n" and returns its length. A size of 96 holds every command of this
 * program. */
size_t daq_zaber_format(char *out, size_t size, int device, int id, const char *command, bool checksum);

/* Meaning of a warning flag for a measurement. */
typedef enum daq_zaber_concern {
  DAQ_ZABER_FINE,      /* the motion is not affected: supply, temperature, rounding */
  DAQ_ZABER_UNHOMED,   /* normal before homing; after it, power was lost */
  DAQ_ZABER_CUT_SHORT, /* normal after a stop by this program; else somebody stopped or moved it */
  DAQ_ZABER_DOUBTFUL,  /* the stage moves, but its position or path is in doubt */
  DAQ_ZABER_FAULT      /* F?: motion was stopped or disabled; any F, known or not */
} daq_zaber_concern;

daq_zaber_concern daq_zaber_flag_concern(const char *flag);
/* Returns the meaning of a warning flag; "unknown flag" if it is not in the list. */
const char *daq_zaber_flag_text(const char *flag);

/* Return the data of `set maxspeed` and `set accel`: microsteps/s x 1.6384 and microsteps/s^2 x 1.6384 /
 * 10000 (Zaber ASCII protocol manual). */
long long daq_zaber_speed_data(double speed_m_per_s, double microstep_m);
long long daq_zaber_accel_data(double acceleration_m_per_s2, double microstep_m);

#endif
