/* JSON that is whole or NULL: a list or an object that could not take a member is given up. jansson's own
 * functions would leave the member out. json_pack fails on a NULL member, so that the document is NULL, too:
 * one check at its end. */
#ifndef CB_JSON_WHOLE_H
#define CB_JSON_WHOLE_H

#include <jansson.h>

static inline void cb_json_give_up(json_t **whole) {
  json_decref(*whole);
  *whole = NULL;
}

/* Both take ownership of the member; NULL: there was no memory for it. */
static inline void cb_json_append(json_t **list, json_t *member) {
  if (json_array_append_new(*list, member) != 0) cb_json_give_up(list);
}

static inline void cb_json_set(json_t **object, const char *key, json_t *member) {
  if (json_object_set_new(*object, key, member) != 0) cb_json_give_up(object);
}

#endif
