/* Work shared by threads, with the same bits for any number of threads. Loops over items write only their own
 * results. Sums run over fixed chunks, which are added in order. The implementation is OpenMP
 * (OMP_NUM_THREADS). */
#ifndef CB_THREADS_H
#define CB_THREADS_H

#define CB_CHUNK 2048 /* items per partial sum */
#define CB_CHUNKS(n) (((n) + CB_CHUNK - 1) / CB_CHUNK)
/* The item after the last one of a chunk, of n items. */
static inline int cb_chunk_end(int chunk, int n) {
  return (chunk + 1) * CB_CHUNK < n ? (chunk + 1) * CB_CHUNK : n;
}

#define CB_FEW 4096 /* fewer items, of little work each, are done by one thread */

/* Vertices of a scene per thread; with fewer, threads cost more than they gain (docs/method/results.md). */
#define CB_VERTICES_PER_THREAD 1000

/* Sets the number of threads of the calling thread for a scene of this many vertices, at most the present
 * number. It does nothing if OMP_NUM_THREADS is set. The bits of results stay the same. */
void cb_threads_fit(int vertices);

/* What other programs leave: measured from /proc/stat over the last SHARE_EVERY_S. */
typedef struct cb_threads_share {
  int most;                     /* threads on a machine of one's own; 0: not begun */
  double wall_s, own_s, busy_s; /* clocks when it was measured last: own and all programs' processor time */
} cb_threads_share;

/* Takes as many threads as other programs leave processors, at most as many as at the first call: a thread
 * that shares its processor makes all others wait for it. Start from {0}; call it between steps, from the
 * thread that steps. It does nothing if OMP_NUM_THREADS is set, or without /proc/stat. The bits of results
 * stay the same. */
void cb_threads_leave(cb_threads_share *share);

/* Returns the number of all threads, whatever cb_threads_fit set: for work that is large in every scene, like
 * a picture. */
int cb_threads_all(void);

/* Returns the present number of threads, at most `room`: for callers that allocated memory for `room` threads
 * before. */
int cb_threads_within(int room);

/* For functions to be vectorised: compiled for the base machine and for wider ones, and chosen when the
 * program is loaded. Products and sums are never contracted (-ffp-contract=off), so that all versions give
 * the same bits. CB_NARROW: without the widest, for comparisons. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#ifdef CB_NARROW
#define CB_WIDE __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define CB_WIDE __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
#else
#define CB_WIDE
#endif

/* For the inner functions of those: compiled within each, for its machine, also if there are several. */
#define CB_INSIDE static inline __attribute__((always_inline))

#endif
