/* Work shared by threads so that the bits do not depend on how many there are: loops over items that write only what is theirs, and sums
 * over fixed chunks that are added in the order of the chunks. OpenMP underneath (OMP_NUM_THREADS). */
#ifndef CB_THREADS_H
#define CB_THREADS_H

#define CB_CHUNK 2048 /* items whose partial sum is one number */
#define CB_CHUNKS(n) (((n) + CB_CHUNK - 1) / CB_CHUNK)
#define CB_FEW 4096 /* fewer items, of little work each, are not worth waking the threads for */

#define CB_VERTICES_PER_THREAD 1000 /* of a scene: with fewer each, threads cost more than they take over (docs/results.md) */

/* From now on the calling thread shares its work with as many threads as a scene of so many vertices is worth, at most as many as before;
 * where the user says OMP_NUM_THREADS, with those. Bits stay the same. */
void cb_threads_fit(int vertices);

/* All threads there may be, whatever cb_threads_fit said: for what is large in every scene, like a picture. */
int cb_threads_all(void);

/* As many threads as may be used now, at most `room`: for who has memory for each, made when there were so many. */
int cb_threads_within(int room);

/* Kernels that the compiler shall vectorise: compiled for the base machine and for wider ones, picked when the program is loaded. Products
 * and sums are never contracted (-ffp-contract=off), so that all of them give the same bits. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CB_WIDE __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CB_WIDE
#endif

#endif
