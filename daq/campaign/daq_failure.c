#include "daq_failure.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daq_process.h"

#define LIMIT_S "60"
#define LOOK_S 1.0 /* a command that is not there fails within */

enum { FACTS = 8, FACT = 700 };

/* Who stops the campaign himself knows of it. Where the terminal went away, nobody was there to stop it. */
static bool is_wanted(const daq_engine_job *job, cb_status st) {
  if (!job->rig->on_failure[0] || job->practice) return false;
  if (st != CB_E_STOPPED) return true;
  if (cb_stop_wanted(job->stop_flag)) return *job->stop_flag >= CB_STOP_SIGNAL;
  return job->prompt && !isatty(STDIN_FILENO);
}

static void put_facts(const daq_engine_job *job, const daq_engine_result *r, const char *reason,
                      char fact[FACTS][FACT]) {
  char id[24] = "";
  if (r->campaign_id) (void)snprintf(id, sizeof id, "%lld", (long long)r->campaign_id);
  (void)snprintf(fact[0], FACT, "CLOTHBENCH_CAMPAIGN=%s", id);
  (void)snprintf(fact[1], FACT, "CLOTHBENCH_CAMPAIGN_NAME=%s", job->campaign->name);
  (void)snprintf(fact[2], FACT, "CLOTHBENCH_RIG=%s", job->rig->name);
  (void)snprintf(fact[3], FACT, "CLOTHBENCH_DB=%s", cb_store_path(job->store));
  (void)snprintf(fact[4], FACT, "CLOTHBENCH_REASON=%s", reason);
  (void)snprintf(fact[5], FACT, "CLOTHBENCH_STAGE=%s", r->stage);
  (void)snprintf(fact[6], FACT, "CLOTHBENCH_RUNS_DONE=%zu", r->runs_done);
  (void)snprintf(fact[7], FACT,
                 "CLOTHBENCH_NEXT=look at the bench; 'clothbench run' with the campaign's file%s",
                 id[0] ? " and --resume goes on" : " begins it");
}

/* env adds the facts; timeout ends the command, with all that it started, when this program has long ended.
 */
static cb_status send_facts(const char *command, char fact[FACTS][FACT], const char *log, cb_err *err) {
  const char *argv[1 + FACTS + 10] = {"env"};
  const char *const rest[] = {
      "timeout", "-k", "1", LIMIT_S, "/bin/sh", "-c", "exec >>\"$0\" 2>&1; eval \"$1\"", log, command};
  for (int i = 0; i < FACTS; i++) argv[1 + i] = fact[i];
  memcpy(argv + 1 + FACTS, rest, sizeof rest);
  return daq_process_send(argv, command, LOOK_S, err);
}

void daq_failure_tell(const daq_engine_job *job, daq_engine_result *result, cb_status st, const cb_err *err) {
  char fact[FACTS][FACT], log[520];
  cb_err why = {""};
  if (!is_wanted(job, st)) return;
  put_facts(job, result, err->msg, fact);
  (void)snprintf(log, sizeof log, "%.500s-on-failure.log", cb_store_path(job->store));
  if (send_facts(job->rig->on_failure, fact, log, &why) != CB_OK)
    (void)snprintf(result->untold, sizeof result->untold, "on_failure: %.120s: %.100s has what it said",
                   why.msg, log);
  if (!result->campaign_id) return;
  (void)!cb_store_event_put(job->store, result->campaign_id, 0, 0, "on-failure",
                            result->untold[0] ? result->untold : job->rig->on_failure, NULL);
}
