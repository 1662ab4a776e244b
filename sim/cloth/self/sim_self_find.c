/* The search: pairs of triangles from the trees, by all threads, and what was found, sorted. */
#include <omp.h>
#include <stdlib.h>

#include "cb_threads.h"
#include "sim_self_impl.h"

/* Which thread takes which task is chance, and the tasks depend on earlier searches. So finds are sorted
 * when they are collected. */
static void run_tasks(sim_self *s, const sim_self_search *search) {
  for (int i = 0; i < s->n_bags; i++) s->bag[i].n = s->bag[i].met = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(cb_threads_within(s->n_bags))
  for (int t = 0; t < s->tree.n_tasks; t++) {
    sim_self_seeker k = {search, &s->bag[omp_get_thread_num()]};
    sim_bvh_walk(&s->tree, t, sim_self_seek, &k);
  }
}

static cb_status widen_bags(sim_self *s, int total, cb_err *err) {
  for (int i = 0; i < s->n_bags; i++)
    CB_TRY(sim_self_room((void **)&s->bag[i].find, &s->bag[i].capacity, total, sizeof *s->bag[i].find, err));
  return CB_OK;
}

static bool has_moved(const sim_self_contact *c, const bool *moved) {
  return moved[c->vertex[0]] || moved[c->vertex[1]] || moved[c->vertex[2]] || moved[c->vertex[3]];
}

/* Keeps the contacts of vertices that did not move; none after a full search. */
static void keep_unmoved(sim_self *s, const bool *moved) {
  int n = 0;
  for (int i = 0; i < s->n_contacts && moved; i++)
    if (!has_moved(&s->contact[i], moved)) s->contact[n++] = s->contact[i];
  s->n_contacts = n;
}

/* Adds a find if one of its vertices moved. The search sees more, as it works by whole leaves. */
static void add_contact(sim_self *s, const sim_self_find *f, const bool *moved) {
  s->contact[s->n_contacts] = sim_self_describe(s, f);
  if (!moved || has_moved(&s->contact[s->n_contacts], moved)) s->n_contacts++;
}

static int by_place(const void *a, const void *b) {
  const sim_self_contact *p = a, *q = b;
  if (p->pair != q->pair) return p->pair < q->pair ? -1 : 1;
  for (int k = 0; k < 4; k++)
    if (p->vertex[k] != q->vertex[k]) return p->vertex[k] < q->vertex[k] ? -1 : 1;
  return 0;
}

static int by_couple(const void *a, const void *b) {
  const sim_self_couple *p = &((const sim_self_find *)a)->couple, *q = &((const sim_self_find *)b)->couple;
  if (p->pair != q->pair) return p->pair < q->pair ? -1 : 1;
  if (p->first != q->first) return p->first < q->first ? -1 : 1;
  return (p->second > q->second) - (p->second < q->second);
}

/* Collisions go into `find`, near pairs into `contact`, each sorted, so that neither threads nor a run that
 * was stopped and resumed change the bits. */
static cb_status collect_finds(sim_self *s, const bool *moved, int total, cb_err *err) {
  keep_unmoved(s, moved);
  CB_TRY(sim_self_room((void **)&s->find, &s->finds_capacity, total, sizeof *s->find, err));
  CB_TRY(sim_self_room((void **)&s->contact, &s->contacts_capacity, s->n_contacts + total, sizeof *s->contact,
                       err));
  s->n_finds = 0;
  for (int b = 0; b < s->n_bags; b++) {
    const sim_self_find *f = s->bag[b].find;
    for (int i = 0; i < s->bag[b].n; i++)
      if (f[i].near) {
        add_contact(s, &f[i], moved);
      } else {
        s->find[s->n_finds++] = f[i];
      }
  }
  if (s->n_finds > 1) qsort(s->find, (size_t)s->n_finds, sizeof *s->find, by_couple);
  if (s->n_contacts > 1) qsort(s->contact, (size_t)s->n_contacts, sizeof *s->contact, by_place);
  return CB_OK;
}

cb_status sim_self_find_all(sim_self *s, const sim_self_search *search, int *met, cb_err *err) {
  sim_bvh_refit(&s->tree, search->start, search->end, fmax(search->collide_m, search->reach_m / 2),
                search->moved);
  for (;;) {
    bool fits = true;
    int total = *met = 0;
    run_tasks(s, search);
    for (int i = 0; i < s->n_bags; i++) {
      total += s->bag[i].n;
      *met += s->bag[i].met;
      fits = fits && (size_t)s->bag[i].n <= s->bag[i].capacity;
    }
    if (fits) return collect_finds(s, search->moved, total, err);
    CB_TRY(widen_bags(s, total, err));
  }
}
