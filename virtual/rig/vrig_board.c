#include "vrig_board.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANNELS 16
#define MAXDATA 65535

static const double full_scale_V[] = {10, 5}; /* ranges, to both sides */
#define RANGES ((int)(sizeof full_scale_V / sizeof full_scale_V[0]))

void vrig_board_init(vrig_board *b, const cb_rig *rig) { *b = (vrig_board){.rig = rig}; }
void vrig_board_cancel(vrig_board *b) { b->n = b->n_order = 0; }

/* ---- orders ---- */

/* " 0:1 5:0": false at the first thing that the board has not. */
static bool take_list(vrig_board *b, const char *text) {
  int channel, range, used = 0;
  size_t n = 0;
  for (; sscanf(text, " %d:%d%n", &channel, &range, &used) == 2; text += used, n++) {
    if (n == CB_COMEDI_CHANNELS_MAX || channel < 0 || channel >= CHANNELS || range < 0 || range >= RANGES)
      return false;
    b->channel[n] = channel;
    b->range[n] = range;
  }
  b->n = *text == '\0' ? n : 0;
  return b->n > 0;
}

static size_t refuse(const char *why, char *reply) {
  return (size_t)snprintf(reply, VRIG_BOARD_REPLY_MAX, "refused %s\n", why);
}

static size_t obey(vrig_board *b, char *reply) {
  double period_ns;
  int used = 0;
  vrig_board_cancel(b);
  if (sscanf(b->order, "scan %lf%n", &period_ns, &used) != 1) return refuse("unknown order", reply);
  if (!take_list(b, b->order + used)) return refuse("it has channels 0 to 15 and ranges 0 to 1", reply);
  b->next = 0;
  int n = snprintf(reply, VRIG_BOARD_REPLY_MAX, "scans %.0f %d", 1e9 / b->rig->force.rate_Hz, MAXDATA);
  for (size_t i = 0; i < b->n; i++)
    n += snprintf(reply + n, VRIG_BOARD_REPLY_MAX - (size_t)n, " %g:%g", -full_scale_V[b->range[i]],
                  full_scale_V[b->range[i]]);
  return (size_t)n + (size_t)snprintf(reply + n, VRIG_BOARD_REPLY_MAX - (size_t)n, "\n");
}

size_t vrig_board_byte(vrig_board *b, char byte, char reply[VRIG_BOARD_REPLY_MAX]) {
  if (byte != '\n') {
    /* One byte more than any order has is enough to be none. */
    if (b->n_order < sizeof b->order - 1) b->order[b->n_order++] = byte;
    return 0;
  }
  b->order[b->n_order] = '\0';
  return obey(b, reply);
}

/* ---- samples ---- */

/* What the channel's terminals carry. */
static double volts_at(const vrig_board *b, int channel, double force, double displacement_m) {
  const cb_rig_comedi *c = &b->rig->comedi;
  for (size_t i = 0; i < c->n; i++) {
    const cb_comedi_channel *k = &c->channel[i];
    double value = k->quantity == CB_COMEDI_FORCE ? force : displacement_m;
    if (k->channel == channel) return (value - k->offset) / k->scale;
  }
  return 0;
}

/* The whole counts nearest to the volts; beyond its range the converter stays at its end. */
static unsigned counts_of(double volts, double full_V) {
  double counts = nearbyint((volts + full_V) / (2 * full_V) * MAXDATA);
  return (unsigned)fmin(fmax(counts, 0), MAXDATA);
}

static size_t put(char *to, unsigned number) {
  to[0] = (char)(number & 255u);
  to[1] = (char)(number >> 8 & 255u);
  return 2;
}

size_t vrig_board_scan(vrig_board *b, double force, double displacement_m, char reply[VRIG_BOARD_REPLY_MAX]) {
  if (b->n == 0) return 0;
  size_t size = put(reply, b->next++);
  for (size_t i = 0; i < b->n; i++) {
    double volts = volts_at(b, b->channel[i], force, displacement_m);
    size += put(reply + size, counts_of(volts, full_scale_V[b->range[i]]));
  }
  return size;
}
