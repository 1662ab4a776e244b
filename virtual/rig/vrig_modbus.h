/* The device side of Modbus RTU: an indicator with one reading in one or two registers, and perhaps its
 * decimals in another. It answers what is asked of its address with a right sum, and nothing else: it refuses
 * another function with exception 1, other registers with 2. A host sends questions of 8 bytes. */
#ifndef VRIG_MODBUS_H
#define VRIG_MODBUS_H

#include <stddef.h>

#include "cb_rig.h"

#define VRIG_MODBUS_QUESTION 8
#define VRIG_MODBUS_DECIMALS 4 /* where a register has them */

typedef struct vrig_modbus {
  const cb_rig_force *rig; /* borrowed */
  unsigned char asked[VRIG_MODBUS_QUESTION];
  size_t n;
} vrig_modbus;

/* Takes one byte. Returns the length of the answer to send, at most 16 bytes, 0 for none. */
size_t vrig_modbus_byte(vrig_modbus *m, double reading, char byte, char *answer);

#endif
