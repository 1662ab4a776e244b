#include "vrig_force.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_DECIMALS 12

/* Digits after the point that a multiple of the quantum needs. */
static int decimals_of(double quantum) {
  int d = 0;
  for (double q = quantum; d < MAX_DECIMALS && fabs(q - nearbyint(q)) > 1e-6 * q; q *= 10) d++;
  return d;
}

void vrig_force_init(vrig_force *f, const cb_rig_force *rig, double quantum) {
  *f = (vrig_force){.rig = rig, .decimals = decimals_of(rig->driver == CB_FORCE_LINE ? quantum / fabs(rig->scale) : quantum)};
}

static size_t d500_line(const vrig_force *f, char *line) {
  const char *point = f->decimals == 0 ? "." : "", *alarm = f->saturated ? "A" : "";
  int n = snprintf(line, VRIG_FORCE_LINE_MAX, "%+.*f%s%s\r\n", f->decimals, f->reading - f->tare + 0.0, point, alarm);
  return (size_t)n;
}

static size_t field_line(vrig_force *f, char *line) {
  const char *separator = f->rig->separator[0] ? f->rig->separator : " ";
  int n = 0;
  for (int i = 0; i < f->rig->field; i++)
    n += snprintf(line + n, VRIG_FORCE_LINE_MAX - (size_t)n, "%lu%s", i == 0 ? f->index : 0, separator);
  n += snprintf(line + n, VRIG_FORCE_LINE_MAX - (size_t)n, "%.*f\r\n", f->decimals, f->reading / f->rig->scale + 0.0);
  f->index++;
  return (size_t)n;
}

size_t vrig_force_sample(vrig_force *f, double reading, bool saturated, char line[VRIG_FORCE_LINE_MAX]) {
  f->reading = reading;
  f->saturated = saturated;
  if (f->rig->driver == CB_FORCE_LINE) return field_line(f, line);
  return f->on_command ? 0 : d500_line(f, line);
}

static size_t obey(vrig_force *f, char *line) {
  if (strcmp(f->command, "*1A0") == 0) f->on_command = false;
  if (strcmp(f->command, "*1A1") == 0) f->on_command = true;
  if (strcmp(f->command, "*1CA") == 0) f->tare = f->reading;
  if (strcmp(f->command, "*1CB") == 0) f->tare = 0;
  return strcmp(f->command, "*1B1") == 0 && f->on_command ? d500_line(f, line) : 0;
}

size_t vrig_force_byte(vrig_force *f, char byte, char line[VRIG_FORCE_LINE_MAX]) {
  if (f->rig->driver != CB_FORCE_FUTEK_D500) return 0;
  if (byte == '*') f->n = 0;
  if (byte == '\r') {
    f->command[f->n] = '\0';
    f->n = 0;
    return obey(f, line);
  }
  /* One byte more than any command has is enough to be none. */
  if (byte != '\n' && f->n < sizeof f->command - 1) f->command[f->n++] = byte;
  return 0;
}
