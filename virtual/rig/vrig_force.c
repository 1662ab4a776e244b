#include "vrig_force.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_DECIMALS 12

int vrig_force_decimals(double quantum) {
  int d = 0;
  for (double q = quantum; d < MAX_DECIMALS && fabs(q - nearbyint(q)) > 1e-6 * q; q *= 10) d++;
  return d;
}

/* A negative zero would be printed with its sign. */
static double shown(const vrig_force *f) { return f->reading - f->tare + 0.0; }

static size_t say(char *line, const char *text) {
  return (size_t)snprintf(line, VRIG_FORCE_LINE_MAX, "%s\r\n", text);
}

/* ---- lines as the rig file describes them ---- */

static size_t field_line(vrig_force *f, char *line) {
  const char *separator = f->rig->separator[0] ? f->rig->separator : " ", *t = f->rig->terminator;
  const char *end = strcmp(t, "cr") == 0 ? "\r" : strcmp(t, "lf") == 0 ? "\n" : t[0] && !t[1] ? t : "\r\n";
  int n = 0;
  for (int i = 0; i < f->rig->field; i++)
    n += snprintf(line + n, VRIG_FORCE_LINE_MAX - (size_t)n, "%lu%s", i == 0 ? f->index : 0, separator);
  n += snprintf(line + n, VRIG_FORCE_LINE_MAX - (size_t)n, "%.*f%s", f->decimals,
                f->reading / f->rig->scale + 0.0, end);
  f->index++;
  return (size_t)n;
}

static size_t field_obey(vrig_force *f, char *line) {
  const cb_rig_force *r = f->rig;
  if (r->request[0]) return strcmp(f->command, r->request) == 0 ? field_line(f, line) : 0;
  if (r->start[0] && strcmp(f->command, r->start) == 0) f->on_command = false;
  if (r->stop[0] && strcmp(f->command, r->stop) == 0) f->on_command = true;
  return 0;
}

/* ---- FUTEK D500 ---- */

static size_t d500_line(vrig_force *f, char *line) {
  const char *point = f->decimals == 0 ? "." : "", *alarm = f->saturated ? "A" : "";
  return (size_t)snprintf(line, VRIG_FORCE_LINE_MAX, "%+.*f%s%s\r\n", f->decimals, shown(f), point, alarm);
}

static size_t d500_obey(vrig_force *f, char *line) {
  if (strcmp(f->command, "*1A0") == 0) f->on_command = false;
  if (strcmp(f->command, "*1A1") == 0) f->on_command = true;
  if (strcmp(f->command, "*1CA") == 0) f->tare = f->reading;
  if (strcmp(f->command, "*1CB") == 0) f->tare = 0;
  return strcmp(f->command, "*1B1") == 0 && f->on_command ? d500_line(f, line) : 0;
}

/* ---- Mark-10 ---- */

static const char *gcl_unit(const char *unit) {
  static const char *const names[][2] = {{"lbf", "lbF"}, {"ozf", "ozF"}, {"kgf", "kgF"}, {"gf", "gF"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(unit, names[i][0]) == 0) return names[i][1];
  return unit;
}

static size_t gcl_line(vrig_force *f, char *line) {
  const char *unit = f->bare ? "" : gcl_unit(f->rig->unit);
  return (size_t)snprintf(line, VRIG_FORCE_LINE_MAX, "%.*f%s%s\r\n", f->decimals, shown(f),
                          f->bare ? "" : " ", unit);
}

static size_t gcl_stream(vrig_force *f, const char *rate, char *line) {
  static const char *const rates[] = {"0", "1", "2", "5", "10", "25", "50", "125", "250"};
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
    if (strcmp(rate, rates[i]) != 0) continue;
    f->on_command = i == 0;
    return 0;
  }
  return say(line, "*12");
}

static size_t gcl_obey(vrig_force *f, char *line) {
  const char *c = f->command;
  if (strncmp(c, "AOUT", 4) == 0) return gcl_stream(f, c + 4, line);
  if (strcmp(c, "?") == 0 || strcmp(c, "?C") == 0) return gcl_line(f, line);
  if (strcmp(c, "LIST") == 0) return say(line, "VIRTUAL;V1.00;CUR");
  if (strcmp(c, "CUR") == 0) return 0;
  if (strcmp(c, "FULL") == 0 || strcmp(c, "NUM") == 0) return f->bare = c[0] == 'N', 0;
  if (strcmp(c, "Z") == 0) return f->tare = f->reading, 0;
  return say(line, "*10");
}

/* ---- MT-SICS ---- */

static size_t sics_line(vrig_force *f, char *line) {
  double value = shown(f);
  char state = value == f->shown ? 'S' : 'D';
  f->shown = value;
  if (f->saturated) return say(line, value > 0 ? "S +" : "S -");
  return (size_t)snprintf(line, VRIG_FORCE_LINE_MAX, "S %c %10.*f %s\r\n", state, f->decimals, value,
                          f->rig->unit);
}

