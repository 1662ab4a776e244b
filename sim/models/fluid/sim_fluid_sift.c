#include "sim_fluid_impl.h"

#include "cb_threads.h"

/* Counting up without asking is quicker than a branch that nobody can foresee. */
void sim_fluid_sift_plain(const float *const at[3], int i, int from, int to, float limit, sim_near *out) {
  const float x = at[0][i], y = at[1][i], z = at[2][i];
  for (int begin = from; begin < to && out->n < SIM_FLUID_NEAR; begin += SIM_FLUID_TILE) {
    const int n = to - begin < SIM_FLUID_TILE ? to - begin : SIM_FLUID_TILE;
    int found = out->n;
    for (int k = begin; k < begin + n; k++) {
      const float dx = at[0][k] - x, dy = at[1][k] - y, dz = at[2][k] - z, r2 = dx * dx + dy * dy + dz * dz;
      out->j[found] = k;
      out->r2[found] = r2;
      found += r2 < limit;
    }
    out->n = found;
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define WIDE_LANES 16

__attribute__((target("avx512f"))) static void sift_wide(const float *const at[3], int i, int from, int to,
                                                         float limit, sim_near *out) {
  const __m512 x = _mm512_set1_ps(at[0][i]), y = _mm512_set1_ps(at[1][i]), z = _mm512_set1_ps(at[2][i]),
               far = _mm512_set1_ps(limit);
  __m512i number = _mm512_add_epi32(_mm512_set1_epi32(from),
                                    _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  int found = out->n;
  for (int k = from; k < to && found < SIM_FLUID_NEAR; k += WIDE_LANES) {
    const __mmask16 there =
        to - k < WIDE_LANES ? _cvtu32_mask16((1U << (to - k)) - 1) : _cvtu32_mask16(0xffff);
    const __m512 dx = _mm512_sub_ps(_mm512_maskz_loadu_ps(there, at[0] + k), x),
                 dy = _mm512_sub_ps(_mm512_maskz_loadu_ps(there, at[1] + k), y),
                 dz = _mm512_sub_ps(_mm512_maskz_loadu_ps(there, at[2] + k), z);
    const __m512 r2 =
        _mm512_add_ps(_mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy)), _mm512_mul_ps(dz, dz));
    const __mmask16 near = _mm512_mask_cmp_ps_mask(there, r2, far, _CMP_LT_OQ);
    _mm512_storeu_ps(out->r2 + found, _mm512_maskz_compress_ps(near, r2));
    _mm512_storeu_si512(out->j + found, _mm512_maskz_compress_epi32(near, number));
    found += __builtin_popcount(near);
    number = _mm512_add_epi32(number, _mm512_set1_epi32(WIDE_LANES));
  }
  out->n = found;
}

sim_fluid_sift *sim_fluid_sift_best(void) {
  return __builtin_cpu_supports("avx512f") ? sift_wide : sim_fluid_sift_plain;
}
#else
sim_fluid_sift *sim_fluid_sift_best(void) { return sim_fluid_sift_plain; }
#endif
