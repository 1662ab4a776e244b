#include "daq_rig_template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "cb_draft.h"
#include "cb_nearest.h"
#include "cb_rig.h"
#include "daq_devices_parts.h"

/* By cb_stage_driver_names. Sources: docs/reference/devices.md. */
static const char *const stage_keys[] = {
    "  baud: 115200\n"
    "  device_address: 1            # of the device in the chain\n"
    "  microstep_um: 0.1984375      # data sheet, \"microstep size\": a wrong one moves too far\n"
    "  limit_min_mm: 0              # travel that this bench has, in the stage's own co-ordinate\n"
    "  limit_max_mm: 100\n"
    "  max_speed_mm_per_s: 50\n"
    "  acceleration_mm_per_s2: 500\n"
    "  start_mm: 20                 # start of every forward pull\n"
    "  checksum: true               # finds torn replies\n",
    "  baud: 115200\n"
    "  axis: X\n"
    "  microstep_um: 4              # 1000 / $100 (steps per mm); a wrong one moves too far\n"
    "  limit_min_mm: -100           # Grbl's machine co-ordinates end at 0\n"
    "  limit_max_mm: 0\n"
    "  max_speed_mm_per_s: 50       # at most $110 / 60\n"
    "  acceleration_mm_per_s2: 500  # $120\n"
    "  start_mm: -80                # start of every forward pull\n",
    "  baud: 115200\n"
    "  microstep_um: 10             # resolution of the stand's display\n"
    "  limit_min_mm: 0              # travel that this bench has\n"
    "  limit_max_mm: 100\n"
    "  max_speed_mm_per_s: 18\n"
    "  acceleration_mm_per_s2: 100\n"
    "  start_mm: 20                 # start of every forward pull\n",
    "  baud: 57600\n"
    "  device_address: 1\n"
    "  microstep_um: 0.1            # resolution of the stage behind the controller\n"
    "  limit_min_mm: 0              # travel that this bench has\n"
    "  limit_max_mm: 100\n"
    "  max_speed_mm_per_s: 10\n"
    "  acceleration_mm_per_s2: 40\n"
    "  start_mm: 20                 # start of every forward pull\n",
    "  baud: 115200\n"
    "  microstep_um: 0.1            # resolution of the stage\n"
    "  limit_min_mm: 0              # travel that this bench has\n"
    "  limit_max_mm: 100\n"
    "  max_speed_mm_per_s: 10\n"
    "  acceleration_mm_per_s2: 40\n"
    "  start_mm: 20                 # start of every forward pull\n",
    "  stop_command: \"exit 1\"       # what stops the stage without the program of `port`: write one\n"
    "  microstep_um: 1              # smallest step of the position\n"
    "  limit_min_mm: 0              # travel that this bench has\n"
    "  limit_max_mm: 100\n"
    "  max_speed_mm_per_s: 10\n"
    "  acceleration_mm_per_s2: 40\n"
    "  start_mm: 20                 # start of every forward pull\n",
    "  baud: 115200\n"
    "  motor: servo                 # KDC101, TDC001; stepper: LTS150, LTS300\n"
    "  microstep_um: 0.0291511194   # 1000 / counts per mm: 34304 (MTS25, MTS50), 409600 (LTS)\n"
    "  limit_min_mm: 0              # travel that this bench has\n"
    "  limit_max_mm: 50\n"
    "  max_speed_mm_per_s: 2.4\n"
    "  acceleration_mm_per_s2: 4\n"
    "  start_mm: 5                  # start of every forward pull\n"};

#define GUARD                                                                                \
  "  overload_N: 8                # the stage stops above this: below what the cell bears\n" \
  "  # cell: \"serial number\"      # of the load cell; calibrations belong to it\n"

/* By cb_force_driver_names. */
static const char *const force_keys[] = {
    "  baud: 115200\n"
    "  unit: N                      # of the number in the line\n"
    "  field: 0                     # which number of the line, from 0\n"
    "  separator: \",\"\n"
    "  rate_Hz: 80                  # lines per second\n" GUARD,
    "  baud: 19200\n"
    "  unit: mV/V\n"
    "  rate_Hz: 50                  # of the display: one per cycle of the mains\n" GUARD,
    "  baud: 115200\n"
    "  unit: N                      # as the gauge is set\n"
    "  rate_Hz: 50\n" GUARD,
    "  baud: 9600\n"
    "  unit: g\n"
    "  rate_Hz: 20\n" GUARD,
    "  unit: N                      # as the gauge is set\n"
    "  rate_Hz: 50\n" GUARD,
    "  unit: N                      # of the reading: volts times the channel's scale\n"
    "  rate_Hz: 1000\n" GUARD,
    "  baud: 9600\n"
    "  unit: N                      # of the number, after decimals and scale\n"
    "  rate_Hz: 20                  # questions per second, at most 100\n" GUARD,
    "  baud: 9600                   # of a serial port; /dev/usbtmc0 has none\n"
    "  unit: mV/V\n"
    "  scale: 1000                  # of the number: V/V to mV/V\n"
    "  start: \"CONF:VOLT:DC:RAT\"\n"
    "  request: \"READ?\"\n"
    "  rate_Hz: 5                   # questions per second, at most 100\n" GUARD,
    "  unit: N                      # of the numbers that the program of `port` prints\n"
    "  rate_Hz: 1000\n" GUARD};
