/* A cloth that goes on with a new mesh. What a cloth carries on is sim_cloth_go_on's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_mesh_edit.h"
#include "sim_remesh_state.h"

struct sim_remesh {
  sim_cloth_setup setup; /* as given; of what belongs to its mesh only whether it is there */
  sim_remesh_rules rules;
  sim_remesh_fits fits; /* NULL: every triangle does */
  const void *fits_of;
  sim_remesh_state *sheet; /* the cloth points to its mesh */
  double (*rest_per_m)[3];
  sim_cloth *cloth;
};

typedef struct made {
  sim_remesh_state *sheet;
  double (*rest_per_m)[3];
  sim_cloth *cloth;
} made;

static void made_clear(made *m) {
  sim_cloth_free(m->cloth);
  if (m->sheet) sim_remesh_state_clear(m->sheet);
  free(m->sheet);
  free(m->rest_per_m);
}

/* A cloth on the sheet that is there. */
static cb_status make_cloth(const sim_cloth_setup *like, made *m, cb_err *err) {
  const size_t nt = (size_t)m->sheet->mesh.n_triangles;
  sim_cloth_setup setup = *like;
  setup.mesh = &m->sheet->mesh;
  setup.gripped = m->sheet->gripped;
  setup.load_kg = like->load_kg ? m->sheet->load_kg : NULL;
  if (like->rest_per_m) {
    m->rest_per_m = malloc(nt * sizeof *m->rest_per_m);
    if (!m->rest_per_m) return cb_no_memory(err, "remesh, %zu triangles", nt);
    for (size_t t = 0; t < nt; t++) memcpy(m->rest_per_m[t], m->sheet->history[t] + 2, sizeof *m->rest_per_m);
    setup.rest_per_m = (const sim_vec3 *)m->rest_per_m;
  }
  return sim_cloth_new(&setup, &m->cloth, err);
}

static cb_status check_setup(const sim_cloth_setup *s, cb_err *err) {
  if (s->n_tethers > 0)
    return cb_fail(err, CB_E_RANGE, "remesh: %d tethers: a cloth without was wanted", s->n_tethers);
  if (s->n_springs > 0 || s->push_N)
    return cb_fail(err, CB_E_RANGE,
                   "remesh: contact springs or pushes, which belong to one mesh: a cloth without was wanted");
  return CB_OK;
}

cb_status sim_remesh_new(const sim_cloth_setup *setup, const sim_remesh_rules *rules, sim_remesh **out,
                         cb_err *err) {
  *out = NULL;
  CB_TRY(sim_remesh_rules_check(rules, err));
  CB_TRY(check_setup(setup, err));
  const sim_mesh *m = setup->mesh;
  made all = {.sheet = calloc(1, sizeof *all.sheet)};
  sim_remesh *r = calloc(1, sizeof *r);
  cb_status st = CB_OK;
  if (!r || !all.sheet) CB_GOTO(cb_no_memory(err, "remesh"));
  CB_GOTO(sim_remesh_state_init(m, all.sheet, err));
  if (setup->gripped)
    memcpy(all.sheet->gripped, setup->gripped, (size_t)m->n_vertices * sizeof *setup->gripped);
  if (setup->load_kg)
    memcpy(all.sheet->load_kg, setup->load_kg, (size_t)m->n_vertices * sizeof *setup->load_kg);
  for (int t = 0; setup->rest_per_m && t < m->n_triangles; t++)
    memcpy(all.sheet->history[t] + 2, setup->rest_per_m[t], sizeof *setup->rest_per_m);
  CB_GOTO(make_cloth(setup, &all, err));
  *r = (sim_remesh){
      .setup = *setup, .rules = *rules, .sheet = all.sheet, .rest_per_m = all.rest_per_m, .cloth = all.cloth};
  *out = r;
done:
  if (st != CB_OK) {
    made_clear(&all);
    free(r);
  }
  return st;
}

