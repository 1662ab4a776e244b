/* The device side of a stage's protocol, as a table of functions: vrig.c knows no protocol. Bytes from the host go in, bytes for the host
 * come out; what is written must hold whole lines or messages, and may be long: it is cut into pieces on its way. Times are rig
 * seconds. */
#ifndef VRIG_DEVICE_H
#define VRIG_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"
#include "vrig_stage.h"

#define VRIG_DEVICE_REPLY_MAX 2048

/* What may go wrong inside a stage on purpose. */
typedef enum vrig_stage_fault {
  VRIG_STAGE_STALL,  /* the motor loses the load: it stops where it is and says so as its protocol does */
  VRIG_STAGE_REJECT, /* the next command that would move or set something is refused */
  VRIG_STAGE_ALARM,  /* a limit switch, or what comes nearest to it */
  VRIG_STAGE_ESTOP   /* the emergency stop is pressed, and released only with the power */
} vrig_stage_fault;
extern const char *const vrig_stage_fault_names[]; /* "stall", "reject", "alarm", "estop", NULL */

typedef struct vrig_device {
  size_t size; /* of the state, which is zeroed before power_up */
  bool force;  /* force comes over the stage's port: `reading` is used, and no read-out of its own is there */
  void (*power_up)(void *device, const cb_rig *rig, vrig_stage *stage);
  /* A host opened the port. May be NULL. Returns the length of what is to be sent. */
  size_t (*opened)(void *device, double t_s, char reply[VRIG_DEVICE_REPLY_MAX]);
  /* One byte from the host. */
  size_t (*byte)(void *device, double t_s, char byte, char reply[VRIG_DEVICE_REPLY_MAX]);
  /* Asked all the time: what the device says of its own. May be NULL. */
  size_t (*tick)(void *device, double t_s, char reply[VRIG_DEVICE_REPLY_MAX]);
  /* The read-out shows this now [force.unit]. Where force is true. */
  void (*reading)(void *device, double reading);
  size_t (*fault)(void *device, double t_s, vrig_stage_fault fault, char reply[VRIG_DEVICE_REPLY_MAX]);
} vrig_device;

extern const vrig_device vrig_zaber_device, vrig_grbl_device, vrig_smc100_device, vrig_esm_device;
/* By cb_stage_driver. */
extern const vrig_device *const vrig_devices[];

#endif
