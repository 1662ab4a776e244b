#include "sim_membrane_pack.h"

#include <math.h>
#include <stddef.h>

#include "cb_threads.h"

#define LANES for (int l = 0; l < SIM_LANES; l++)

typedef double lanes[SIM_LANES];

/* All lanes at once. Loops over lanes are not enough where much is summed or chosen: gcc leaves it in
 * scalars. */
typedef double wide __attribute__((vector_size(64), aligned(8), may_alias));
typedef long wide_mask __attribute__((vector_size(64), aligned(8), may_alias));
#define WIDE(x) (*(wide *)(x))
#define WIDE_OF(x) (*(const wide *)(x))
#define WHERE(condition, value) ((wide)((wide_mask)(condition) & (wide_mask)(value))) /* else 0 */

/* One stretch component: stress and tangent [N/m], energy per area [J/m2]. */
typedef struct response {
  lanes stress, tangent, energy;
} response;

static inline void gradients(const sim_membrane_pack *p, const double (*x)[3], lanes xu[3], lanes xv[3]) {
  for (int a = 0; a < 3; a++) {
    lanes d1, d2;
    LANES {
      const double x0 = x[p->corner[0][l]][a];
      d1[l] = x[p->corner[1][l]][a] - x0;
      d2[l] = x[p->corner[2][l]][a] - x0;
    }
    LANES {
      xu[a][l] = p->bu[0][l] * d1[l] + p->bu[1][l] * d2[l];
      xv[a][l] = p->bv[0][l] * d1[l] + p->bv[1][l] * d2[l];
    }
  }
}

static inline void strains(lanes xu[3], lanes xv[3], lanes euu, lanes evv, lanes euv) {
  LANES {
    euu[l] = (xu[0][l] * xu[0][l] + xu[1][l] * xu[1][l] + xu[2][l] * xu[2][l] - 1) / 2;
    evv[l] = (xv[0][l] * xv[0][l] + xv[1][l] * xv[1][l] + xv[2][l] * xv[2][l] - 1) / 2;
    euv[l] = (xu[0][l] * xv[0][l] + xu[1][l] * xv[1][l] + xu[2][l] * xv[2][l]) / 2;
  }
}

static inline void respond_to_strain(const sim_ramps *c, const lanes e, response *r) {
  const wide strain = WIDE_OF(e), none = {0};
  wide stress = c->slope * strain, tangent = none + c->slope, energy = c->slope * strain * strain / 2;
  for (int k = 0; k < c->n; k++) {
    const wide over = WHERE(strain > c->knot[k], strain - c->knot[k]);
    stress += c->change[k] * over;
    tangent += WHERE(strain > c->knot[k], none + c->change[k]);
    energy += c->change[k] * over * over / 2;
  }
  WIDE(r->stress) = stress;
  WIDE(r->tangent) = tangent;
  WIDE(r->energy) = energy;
}

/* Shear is odd. */
static inline void respond_odd(const sim_ramps *c, const lanes e, response *r) {
  lanes size;
  LANES size[l] = fabs(e[l]);
  respond_to_strain(c, size, r);
  LANES r->stress[l] = e[l] < 0 ? -r->stress[l] : r->stress[l];
}

/* The nearest positive semi-definite stress: eigenvalues below zero become zero. */
static inline void positive_part(lanes suu, lanes svv, lanes suv) {
  const wide mean = (WIDE(suu) + WIDE(svv)) / 2, half = (WIDE(suu) - WIDE(svv)) / 2, none = {0};
  lanes root;
  WIDE(root) = half * half + WIDE(suv) * WIDE(suv);
  LANES root[l] = sqrt(root[l]);
  const wide r = WIDE(root), high = mean + r, low = mean - r, p = WHERE(high > 0, high),
             q = WHERE(low > 0, low);
  /* S+ = q I + share (S - low I) */
  const wide share = WHERE(r > 0, (p - q) / (2 * (WHERE(r > 0, r) + WHERE(r <= 0, none + 1))));
  WIDE(suu) = q + share * (half + r);
  WIDE(svv) = q + share * (r - half);
  WIDE(suv) = share * WIDE(suv);
}

