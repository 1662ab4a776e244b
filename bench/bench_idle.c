/* bench_idle [SECONDS]: what a run costs the host: a real campaign of one pull at 1000 readings per second in
 * real time (the virtual rig is a process of its own and does not count), recorder and store included. PASS:
 * at most 3 % of one processor. */
#include <sys/resource.h>

#include "bench_lab.h"
#include "daq_engine.h"
#include "daq_campaign_impl.h"

#define LIMIT 0.03

static double cpu_s(void) {
  struct rusage u;
  (void)getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 30;
  static const char *const real_time[][2] = {{"rate_Hz: 400", "rate_Hz: 1000"},
                                             {"time_scale: 40", "time_scale: 1"}};
  char folder[] = "bench_idle-XXXXXX", rig_path[64], db[64], plan[512];
  cb_rig rig;
  daq_campaign campaign;
  daq_engine_result result;
  cb_stop stop_flag = CB_STOP_NOT;
  cb_store *store;
  if (!mkdtemp(folder) || !(seconds >= 1)) return 2;
  (void)snprintf(rig_path, sizeof rig_path, "%s/rig.yaml", folder);
  (void)snprintf(db, sizeof db, "%s/idle.db", folder);
  /* 60 mm at such a speed that the pull takes as long as was asked for. */
  (void)snprintf(plan, sizeof plan,
                 "name: idle\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0]\nadded_masses_g: "
                 "[50]\nrepeats: 1\ndirections: forward\n"
                 "speed_mm_per_s: %g\ntravel_mm: 60\nzero_s: 2\n",
                 60 / seconds);
  lab_rig(rig_path, real_time, 2);
  LAB_TRY(cb_rig_load(rig_path, &rig, err));
  LAB_TRY(daq_campaign_parse(plan, "idle", &rig, &campaign, err));
  LAB_TRY(cb_store_open(db, CB_STORE_WRITE, &store, err));
  daq_engine_job job = {
      .rig = &rig, .campaign = &campaign, .store = store, .program = CB_EXE, .stop_flag = &stop_flag};
  double began_s = cb_now_monotonic_s(), cpu_before_s = cpu_s();
  LAB_TRY(daq_engine_run(&job, &result, err));
  double took_s = cb_now_monotonic_s() - began_s, used_s = cpu_s() - cpu_before_s;
  printf("%.1f s at 1000 readings and 100 positions per second: %.3f s of processor, %.2f %%: %s\n", took_s,
         used_s, 100 * used_s / took_s, used_s <= LIMIT * took_s ? "PASS" : "FAIL");
  LAB_TRY(cb_store_close(store, err));
  daq_campaign_clear(&campaign);
  cb_rig_clear(&rig);
  lab_remove(db);
  (void)unlink(rig_path);
  (void)rmdir(folder);
  return used_s <= LIMIT * took_s ? 0 : 1;
}
