/* The Comedi board of the virtual rig: 16 channels of 16 bits, ranges +-10 V (0) and +-5 V (1), a converter
 * for each channel. It converts what the rig file's channels are wired to, value = volts * scale + offset,
 * and 0 V elsewhere.
 *
 * - `scan PERIOD_ns CHANNEL:RANGE ...` LF begins an acquisition without an end, or begins it anew. The answer
 * is `scans PERIOD_ns MAXDATA MIN:MAX ...` LF with the board's own period, which is that of force.rate_Hz,
 * and the range of each channel in volts, or `refused SENTENCE` LF.
 * - A scan is its number (16 bits, from 0) and a sample of 16 bits per channel, low byte first. A scan that
 * the host does not take in time is lost, and its number is left out. */
#ifndef VRIG_BOARD_H
#define VRIG_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_rig.h"

#define VRIG_BOARD_REPLY_MAX 192

typedef struct vrig_board {
  const cb_rig *rig; /* borrowed */
  size_t n;          /* channels of a scan; 0: none was ordered */
  int channel[CB_COMEDI_CHANNELS_MAX], range[CB_COMEDI_CHANNELS_MAX];
  uint16_t next; /* number of the next scan */
  char order[256];
  size_t n_order;
} vrig_board;

/* rig must outlive b. */
void vrig_board_init(vrig_board *b, const cb_rig *rig);

/* Takes one byte from the host. Returns the length of the answer, 0 for none. */
size_t vrig_board_byte(vrig_board *b, char byte, char reply[VRIG_BOARD_REPLY_MAX]);

/* Converts the force reading [force.unit] and the displacement of the cart [m]. Returns the length of the
 * scan to send, 0 while no acquisition runs. */
size_t vrig_board_scan(vrig_board *b, double force, double displacement_m, char reply[VRIG_BOARD_REPLY_MAX]);

/* The host is gone: the acquisition ends. */
void vrig_board_cancel(vrig_board *b);

#endif
