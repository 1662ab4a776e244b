/* The device side of a stage's protocol, as a table of functions; vrig.c knows no protocol. Bytes from the
 * host go in, bytes for the host come out. A reply must hold whole lines or messages. It may be long: it is
 * cut into pieces on its way. The functions return the length of the reply, 0 for none. Times are rig
 * seconds. */
#ifndef VRIG_DEVICE_H
#define VRIG_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"
#include "vrig_stage.h"

#define VRIG_DEVICE_REPLY_MAX 2048

/* Injected faults inside a stage. */
typedef enum vrig_stage_fault {
  VRIG_STAGE_STALL,  /* the motor stalls: it stops and reports that by its protocol */
  VRIG_STAGE_REJECT, /* the next command that moves or sets something is refused */
  VRIG_STAGE_ALARM,  /* a limit switch, or the nearest the protocol has */
  VRIG_STAGE_ESTOP   /* the emergency stop is pressed, until the power is switched off and on */
} vrig_stage_fault;

typedef struct vrig_device {
  size_t size; /* of the state, which is zeroed before power_up */
  bool binary; /* a reply is one message, whatever its bytes are */
  bool force;  /* the device also sends the force: `reading` is used, and there is no read-out */
  void (*power_up)(void *device, const cb_rig *rig, vrig_stage *stage);
  /* Called when a host opened the port. May be NULL. */
  size_t (*opened)(void *device, double t_s, char reply[VRIG_DEVICE_REPLY_MAX]);
  /* Called for each byte from the host. */
  size_t (*byte)(void *device, double t_s, char byte, char reply[VRIG_DEVICE_REPLY_MAX]);
  /* Called in every turn, for what the device sends without being asked. May be NULL. */
  size_t (*tick)(void *device, double t_s, char reply[VRIG_DEVICE_REPLY_MAX]);
  /* Called with the present reading [force.unit], if `force` is true. */
  void (*reading)(void *device, double reading);
  /* Injects a fault. */
  size_t (*fault)(void *device, double t_s, vrig_stage_fault fault, char reply[VRIG_DEVICE_REPLY_MAX]);
} vrig_device;

extern const vrig_device vrig_zaber_device, vrig_grbl_device, vrig_smc100_device, vrig_esm_device,
    vrig_gcs_device, vrig_apt_device;
/* The device of a virtual rig's stage. */
const vrig_device *vrig_device_of(const cb_rig *rig);

#endif