void sim_remesh_free(sim_remesh *r) {
  if (!r) return;
  made all = {r->sheet, r->rest_per_m, r->cloth};
  made_clear(&all);
  free(r);
}

sim_cloth *sim_remesh_cloth(const sim_remesh *r) { return r->cloth; }
const sim_remesh_state *sim_remesh_of(const sim_remesh *r) { return r->sheet; }

cb_status sim_remesh_set_rules(sim_remesh *r, const sim_remesh_rules *rules, cb_err *err) {
  CB_TRY(sim_remesh_rules_check(rules, err));
  r->rules = *rules;
  return CB_OK;
}

void sim_remesh_keep_to(sim_remesh *r, sim_remesh_fits fits, const void *of) {
  r->fits = fits;
  r->fits_of = of;
}

/* ---- what goes on ---- */

/* The cloth's state into its sheet. */
static void read_state(const sim_remesh *r) {
  const size_t n = (size_t)r->sheet->mesh.n_vertices;
  double(*slider)[2] = sim_cloth_sliders(r->cloth);
  memcpy(r->sheet->x_m, sim_cloth_position(r->cloth), n * sizeof *r->sheet->x_m);
  memcpy(r->sheet->v_m_per_s, sim_cloth_velocity(r->cloth), n * sizeof *r->sheet->v_m_per_s);
  for (int t = 0; slider && t < r->sheet->mesh.n_triangles; t++)
    memcpy(r->sheet->history[t], slider[t], sizeof *slider);
}

/* Contacts press with what the vertex's area bears: new vertices find theirs in the next step. */
static void write_state(const sim_cloth *before, const sim_remesh_state *s, sim_cloth *c) {
  const size_t n = (size_t)s->mesh.n_vertices;
  double(*slider)[2] = sim_cloth_sliders(c);
  memcpy(sim_cloth_position(c), s->x_m, n * sizeof *s->x_m);
  memcpy(sim_cloth_velocity(c), s->v_m_per_s, n * sizeof *s->v_m_per_s);
  for (int t = 0; slider && t < s->mesh.n_triangles; t++) memcpy(slider[t], s->history[t], sizeof *slider);
  sim_cloth_go_on(c, before, s->from);
}

static cb_status find_metric(const sim_remesh *r, double (**out)[3], cb_err *err) {
  const sim_mesh *m = &r->sheet->mesh;
  double(*curvature)[3] = malloc((size_t)m->n_triangles * sizeof *curvature);
  *out = malloc((size_t)m->n_vertices * sizeof **out);
  cb_status st = curvature && *out ? CB_OK : cb_no_memory(err, "remesh, %d vertices", m->n_vertices);
  if (st == CB_OK) st = sim_cloth_curvature(r->cloth, curvature, err);
  if (st == CB_OK)
    sim_remesh_sizes(&r->rules, r->sheet, (const sim_vec3 *)curvature, sim_cloth_bodies(r->cloth),
                     r->setup.n_bodies, *out);
  free(curvature);
  return st;
}

#define SHIFT 0.25 /* of the thickness, by which layers are apart: two that both move do not meet */

/* Does it go through itself where the old one does not? */
static bool crosses(const sim_cloth *before, const sim_cloth *now) {
  const int crossings = sim_cloth_crossings(now);
  return crossings > 0 && crossings > sim_cloth_crossings(before);
}

/* shift_m: of flips and collapses, at most; below 0 there are none. */
static cb_status attempt(const sim_remesh *r, const double (*metric)[3], double shift_m, made *m,
                         sim_remesh_report *report, cb_err *err) {
  sim_mesh_edit p;
  cb_status st;
  CB_GOTO(sim_mesh_edit_init(r->sheet, metric, r->setup.material->areal_density_kg_per_m2, &p, err));
  p.shift_m = shift_m;
  p.fits = r->fits;
  p.fits_of = r->fits_of;
  CB_GOTO(sim_remesh_rounds(&p, report, err));
  report->kept = report->splits + report->collapses + report->flips == 0;
  if (report->kept) goto done;
  m->sheet = calloc(1, sizeof *m->sheet);
  if (!m->sheet) CB_GOTO(cb_no_memory(err, "remesh"));
  CB_GOTO(sim_mesh_edit_finish(&p, m->sheet, err));
  CB_GOTO(make_cloth(&r->setup, m, err));
  write_state(r->cloth, m->sheet, m->cloth);
done:
  sim_mesh_edit_clear(&p);
  return st;
}

