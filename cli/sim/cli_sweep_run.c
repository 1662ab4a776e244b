/* A sweep on this machine, or one part of it, or all parts by Slurm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "cb_signals.h"
#include "cli.h"
#include "cli_sweep.h"

void cli_sweep_say_bad(void *context, const char *sentence) {
  (void)context;
  cli_say("sweep", "left out: %s", sentence);
}

static void show(void *context, int done, int total) { cli_progress("sweep", done, total, context); }

/* "K/N" */
static cb_status read_shard(const char *text, int *k, int *n, cb_err *err) {
  char first[32];
  const char *slash = strchr(text, '/');
  long long a = 0, b = 0;
  if (slash && slash - text < (int)sizeof first) {
    (void)snprintf(first, sizeof first, "%.*s", (int)(slash - text), text);
    if (cb_parse_int(first, "", &a, NULL) != CB_OK || cb_parse_int(slash + 1, "", &b, NULL) != CB_OK)
      a = b = 0;
  }
  if (a < 1 || a > b || b > 100000)
    return cb_fail(err, CB_E_ARG, "--shard %s: K/N was wanted, 1 <= K <= N, as 3/8", text);
  *k = (int)a, *n = (int)b;
  return CB_OK;
}

static cb_status play(const cli_sweep *q, swp_home *home, swp_tally *tally, cb_err *err) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  swp_share share = {.k = 1, .n = 1, .play = cli_sweep_play, .progress = show, .waits = q->shard != NULL};
  if (q->shard) CB_TRY(read_shard(q->shard, &share.k, &share.n, err));
  share.jobs = q->jobs > 0 ? (int)q->jobs : q->shard || processors < 1 ? 1 : (int)processors;
  /* From the first file on: the folder is whole, whenever a person stops it. */
  share.stop = cb_signals_listen_once("clothbench sweep: stops; the cases that have ended stay\n");
  CB_TRY(swp_home_make(q->plan, q->folder, home, err));
  CB_TRY(cli_sweep_check(&home->plan, share.k, share.n, err));
  share.context = home->plan.name;
  return swp_home_play(home, &share, tally, err);
}

static int print_tally(const cli_sweep *q, const swp_home *home, const swp_tally *t) {
  if (q->json) return cli_print_json("sweep", swp_tally_json(home, t));
  printf("%s: %d case%s played, %d of them failed; %d were there before\n", home->plan.name,
         t->done + t->failed, CB_S(t->done + t->failed), t->failed, t->there);
  printf("next: clothbench sweep %s %s\n", t->failed ? "status" : "gather", home->folder);
  return CLI_DONE;
}

int cli_sweep_run(const cli_sweep *q) {
  swp_home home = {""};
  swp_tally tally = {.failed = 0};
  cb_err err = {""};
  const cb_status st = play(q, &home, &tally, &err);
  const int code = st == CB_OK ? print_tally(q, &home, &tally) : cli_fail("sweep", st, &err);
  swp_home_clear(&home);
  return code == CLI_DONE && tally.failed > 0 ? CLI_NEGATIVE : code;
}

/* ---- Slurm ---- */

static cb_status take_word(const char *what, const char *typed, char out[64], cb_err *err) {
  if (typed && strlen(typed) >= 64)
    return cb_fail(err, CB_E_RANGE, "%s = '%.40s...': at most 63 bytes were wanted", what, typed);
  if (typed) (void)snprintf(out, 64, "%s", typed);
  return CB_OK;
}

static cb_status take_settings(const cli_sweep *q, swp_slurm *s, cb_err *err) {
  CB_TRY(take_word("--partition", q->partition, s->partition, err));
  CB_TRY(take_word("--account", q->account, s->account, err));
  if (q->minutes > 0) s->minutes = (int)q->minutes;
  return CB_OK;
}

static cb_status write_job(const cli_sweep *q, swp_home *home, cb_err *err) {
  CB_TRY(swp_home_make(q->plan, q->folder, home, err));
  CB_TRY(cli_sweep_check(&home->plan, 1, 1, err));
  swp_slurm s = home->plan.slurm;
  CB_TRY(take_settings(q, &s, err));
  return swp_home_write_job(home, &s, (int)q->tasks, err);
}

static int print_job(const swp_home *home, cb_err *err) {
  char *text;
  const cb_status st = swp_home_read_job(home, &text, err);
  if (st != CB_OK) return cli_fail("sweep", st, err);
  fputs(text, stdout);
  free(text);
  return CLI_DONE;
}

static int print_submitted(const cli_sweep *q, const swp_home *home, const char *job) {
  if (q->json)
    return cli_print_json("sweep", json_pack("{s:s, s:s, s:i, s:s}", "name", home->plan.name, "folder",
                                             home->folder, "tasks", (int)q->tasks, "job", job));
  printf("%s: job %s of %d task%s\n", home->plan.name, job, (int)q->tasks, CB_S(q->tasks));
  printf("next: clothbench sweep status %s\n", home->folder);
  return CLI_DONE;
}

int cli_sweep_submit(const cli_sweep *q) {
  swp_home home = {""};
  cb_err err = {""};
  char job[64] = "";
  cb_status st = write_job(q, &home, &err);
  if (st == CB_OK && !q->dry_run) st = swp_home_submit(&home, job, &err);
  int code = st == CB_OK ? CLI_DONE : cli_fail("sweep", st, &err);
  if (st == CB_OK) code = q->dry_run ? print_job(&home, &err) : print_submitted(q, &home, job);
  swp_home_clear(&home);
  return code;
}
