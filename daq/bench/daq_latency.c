#include "daq_latency.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE_NS 100000u
#define RESET_ON_FORK 1u

static int set_attributes(const daq_latency *a) { return (int)syscall(SYS_sched_setattr, 0, a, 0); }

daq_latency daq_latency_prefer(void) {
  daq_latency before = {.size = sizeof before};
  if (syscall(SYS_sched_getattr, 0, &before, sizeof before, 0) != 0) before.size = 0;
  const daq_latency first = {
      .size = sizeof first, .policy = SCHED_FIFO, .flags = RESET_ON_FORK, .priority = 1};
  if (set_attributes(&first) == 0) return before;
  const daq_latency brief = {.size = sizeof brief,
                             .policy = SCHED_OTHER,
                             .flags = RESET_ON_FORK,
                             .nice = getpriority(PRIO_PROCESS, 0),
                             .runtime_ns = SLICE_NS};
  (void)set_attributes(&brief);
  return before;
}

/* To take back what keeps children from inheriting wants a permission of its own. */
void daq_latency_restore(const daq_latency *before) {
  daq_latency a = *before;
  if (a.size == 0 || set_attributes(&a) == 0) return;
  a.flags |= RESET_ON_FORK;
  (void)set_attributes(&a);
}