/* Splits alone leave the surface where it is: what crosses all the same comes of flips and collapses. */
static cb_status remesh(const sim_remesh *r, made *m, sim_remesh_report *report, cb_err *err) {
  const double shift_m = r->setup.self_collision ? SHIFT * r->setup.material->thickness_m : INFINITY;
  double(*metric)[3] = NULL;
  cb_status st = find_metric(r, &metric, err);
  if (st == CB_OK) st = attempt(r, (const sim_vec3 *)metric, shift_m, m, report, err);
  if (st == CB_OK && !report->kept && crosses(r->cloth, m->cloth)) {
    made_clear(m);
    *m = (made){0};
    st = attempt(r, (const sim_vec3 *)metric, -1, m, report, err);
  }
  free(metric);
  return st;
}

cb_status sim_remesh_now(sim_remesh *r, sim_remesh_report *report, cb_err *err) {
  sim_remesh_report own;
  made next = {0}, old = {r->sheet, r->rest_per_m, r->cloth};
  read_state(r);
  cb_status st = remesh(r, &next, &own, err);
  if (st == CB_OK && report) *report = own;
  if (st == CB_OK && !own.kept) {
    r->sheet = next.sheet;
    r->rest_per_m = next.rest_per_m;
    r->cloth = next.cloth;
    made_clear(&old);
  } else {
    made_clear(&next);
  }
  return st;
}

/* ---- the state ---- */

static void archive_sheet(sim_remesh_state *s, cb_archive *a) {
  cb_archive_bool(a, s->gripped, (size_t)s->mesh.n_vertices);
  cb_archive_f64(a, s->load_kg, (size_t)s->mesh.n_vertices, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &s->history[0][0], (size_t)s->mesh.n_triangles * SIM_REMESH_HISTORY, CB_ARCHIVE_FAR);
}

/* A sheet on a mesh that was read, and its cloth. */
static cb_status read_made(const sim_remesh *r, const sim_mesh *mesh, cb_archive *a, made *m, cb_err *err) {
  m->sheet = calloc(1, sizeof *m->sheet);
  if (!m->sheet) return cb_no_memory(err, "remesh");
  CB_TRY(sim_remesh_state_init(mesh, m->sheet, err));
  archive_sheet(m->sheet, a);
  if (a->wrong) return CB_OK;
  CB_TRY(make_cloth(&r->setup, m, err));
  return sim_cloth_archive(m->cloth, a, err);
}

static cb_status read_remesh(sim_remesh *r, cb_archive *a, cb_err *err) {
  made next = {0}, old = {r->sheet, r->rest_per_m, r->cloth};
  sim_mesh mesh = {0};
  cb_status st = sim_mesh_archive(&mesh, a, err);
  if (st == CB_OK && !a->wrong) st = read_made(r, &mesh, a, &next, err);
  sim_mesh_clear(&mesh);
  const bool read = st == CB_OK && !a->wrong;
  if (read) {
    r->sheet = next.sheet;
    r->rest_per_m = next.rest_per_m;
    r->cloth = next.cloth;
  }
  made_clear(read ? &old : &next);
  return st;
}

cb_status sim_remesh_archive(sim_remesh *r, cb_archive *a, cb_err *err) {
  if (cb_archive_reads(a)) return read_remesh(r, a, err);
  CB_TRY(sim_mesh_archive(&r->sheet->mesh, a, err));
  archive_sheet(r->sheet, a);
  return sim_cloth_archive(r->cloth, a, err);
}