/* A float of each lane. */
typedef float flanes __attribute__((vector_size(32)));
typedef float flanes_anywhere __attribute__((vector_size(32), aligned(4), may_alias));
#define NARROW(x) __builtin_convertvector(WIDE_OF(x), flanes)

/* K_uu and K_vv: xx, xy, xz, yy, yz, zz; K_uv by rows. All times the area. */
typedef struct tangents {
  flanes uu[6], vv[6], uv[9];
} tangents;

static const int row_of[] = {0, 0, 0, 1, 1, 2}, column_of[] = {0, 1, 2, 1, 2, 2};
static const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

static inline void tangents_of(const double *area_m2, lanes xu[3], lanes xv[3], const response *u,
                               const response *v, const response *g, const lanes cross, lanes suu, lanes svv,
                               lanes suv, tangents *k) {
  const flanes area = NARROW(area_m2), tu = NARROW(u->tangent) * area, tv = NARROW(v->tangent) * area,
               c = NARROW(cross) * area, s[3] = {NARROW(suu) * area, NARROW(svv) * area, NARROW(suv) * area};
  flanes fu[3], fv[3], ts;
  lanes half;
  LANES half[l] = g->tangent[l] / 2;
  ts = NARROW(half) * area;
  for (int a = 0; a < 3; a++) {
    fu[a] = NARROW(xu[a]);
    fv[a] = NARROW(xv[a]);
  }
  for (int n = 0; n < 6; n++) {
    const int a = row_of[n], b = column_of[n];
    const float one = a == b ? 1 : 0;
    const flanes uu = fu[a] * fu[b], vv = fv[a] * fv[b];
    k->uu[n] = tu * uu + ts * vv + one * s[0];
    k->vv[n] = tv * vv + ts * uu + one * s[1];
  }
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const float one = a == b ? 1 : 0;
      k->uv[3 * a + b] = c * (fu[a] * fv[b]) + ts * (fv[a] * fu[b]) + one * s[2];
    }
}

#define PAIRS_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define PAIRS_HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FOURS_LOW(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define FOURS_HIGH(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define EIGHTS_LOW(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define EIGHTS_HIGH(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

/* Turns a side's nine rows of lanes into a block per lane. */
static inline void store_blocks(const flanes row[9], int side, float out[SIM_LANES][3][9]) {
  flanes p[8], q[8];
  for (int k = 0; k < 8; k += 2) {
    p[k] = PAIRS_LOW(row[k], row[k + 1]);
    p[k + 1] = PAIRS_HIGH(row[k], row[k + 1]);
  }
  for (int k = 0; k < 8; k += 4)
    for (int j = 0; j < 2; j++) {
      q[k + 2 * j] = FOURS_LOW(p[k + j], p[k + 2 + j]);
      q[k + 2 * j + 1] = FOURS_HIGH(p[k + j], p[k + 2 + j]);
    }
  for (int k = 0; k < 4; k++) {
    *(flanes_anywhere *)out[k][side] = EIGHTS_LOW(q[k], q[k + 4]);
    *(flanes_anywhere *)out[k + 4][side] = EIGHTS_HIGH(q[k], q[k + 4]);
  }
  LANES out[l][side][8] = row[8][l];
}

