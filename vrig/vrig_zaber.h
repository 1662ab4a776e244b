/* The device side of the Zaber ASCII protocol (firmware 7 dialect) for one single-axis stage: bytes in, reply bytes out.
 *
 *   command  /[device] [axis] [id] words[:CC] CR|LF   device 0 or none: all; other devices' commands are ignored
 *   reply    @DD A [id] OK|RJ BUSY|IDLE WW data[:CC] CR LF
 *
 * Understood: home, move abs|rel|min|max, stop, estop, the empty command (status), get/set pos, maxspeed, accel, limit.min,
 * limit.max, comm.checksum, comm.alert, get system.serial, version, device.id, warnings, warnings clear. Rejected with BADCOMMAND: anything
 * else, `move vel` included, because a bounded move is all this bench allows; with BADDATA: numbers that are missing, malformed,
 * out of range, or positions beyond the limits; with BADAXIS: axes other than 0 and 1.
 *
 * Data: positions in microsteps, maxspeed = microsteps/s * 1.6384, accel = microsteps/s2 * 1.6384 / 10000. A checksum in a
 * command is checked where it stands, and a command with a wrong one is ignored; replies carry one if comm.checksum is 1.
 * Warning flags: WR before the axis has a reference position (moves are then rejected with BADDATA; the count starts at 0
 * wherever the stage stands), WH where `set pos` gave it one without homing, NI once a movement was cut short, until the next
 * movement or `warnings clear`; F? after an injected fault, until `warnings clear` (FH: for ever), and moves are then rejected. The home
 * position is 0, or the end of the track nearest to it. With comm.alert = 1 the end of every movement is alerted, !DD 1 IDLE WW. */
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
  double zero_m; /* the place that the device counts as 0 */
  long long setting[VRIG_ZABER_N_STORED];
  long long setting_max[VRIG_ZABER_N_STORED];
  bool homing, homed, referenced, interrupted;
  bool moved;       /* when it was last looked at: what an alert is about */
  char fault[3];    /* F?; "": none */
  bool reject_next; /* the next command that would move or set something */
  char line[VRIG_ZABER_COMMAND_MAX + 1];
  size_t n;
  bool listening; /* a '/' came, and no end of line yet */
} vrig_zaber;

/* The stage must outlive it. Powered up, not homed; maxspeed, accel, limits and checksum from the rig file. */
void vrig_zaber_init(vrig_zaber *z, const cb_rig_stage *rig, vrig_stage *stage);

/* One byte from the wire at rig time t_s. Returns the length of the reply (NUL-terminated), 0 if there is none (yet). */
size_t vrig_zaber_byte(vrig_zaber *z, double t_s, char byte, char reply[VRIG_ZABER_REPLY_MAX]);

/* What the device says of its own: an alert, or nothing. */
size_t vrig_zaber_tick(vrig_zaber *z, double t_s, char reply[VRIG_ZABER_REPLY_MAX]);

/* Motion ends with this F flag, which is alerted where alerts are on. */
size_t vrig_zaber_fault(vrig_zaber *z, double t_s, const char *flag, char reply[VRIG_ZABER_REPLY_MAX]);

#endif
