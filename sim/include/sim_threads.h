/* Work shared by threads so that the bits do not depend on how many there are: loops over items that write only what is theirs, and sums
 * over fixed chunks that are added in the order of the chunks. OpenMP underneath (OMP_NUM_THREADS). */
#ifndef SIM_THREADS_H
#define SIM_THREADS_H

#define SIM_CHUNK 2048 /* items whose partial sum is one number */
#define SIM_CHUNKS(n) (((n) + SIM_CHUNK - 1) / SIM_CHUNK)
#define SIM_FEW 4096 /* fewer items, of little work each, are not worth waking the threads for */

/* Kernels that the compiler shall vectorise: compiled for the base machine and for wider ones, picked when the program is loaded. Products
 * and sums are never contracted (-ffp-contract=off), so that all of them give the same bits. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SIM_WIDE __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define SIM_WIDE
#endif

#endif
