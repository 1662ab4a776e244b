#include "cb_threads.h"

#include <omp.h>
#include <stdlib.h>

void cb_threads_fit(int vertices) {
  const int worth = vertices / CB_VERTICES_PER_THREAD, most = omp_get_max_threads();
  if (getenv("OMP_NUM_THREADS")) return;
  omp_set_num_threads(worth < 1 ? 1 : worth < most ? worth : most);
}

int cb_threads_all(void) {
  const int now = omp_get_max_threads(), all = omp_get_num_procs();
  return getenv("OMP_NUM_THREADS") || now > all ? now : all;
}

int cb_threads_within(int room) {
  const int now = omp_get_max_threads();
  return now < room ? now : room;
}