#define ROWS(table) (sizeof(table) / sizeof(table)[0])
_Static_assert(ROWS(stage_keys) == CB_STAGE_DRIVERS && ROWS(force_keys) == CB_FORCE_DRIVERS,
               "each driver has its keys here");

static const char comedi_section[] =
    "comedi:\n"
    "  channels:                    # comedi_board_info tells channels and ranges\n"
    "    - {quantity: force, channel: 0, range: 0, aref: diff, scale: 5}          # newton per volt\n"
    "    # - {quantity: displacement, channel: 1, range: 0, aref: diff, scale: 0.01}   # metres per volt\n";

static const char modbus_section[] =
    "modbus:\n"
    "  address: 1                   # of the device, 1 to 247\n"
    "  register: 0                  # of the reading, as sent: 40001 and 30001 of many manuals are 0\n"
    "  type: float                  # float, float-swapped, int16, int32, int32-swapped\n"
    "  parity: none                 # none, even, odd\n";

static const char bench_section[] =
    "bench:\n"
    "  cart_mass_g: 13              # weigh the cart with the body sample under it\n"
    "  u_mass_g: 0.05               # standard uncertainty of cart and weights together\n"
    "  contact_area_cm2: 50         # body on cloth\n"
    "  link_stiffness_N_per_m: 500  # load cell and link: force over its stretch\n"
    "  link_slack_mm: 2             # free play of the link to either side of its middle\n"
    "  gravity_m_per_s2: 9.80665    # local value\n"
    "  u_angle_deg: 0.5             # standard uncertainty of the sample's orientation\n";

static const char calibration_note[] =
    "# The section `calibration` is missing: 'clothbench calibrate' measures the cell under weights "
    "(docs/guide/calibration.md).\n"
    "# Until then nothing moves, as a force in unknown units cannot be watched.\n";

/* The section `lines` of rigs/virtual-gcs.yaml. */
static void put_lines(FILE *to) {
  const char *from = strstr(daq_rig_of_lines, "\nlines:\n") + 1, *end = strstr(from, "\nforce:") + 1;
  fprintf(to,
          "# These templates are those of a PI controller: put in your stage's "
          "(docs/reference/stage-lines.md).\n");
  fprintf(to, "%.*s", (int)(end - from), from);
}

static cb_status check_parts(const daq_rig_parts *p, cb_err *err) {
  const bool stand = p->force == CB_FORCE_MARK10_ESM;
  if (stand && p->stage != CB_STAGE_MARK10_ESM)
    return cb_fail(err, CB_E_ARG,
                   "the read-out mark10-esm answers over the stand's port: the stage mark10-esm was wanted");
  const bool same = strcmp(p->stage_port, p->force_port) == 0;
  if (same != stand)
    return cb_fail(
        err, CB_E_ARG,
        stand ? "mark10-esm: stage and read-out have one port" : "'%s' is the stage's port already",
        p->force_port);
  return CB_OK;
}

void daq_rig_drivers(const char *const *names, char out[300]) {
  out[0] = '\0';
  for (size_t i = 0; names[i]; i++) cb_text_add(out, 300, ", ", "%s", names[i]);
}

cb_status daq_rig_driver(const char *what, const char *typed, const char *const *names, int *driver,
                         cb_err *err) {
  char list[300];
  size_t n = 0;
  while (names[n]) n++;
  for (*driver = 0; names[*driver]; (*driver)++)
    if (strcmp(names[*driver], typed) == 0) return CB_OK;
  const int meant = cb_nearest(typed, names, n);
  daq_rig_drivers(names, list);
  return cb_fail(err, CB_E_ARG, "%s '%.40s':%s%s%s one of %s was wanted", what, typed,
                 meant >= 0 ? " did you mean '" : "", meant >= 0 ? names[meant] : "", meant >= 0 ? "'?" : "",
                 list);
}

cb_status daq_rig_template(const daq_rig_parts *p, char **text, cb_err *err) {
  cb_draft d;
  *text = NULL;
  CB_TRY(check_parts(p, err));
  CB_TRY(cb_draft_begin(&d, err));
  fprintf(d.to,
          "# A rig: %s, %s. Every number below is to be checked; docs/reference/rig-file.md explains each.\n",
          cb_stage_driver_names[p->stage], cb_force_driver_names[p->force]);
  fprintf(d.to, "# Then: clothbench rig check FILE, clothbench calibrate.\n");
  fprintf(d.to, "name: \"%s\"\nstage:\n  driver: %s\n  port: \"%s\"\n%s", p->name,
          cb_stage_driver_names[p->stage], p->stage_port, stage_keys[p->stage]);
  if (p->stage == CB_STAGE_LINES) put_lines(d.to);
  fprintf(d.to, "force:\n  driver: %s\n  port: \"%s\"\n%s", cb_force_driver_names[p->force], p->force_port,
          force_keys[p->force]);
  fprintf(d.to, "%s%s%s",
          p->force == CB_FORCE_COMEDI       ? comedi_section
          : p->force == CB_FORCE_MODBUS_RTU ? modbus_section
                                            : "",
          bench_section, calibration_note);
  return cb_draft_end(&d, CB_OK, text, err);
}
