/* How many threads leave room for other programs: docs/method/threads.md, "Threads that share". */
#define _GNU_SOURCE /* CPU_ISSET */
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cb_threads.h"

#define EVERY_S 0.25 /* a tick of /proc/stat is 0.01 s */
#define LINE_BYTES 256
#define ROUNDED_UP 0.4 /* programs that take less than so many processors take no thread away */

static double clock_s(clockid_t clock) {
  struct timespec t;
  return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

/* Seconds of work of a processor; work that yields to others ("nice") does not count. 0 for another line. */
static double line_s(const char *line, const cpu_set_t *mine) {
  int cpu;
  unsigned long long user, nice, system, idle, iowait, irq, softirq;
  if (sscanf(line, "cpu%d %llu %llu %llu %llu %llu %llu %llu", &cpu, &user, &nice, &system, &idle, &iowait,
             &irq, &softirq) != 8)
    return 0;
  if (cpu < 0 || cpu >= CPU_SETSIZE || !CPU_ISSET((size_t)cpu, mine)) return 0;
  return (double)(user + system + irq + softirq) / (double)sysconf(_SC_CLK_TCK);
}

/* Returns the work so far of the processors that this program may use; 0 if it cannot be known. */
static double busy_s(void) {
  cpu_set_t mine;
  FILE *f = sched_getaffinity(0, sizeof mine, &mine) == 0 ? fopen("/proc/stat", "re") : NULL;
  if (!f) return 0;
  double sum = 0;
  char line[LINE_BYTES];
  while (fgets(line, sizeof line, f) && line[0] == 'c') sum += line_s(line, &mine);
  (void)fclose(f);
  return sum;
}

/* Threads beside programs that take `others` processors. */
static int left_of(int most, double others) {
  const int left = (int)(omp_get_num_procs() - others + ROUNDED_UP);
  return left < 1 ? 1 : left < most ? left : most;
}

void cb_threads_leave(cb_threads_share *s) {
  const double now_s = clock_s(CLOCK_MONOTONIC), since_s = now_s - s->wall_s;
  const bool first = s->most == 0;
  if (first) s->most = getenv("OMP_NUM_THREADS") ? 1 : omp_get_max_threads();
  if (s->most < 2 || (!first && since_s < EVERY_S)) return;
  const double own_s = clock_s(CLOCK_PROCESS_CPUTIME_ID), all_s = busy_s();
  const double others = (all_s - s->busy_s - (own_s - s->own_s)) / since_s;
  if (!first && all_s > s->busy_s) omp_set_num_threads(left_of(s->most, others));
  s->wall_s = now_s, s->own_s = own_s, s->busy_s = all_s;
}
