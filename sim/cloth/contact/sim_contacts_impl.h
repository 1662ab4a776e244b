/* What the files of the contact stage share. */
#ifndef SIM_CONTACTS_IMPL_H
#define SIM_CONTACTS_IMPL_H

#include "sim_contact.h"

struct sim_contacts {
  sim_body *bodies;      /* as they are now */
  sim_body *bodies_next; /* ... and at the end of the step */
  int n;                 /* vertices */
  sim_contact_memory (*memory)[SIM_CONTACTS_EACH];
  sim_contact *contact; /* n_contacts, by vertex */
  sim_contact *kept;    /* before the last linearisation, where there are several */
  int n_contacts, capacity;
  int *before;         /* per chunk of rows: contacts of the vertices before it */
  unsigned char *near; /* bodies that a vertex is near, while contacts are looked for; that it is pinched,
                          while it is kept out */
};

#endif
