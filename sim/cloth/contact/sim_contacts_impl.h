/* The contact stage, shared by its files. */
#ifndef SIM_CONTACTS_IMPL_H
#define SIM_CONTACTS_IMPL_H

#include "sim_contact.h"

struct sim_contacts {
  sim_body *bodies;      /* at the beginning of the step */
  sim_body *bodies_next; /* at its end */
  int n;                 /* vertices */
  sim_contact_memory (*memory)[SIM_CONTACTS_EACH];
  sim_contact *contact; /* n_contacts, by vertex */
  sim_contact *kept;    /* copy for sim_contacts_keep; only with several linearisations, or contact springs */
  int n_contacts, capacity;
  int *before; /* per chunk of rows: number of contacts before it */
  /* Per vertex. While contacts are looked for: how many bodies are near. In keep_out: whether it is
   * pinched. */
  unsigned char *near;
};

#endif
