/* The device side of the Zaber ASCII protocol (firmware 7 dialect) for one single-axis stage: bytes in, reply
 * bytes out.
 *
 *   command  /[device] [axis] [id] words[:CC] CR|LF   device 0 or none: all; other devices' commands are
 * ignored reply    @DD A [id] OK|RJ BUSY|IDLE WW data[:CC] CR LF
 *
 * Supported: home, move abs|rel|min|max, stop, estop, the empty command (status), get/set pos, maxspeed,
 * accel, limit.min, limit.max, comm.checksum, comm.alert, get system.serial, version, device.id, warnings,
 * warnings clear.
 *
 * Rejections:
 * - BADCOMMAND: anything else. `move vel` is included, as this bench allows bounded moves only.
 * - BADDATA: numbers that are missing, malformed or out of range; positions beyond the limits.
 * - BADAXIS: axes other than 0 and 1.
 *
 * Data: positions in microsteps, maxspeed = microsteps/s * 1.6384, accel = microsteps/s2 * 1.6384 / 10000. A
 * checksum in a command is verified; a command with a wrong one is ignored. Replies carry one if
 * comm.checksum is 1.
 *
 * Warning flags:
 * - WR: the axis has no reference position yet. Moves are rejected with BADDATA; the count starts at 0 at the
 *   present position.
 * - WH: `set pos` gave a position without homing.
 * - NI: a movement was cut short; until the next movement or `warnings clear`.
 * - F?: an injected fault; until `warnings clear` (FH: for ever). Moves are rejected.
 *
 * The home position is 0, or the end of the track nearest to it. With comm.alert = 1 the end of every
 * movement is alerted: !DD 1 IDLE WW. */
#ifndef VRIG_ZABER_H
#define VRIG_ZABER_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"
#include "vrig_device.h"
#include "vrig_stage.h"

#define VRIG_ZABER_COMMAND_MAX 80 /* longer commands are ignored */
#define VRIG_ZABER_REPLY_MAX 128

enum {
  VRIG_ZABER_MAXSPEED,
  VRIG_ZABER_ACCEL,
  VRIG_ZABER_LIMIT_MIN,
  VRIG_ZABER_LIMIT_MAX,
  VRIG_ZABER_CHECKSUM,
  VRIG_ZABER_ALERT,
  VRIG_ZABER_N_STORED
};

typedef struct vrig_zaber {
  vrig_stage *stage; /* borrowed */
  int address;
  double microstep_m;
  double zero_m; /* stage position of the device's 0 */
  long long setting[VRIG_ZABER_N_STORED];
  long long setting_max[VRIG_ZABER_N_STORED];
  bool homing, homed, referenced, interrupted;
  bool moved;       /* at the last tick; an alert reports the change */
  char fault[3];    /* F?; "": none */
  bool reject_next; /* the next command that moves or sets something */
  char line[VRIG_ZABER_COMMAND_MAX + 1];
  size_t n;
  bool listening; /* a '/' came, and no line end yet */
} vrig_zaber;

/* Powers the device up, not homed; maxspeed, accel, limits and checksum are the rig file's. The stage must
 * outlive z. */
void vrig_zaber_init(vrig_zaber *z, const cb_rig_stage *rig, vrig_stage *stage);

/* Takes one byte at rig time t_s. Returns the length of the reply (NUL-terminated), 0 for none yet. */
size_t vrig_zaber_byte(vrig_zaber *z, double t_s, char byte, char reply[VRIG_ZABER_REPLY_MAX]);

#endif