static inline void blocks(const sim_membrane_pack *p, const tangents *k, float out[SIM_LANES][3][9]) {
  flanes bu[3] = {{0}, NARROW(p->bu[0]), NARROW(p->bu[1])}, bv[3] = {{0}, NARROW(p->bv[0]), NARROW(p->bv[1])};
  bu[0] = -(bu[1] + bu[2]);
  bv[0] = -(bv[1] + bv[2]);
  for (int side = 0; side < 3; side++) {
    const int i = (side + 1) % 3, j = (side + 2) % 3;
    const flanes uu = bu[i] * bu[j], vv = bv[i] * bv[j], uv = bu[i] * bv[j], vu = bv[i] * bu[j];
    flanes row[9];
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        const int n = place[a][b];
        row[3 * a + b] = uu * k->uu[n] + vv * k->vv[n] + uv * k->uv[3 * a + b] + vu * k->uv[3 * b + a];
      }
    store_blocks(row, side, out);
  }
}

static inline void forces(const sim_membrane_pack *p, const double *area_m2, lanes xu[3], lanes xv[3],
                          const lanes suu, const lanes svv, const lanes suv, lanes out[9]) {
  for (int a = 0; a < 3; a++) LANES {
      const double pu = area_m2[l] * (suu[l] * xu[a][l] + suv[l] * xv[a][l]),
                   pv = area_m2[l] * (suv[l] * xu[a][l] + svv[l] * xv[a][l]);
      const double f1 = -(p->bu[0][l] * pu + p->bv[0][l] * pv), f2 = -(p->bu[1][l] * pu + p->bv[1][l] * pv);
      out[a][l] = -(f1 + f2);
      out[3 + a][l] = f1;
      out[6 + a][l] = f2;
    }
}

CB_WIDE void sim_membrane_packs(const sim_membrane *m, const double (*x)[3], sim_tangent tangent, int first,
                                int last, sim_membrane_result *window, int mask) {
  for (int i = first; i < last; i++) {
    const sim_membrane_pack *p = &m->pack[i];
    const double *area_m2 = SIM_LANES * (i + 1) <= m->mesh->n_triangles
                                ? m->mesh->area_m2 + SIM_LANES * (ptrdiff_t)i
                                : m->last_area_m2;
    sim_membrane_result *out = &window[i & mask];
    lanes xu[3], xv[3], euu, evv, euv, suu, svv, suv, cross;
    response u, v, g;
    gradients(p, x, xu, xv);
    strains(xu, xv, euu, evv, euv);
    respond_to_strain(&m->warp, euu, &u);
    respond_to_strain(&m->weft, evv, &v);
    respond_odd(&m->shear, euv, &g);
    LANES {
      suu[l] = u.stress[l] + m->cross_N_per_m * evv[l];
      svv[l] = v.stress[l] + m->cross_N_per_m * euu[l];
      suv[l] = g.stress[l];
    }
    double energy = 0;
    LANES energy +=
        area_m2[l] * (u.energy[l] + v.energy[l] + 2 * g.energy[l] + m->cross_N_per_m * euu[l] * evv[l]);
    out->energy = energy;
    forces(p, area_m2, xu, xv, suu, svv, suv, out->force);
    if (tangent == SIM_TANGENT_NONE) continue;
    LANES cross[l] = m->cross_N_per_m;
    if (tangent == SIM_TANGENT_CLAMPED) {
      positive_part(suu, svv, suv);
      LANES {
        const double limit = sqrt(u.tangent[l] * v.tangent[l]);
        cross[l] = cross[l] < limit ? cross[l] : limit;
      }
    }
    tangents k;
    tangents_of(area_m2, xu, xv, &u, &v, &g, cross, suu, svv, suv, &k);
    blocks(p, &k, out->block);
  }
}

CB_WIDE void sim_membrane_pack_strains(const sim_membrane *m, const double (*x)[3], int first, int last,
                                       double (*strain)[3]) {
  for (int i = first; i < last; i++) {
    lanes xu[3], xv[3], euu, evv, euv;
    gradients(&m->pack[i], x, xu, xv);
    strains(xu, xv, euu, evv, euv);
    for (int l = 0, t = SIM_LANES * i; l < SIM_LANES && t < m->mesh->n_triangles; l++, t++) {
      strain[t][0] = euu[l];
      strain[t][1] = evv[l];
      strain[t][2] = euv[l];
    }
  }
}
