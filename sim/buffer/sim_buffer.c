#include "sim_buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_vec.h"

#define SKIN 0.1 /* of the buffer's thickness */
#define ROUNDS 4
#define GROWTH 2.0   /* of the part that a round takes back; the last round takes all */
#define AGAINST -0.5 /* cosine between what pushes and what holds: below, a vertex is supported */
#define PUSH 0.1     /* of the way out of the skin that a step may take (Bridson et al. 2002) */

/* One vertex of the cloth against one triangle of the body. */
typedef struct press {
  int vertex, corner[3];
  double weight[3], normal[3], inverse_kg; /* of both sides together, along any direction; 0: neither gives way */
  bool supported;
  double impulse_Ns, deepest_m;
} press;

struct sim_buffer {
  sim_buffer_setup setup;
  int n_cloth, n_body, n;
  press *press;                     /* n_cloth */
  double *share;                    /* n_body: how many, by weight, press on the vertex; at least 1 where any does */
  double (*change)[3], (*shift)[3]; /* n_body: of velocity and, beyond that, of place, in this round */
};

sim_buffer_setup sim_buffer_setup_default(const sim_mesh *mesh, double stretch) {
  double longest = 0, d[3];
  for (int e = 0; e < mesh->n_edges; e++) {
    sim_sub(mesh->position_m[mesh->edge[e].vertex[1]], mesh->position_m[mesh->edge[e].vertex[0]], d);
    longest = fmax(longest, sim_norm(d));
  }
  double thickness = 2.0 / 3 * longest * (1 + stretch);
  return (sim_buffer_setup){.thickness_m = thickness, .skin_m = SKIN * thickness, .rounds = ROUNDS};
}

cb_status sim_buffer_setup_check(const sim_buffer_setup *s, cb_err *err) {
  CB_TRY(cb_check_range(s->thickness_m, 1e-9, 1e3, "buffer: thickness", "m", err));
  CB_TRY(cb_check_range(s->skin_m, 0, 1e3, "buffer: skin", "m", err));
  CB_TRY(cb_check_range(s->rounds, 1, 100, "buffer: rounds", "", err));
  return sim_friction_check(&s->friction, err);
}

void sim_buffer_free(sim_buffer *b) {
  if (!b) return;
  free(b->press);
  free(b->share);
  free(b->change);
  free(b->shift);
  free(b);
}

cb_status sim_buffer_new(const sim_buffer_setup *setup, int n_cloth, int n_body, sim_buffer **out, cb_err *err) {
  *out = NULL;
  CB_TRY(sim_buffer_setup_check(setup, err));
  sim_buffer *b = calloc(1, sizeof *b);
  if (!b) return cb_fail(err, CB_E_NOMEM, "buffer: out of memory");
  *b = (sim_buffer){.setup = *setup, .n_cloth = n_cloth, .n_body = n_body};
  b->press = calloc((size_t)n_cloth, sizeof *b->press);
  b->share = calloc((size_t)n_body, sizeof *b->share);
  b->change = calloc((size_t)n_body, sizeof *b->change);
  b->shift = calloc((size_t)n_body, sizeof *b->shift);
  if (b->press && b->share && b->change && b->shift) {
    *out = b;
    return CB_OK;
  }
  sim_buffer_free(b);
  return cb_fail(err, CB_E_NOMEM, "buffer of %d vertices: out of memory", n_cloth);
}

/* ---- who presses ---- */

static void gather(sim_buffer *b, const sim_traverse *surface, const sim_foot *foot, const sim_buffer_cloth *cloth,
                   const sim_buffer_body *body) {
  b->n = 0;
  memset(b->share, 0, (size_t)b->n_body * sizeof *b->share);
  for (int i = 0; i < b->n_cloth; i++) {
    int vertex = cloth->first_vertex + i;
    if (!(foot[i].distance_m < b->setup.thickness_m + b->setup.skin_m) || (cloth->held && cloth->held[vertex])) continue;
    press *p = &b->press[b->n++];
    double at[3];
    *p = (press){.vertex = vertex};
    memcpy(p->corner, body->hull->triangle[foot[i].triangle], sizeof p->corner);
    memcpy(p->weight, foot[i].weight, sizeof p->weight);
    sim_traverse_foot(surface, &foot[i], at, p->normal);
    p->supported = cloth->support && sim_dot(cloth->support[vertex], p->normal) < AGAINST;
    for (int k = 0; k < 3; k++) b->share[p->corner[k]] += p->weight[k];
  }
}

static void weigh(sim_buffer *b, const sim_buffer_cloth *cloth, const sim_buffer_body *body) {
  for (int i = 0; i < b->n_body; i++) b->share[i] = fmax(1, b->share[i]);
  for (int i = 0; i < b->n; i++) {
    press *p = &b->press[i];
    p->inverse_kg = p->supported ? 0 : 1 / cloth->mass_kg[p->vertex];
    for (int k = 0; k < 3 && body->mass_kg; k++)
      p->inverse_kg += p->weight[k] * p->weight[k] * b->share[p->corner[k]] / body->mass_kg[p->corner[k]];
  }
}

/* ---- an impulse ---- */

/* Of the cloth's vertex against its foot. */
static void relative(const press *p, const double (*cloth)[3], const double (*body)[3], double out[3]) {
  memcpy(out, cloth[p->vertex], 3 * sizeof *out);
  for (int k = 0; k < 3; k++) sim_add(out, -p->weight[k], body[p->corner[k]]);
}

/* Velocity changes by the impulse, place by it and by the shift [kg m]. The cloth at once, for its own; the body's share is kept until the
 * round is over. */
