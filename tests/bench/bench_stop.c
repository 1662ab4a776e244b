/* bench_stop [N [FOLDER [comedi]]]: how long from an overload on the read-out's wire to the stop command on
 * the stage's wire?
 *
 * The product's own loop (daq_bench with guard, recorder and store on a real file) moves a stage on
 * pseudo-terminals. A device thread plays stage and read-out: 1000 readings per second, and after 20 to 40 ms
 * of a move one reading above the limit; it stamps when that line is written and when the stop bytes are
 * there. N times (1000) per condition: quiet machine; a disk that is written and synced all the time; a busy
 * thread for each processor and such a disk. FOLDER (.): where the database and the disk's load go.
 * comedi: the read-out is the board of a virtual rig, with force and displacement in one scan.
 *
 * "bare echo" is what the machine itself takes at the same moments: a byte to another pseudo-terminal, whose
 * reader does nothing but send it back; "longer than the echo" the difference, event by event.
 *
 * The device thread and the echo stand for hardware, which does not wait for a processor: they ask for
 * SCHED_FIFO. Where that is not allowed, what it waits between stamp and wire counts too, and the program
 * says so. PASS: the worst is at most 20 ms. */
#include "bench_lab.h"
#include "busy.h"
#include "daq_bench.h"
#include "stop_device.h"

#define LIMIT_S 0.020
#define TRAVEL_M 0.05

static cb_rig rig = {
    .stage = {.baud = 115200,
              .device_address = 1,
              .microstep_m = STOP_MICROSTEP_M,
              .limit_max_m = 0.1,
              .max_speed_m_per_s = 0.05,
              .acceleration_m_per_s2 = 100,
              .reply_timeout_s = 0.5},
    .force = {.driver = CB_FORCE_LINE,
              .baud = 115200,
              .rate_Hz = 1 / STOP_PERIOD_S,
              .overload_N = 8,
              .silence_timeout_s = 1,
              .separator = ",",
              .scale = 1},
    .calibration = {.slope_N_per_unit = 1},
    .comedi = {.n = 2,
               .channel = {{.quantity = CB_COMEDI_FORCE, .scale = 1},
                           {.quantity = CB_COMEDI_DISPLACEMENT, .channel = 1, .scale = 0.01}}},
};

static bool print_distribution(const char *name, double *delay_s, int n) {
  qsort(delay_s, (size_t)n, sizeof *delay_s, by_size);
  double worst_s = delay_s[n - 1];
  printf("%-22s %6d %9.3f %9.3f %9.3f %9.3f %9.3f   %s\n", name, n, 1e3 * delay_s[0], 1e3 * delay_s[n / 2],
         1e3 * delay_s[n * 9 / 10], 1e3 * delay_s[n * 99 / 100], 1e3 * worst_s,
         worst_s <= LIMIT_S ? "yes" : "no");
  (void)fflush(stdout);
  return worst_s <= LIMIT_S;
}

static double measure_once(daq_bench *b, stop_device *d, double *echo_s) {
  cb_err why = {""};
  atomic_store(&d->overload_s, 0);
  atomic_store(&d->stop_s, 0);
  atomic_store(&d->echo_s, 0);
  atomic_store(&d->armed, true);
  LAB_TRY(daq_bench_resume(b, err));
  if (daq_bench_move(b, TRAVEL_M, STOP_SPEED_M_PER_S, &why) != CB_E_SAFETY || !strstr(why.msg, "overload"))
    lab_die(why.msg);
  double delay_s = atomic_load(&d->stop_s) - atomic_load(&d->overload_s);
  if (delay_s < 0) lab_die("a stop without an overload");
  while (atomic_load(&d->echo_s) == 0) cb_sleep_s(0.001);
  *echo_s = atomic_load(&d->echo_s) - atomic_load(&d->overload_s);
  return delay_s;
}

static bool measure(const char *name, daq_bench *b, stop_device *d, int n) {
  double *delay_s = calloc((size_t)n, sizeof *delay_s), *echo_s = calloc((size_t)n, sizeof *echo_s);
  double *own_s = calloc((size_t)n, sizeof *own_s);
  if (!delay_s || !echo_s || !own_s) lab_die("no memory");
  for (int i = 0; i < n; i++) {
    /* Back from where it was stopped. */
    if (i > 0) LAB_TRY(daq_bench_home(b, err));
    delay_s[i] = measure_once(b, d, &echo_s[i]);
    own_s[i] = delay_s[i] - echo_s[i];
  }
  bool pass = print_distribution(name, delay_s, n);
  (void)print_distribution("  bare echo", echo_s, n);
  (void)print_distribution("  longer than the echo", own_s, n);
  free(own_s);
  free(delay_s);
  free(echo_s);
  return pass;
}

static int processors(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > BUSY_SPINNERS_MAX ? BUSY_SPINNERS_MAX : (int)n;
}

static bool measure_loaded(const char *name, daq_bench *b, stop_device *d, int n, int spinners,
                           const char *disk_path) {
  static busy load;
  busy_begin(&load, spinners, disk_path);
  cb_sleep_s(1);
  bool pass = measure(name, b, d, n);
  busy_end(&load);
  return pass;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  const char *folder = argc > 2 ? argv[2] : ".";
  char db[512], disk[512];
  static stop_device d;
  cb_stop stop_flag = CB_STOP_NOT;
  lab l;
  daq_recorder *recorder;
  daq_bench b;
  d.board = argc > 3 && strcmp(argv[3], "comedi") == 0;
  if (n < 1 || (argc > 3 && !d.board)) lab_die("usage: bench_stop [N [FOLDER [comedi]]]");
  if (d.board) rig.force.driver = CB_FORCE_COMEDI;
  (void)snprintf(db, sizeof db, "%s/bench_stop.db", folder);
  (void)snprintf(disk, sizeof disk, "%s/bench_stop.load", folder);
  lab_remove(db);
  stop_device_start(&d);
  lab_open(&l, db, 1 / STOP_PERIOD_S);
  lab_campaign(&l, "bench");
  LAB_TRY(daq_bench_open(&b, &rig, d.stage_name, d.force_name, &stop_flag, err));
  LAB_TRY(daq_bench_home(&b, err));
  LAB_TRY(daq_recorder_start(l.store, l.like.campaign_id, lab_run(&l), 1 / STOP_PERIOD_S, &recorder, err));
  daq_bench_record(&b, recorder);
  printf("overload to stop, ms           n       min    median       p90       p99     worst   worst <= %g\n",
         1e3 * LIMIT_S);
  bool pass = measure("quiet", &b, &d, n);
  pass &= measure_loaded("disk", &b, &d, n, 0, disk);
  pass &= measure_loaded("disk, all processors busy", &b, &d, n, processors(), disk);
  daq_bench_record(&b, NULL);
  LAB_TRY(daq_recorder_stop(recorder, err));
  daq_bench_close(&b);
  stop_device_end(&d);
  LAB_TRY(cb_store_close(l.store, err));
  lab_remove(db);
  printf("%s\n", pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