static size_t sics_obey(vrig_force *f, char *line) {
  const char *c = f->command;
  bool reset = strcmp(c, "@") == 0, read = strcmp(c, "S") == 0 || strcmp(c, "SI") == 0;
  if (reset || read) f->on_command = true;
  if (reset) f->tare = 0;
  if (read) return sics_line(f, line);
  if (reset || strcmp(c, "I4") == 0) return say(line, "I4 A \"VIRTUAL\"");
  if (strcmp(c, "SIR") == 0) return f->on_command = false, 0;
  if (strcmp(c, "Z") == 0) return f->tare = f->reading, say(line, "Z A");
  return say(line, "ES");
}

/* ---- SCPI ---- */

static size_t scpi_line(const vrig_force *f, char *line) {
  const double number = f->saturated ? copysign(9.9e37, f->reading) : f->reading / f->rig->scale;
  return (size_t)snprintf(line, VRIG_FORCE_LINE_MAX, "%+.8E\n", number + 0.0);
}

/* Commands that it knows and that change nothing here. */
static bool is_scpi_setting(const char *c) {
  static const char *const known[] = {"CONF:", "SENS:", "SAMP:", "TRIG:", "SYST:REM", "SYST:LOC", "*RST"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strncmp(c, known[i], strlen(known[i])) == 0 && !strchr(c, '?')) return true;
  return false;
}

static size_t scpi_unit(vrig_force *f, const char *c, char *line) {
  if (strcmp(c, "READ?") == 0 || strcmp(c, "FETC?") == 0 || strncmp(c, "MEAS:", 5) == 0)
    return scpi_line(f, line);
  if (strcmp(c, "*IDN?") == 0)
    return (size_t)snprintf(line, VRIG_FORCE_LINE_MAX, "CLOTHBENCH,VIRTUAL,V-1,1.0\n");
  if (strcmp(c, "*CLS") == 0) return f->refused = false, 0;
  if (strcmp(c, "SYST:ERR?") == 0) {
    const char *text = f->refused ? "-113,\"Undefined header\"" : "+0,\"No error\"";
    f->refused = false;
    return (size_t)snprintf(line, VRIG_FORCE_LINE_MAX, "%s\n", text);
  }
  f->refused = f->refused || !is_scpi_setting(c);
  return 0;
}

/* Units of a message stand between semicolons; the last one answers. */
static size_t scpi_obey(vrig_force *f, char *line) {
  size_t n = 0;
  char *rest = f->command;
  for (char *c; (c = strsep(&rest, ";"));) n = scpi_unit(f, c + strspn(c, " :"), line);
  return n;
}

/* ---- all of them ---- */

static const struct protocol {
  size_t (*line)(vrig_force *f, char *line);
  size_t (*obey)(vrig_force *f, char *line); /* a whole command; NULL: it does not listen */
  bool silent;                               /* as powered up */
  char begins; /* a command begins at this byte, whatever came before; 0: with any */
} protocols[] = {
    [CB_FORCE_LINE] = {field_line, field_obey, false, 0},
    [CB_FORCE_FUTEK_D500] = {d500_line, d500_obey, false, '*'},
    [CB_FORCE_MARK10_GCL] = {gcl_line, gcl_obey, true, 0},
    [CB_FORCE_MT_SICS] = {sics_line, sics_obey, true, 0},
    [CB_FORCE_SCPI] = {NULL, scpi_obey, true, 0},
};

static const struct protocol *protocol_of(const vrig_force *f) {
  static const struct protocol none = {NULL, NULL, true, 0};
  return (size_t)f->rig->driver < sizeof protocols / sizeof protocols[0] ? &protocols[f->rig->driver] : &none;
}

void vrig_force_init(vrig_force *f, const cb_rig_force *rig, double quantum) {
  *f = (vrig_force){
      .rig = rig,
      .decimals = vrig_force_decimals(rig->driver == CB_FORCE_LINE ? quantum / fabs(rig->scale) : quantum)};
  f->on_command = protocol_of(f)->silent || rig->request[0] || rig->start[0];
  f->modbus = (vrig_modbus){.rig = rig};
}

size_t vrig_force_sample(vrig_force *f, double reading, bool saturated, char line[VRIG_FORCE_LINE_MAX]) {
  f->reading = reading;
  f->saturated = saturated;
  const struct protocol *p = protocol_of(f);
  return f->on_command || !p->line ? 0 : p->line(f, line);
}

size_t vrig_force_byte(vrig_force *f, char byte, char line[VRIG_FORCE_LINE_MAX]) {
  const struct protocol *p = protocol_of(f);
  const char *t = f->rig->terminator;
  if (f->rig->driver == CB_FORCE_MODBUS_RTU) return vrig_modbus_byte(&f->modbus, f->reading, byte, line);
  if (!p->obey) return 0;
  if (p->begins && byte == p->begins) f->n = 0;
  if (byte == '\r' || byte == '\n' || (t[0] && !t[1] && byte == t[0])) {
    bool empty = f->n == 0;
    f->command[f->n] = '\0';
    f->n = 0;
    return empty ? 0 : p->obey(f, line);
  }
  /* One byte more than any command has is enough to be none. */
  if (f->n < sizeof f->command - 1) f->command[f->n++] = byte;
  return 0;
}