static void push(sim_buffer *b, const press *p, const double direction[3], double impulse, double shift, sim_buffer_cloth *cloth,
                 const sim_buffer_body *body, double dt_s) {
  double inverse = 1 / cloth->mass_kg[p->vertex];
  if (p->supported) {
    sim_add(cloth->borne_Ns[p->vertex], impulse, direction);
  } else {
    sim_add(cloth->v_m_per_s[p->vertex], inverse * impulse, direction);
    sim_add(cloth->x_m[p->vertex], inverse * (dt_s * impulse + shift), direction);
  }
  for (int k = 0; k < 3 && body->mass_kg; k++) {
    double share = p->weight[k] / body->mass_kg[p->corner[k]];
    sim_add(b->change[p->corner[k]], -share * impulse, direction);
    sim_add(b->shift[p->corner[k]], -share * shift, direction);
  }
}

static void move_body(sim_buffer *b, sim_buffer_body *body, double dt_s) {
  if (!body->mass_kg) return;
  for (int i = 0; i < b->n; i++)
    for (int k = 0; k < 3; k++) {
      int v = b->press[i].corner[k];
      sim_add(body->v_m_per_s[v], 1, b->change[v]);
      sim_add(body->x_m[v], dt_s, b->change[v]);
      sim_add(body->x_m[v], 1, b->shift[v]);
      memset(b->change[v], 0, sizeof b->change[v]);
      memset(b->shift[v], 0, sizeof b->shift[v]);
    }
}

/* ---- rounds ---- */

/* Out of the buffer by this part of the way, out of the skin gently: the change of velocity, and what is left to be shifted. */
static double wanted(const sim_buffer_setup *s, double distance, double speed, double part, double dt_s, double *shift_m) {
  double approach = fmax(0, -speed), deep = s->thickness_m - distance;
  *shift_m = 0;
  if (deep <= 0) return distance < s->thickness_m + s->skin_m ? part * fmin(PUSH * (s->skin_m + deep) / dt_s, approach) : 0;
  double change = fmin(part * deep / dt_s, approach);
  *shift_m = part * deep - dt_s * change;
  return change;
}

static void round_of(sim_buffer *b, double part, sim_buffer_cloth *cloth, sim_buffer_body *body, double dt_s) {
  for (int i = 0; i < b->n; i++) {
    press *p = &b->press[i];
    if (p->inverse_kg == 0) continue;
    double way[3], w[3], shift;
    relative(p, (const double(*)[3])cloth->x_m, (const double(*)[3])body->x_m, way);
    relative(p, (const double(*)[3])cloth->v_m_per_s, (const double(*)[3])body->v_m_per_s, w);
    double change = wanted(&b->setup, sim_dot(way, p->normal), sim_dot(w, p->normal), part, dt_s, &shift);
    p->impulse_Ns += change / p->inverse_kg;
    push(b, p, p->normal, change / p->inverse_kg, shift / p->inverse_kg, cloth, body, dt_s);
  }
  move_body(b, body, dt_s);
}

static void rub(sim_buffer *b, sim_buffer_cloth *cloth, sim_buffer_body *body, double dt_s, sim_buffer_report *r) {
  for (int i = 0; i < b->n; i++) {
    press *p = &b->press[i];
    double w[3], frame[2][3];
    relative(p, (const double(*)[3])cloth->v_m_per_s, (const double(*)[3])body->v_m_per_s, w);
    sim_add(w, -sim_dot(w, p->normal), p->normal);
    double speed = sim_norm(w), normal_N = p->impulse_Ns / dt_s;
    r->normal_N += normal_N;
    if (!(speed > 0) || !(normal_N > 0)) continue; /* where nothing gives way nothing presses either */
    sim_mesh_to_cloth(cloth->mesh, (const double(*)[3])cloth->x_m, p->vertex, frame);
    const double direction[2] = {sim_dot(frame[0], w), sim_dot(frame[1], w)};
    sim_friction_force f = sim_friction_eval(&b->setup.friction, direction, normal_N, cloth->mesh->vertex_area_m2[p->vertex]);
    double stop = speed / p->inverse_kg, j = fmin(f.kinetic_N * dt_s, stop);
    r->extrapolated += f.extrapolated;
    r->friction_J += j * (speed - j * p->inverse_kg / 2);
    for (int k = 0; k < 3; k++) w[k] /= speed;
    push(b, p, w, -j, 0, cloth, body, dt_s);
  }
  move_body(b, body, dt_s);
}

static double deepest(const sim_buffer *b, const sim_buffer_cloth *cloth, const sim_buffer_body *body) {
  double most = 0;
  for (int i = 0; i < b->n; i++) {
    double way[3];
    relative(&b->press[i], (const double(*)[3])cloth->x_m, (const double(*)[3])body->x_m, way);
    most = fmax(most, b->setup.thickness_m - sim_dot(way, b->press[i].normal));
  }
  return most;
}

void sim_buffer_press(sim_buffer *b, const sim_traverse *surface, const sim_foot *foot, sim_buffer_cloth *cloth, sim_buffer_body *body,
                      double dt_s, sim_buffer_report *report) {
  gather(b, surface, foot, cloth, body);
  weigh(b, cloth, body);
  *report = (sim_buffer_report){.contacts = b->n, .deepest_m = deepest(b, cloth, body)};
  double part = pow(GROWTH, 1 - b->setup.rounds);
  for (int r = 0; r < b->setup.rounds; r++, part *= GROWTH) round_of(b, part, cloth, body, dt_s);
  rub(b, cloth, body, dt_s, report);
  report->left_m = deepest(b, cloth, body);
}
