/* A step of a rig check as JSON: docs/reference/json/rig.md. */
#include "cb_json.h"
#include "daq_check.h"

static json_t *figure_json(const daq_figure *f) {
  json_t *o = json_object();
  json_object_set_new(o, "name", json_string(f->name));
  json_object_set_new(o, "unit", json_string(f->unit));
  json_object_set_new(o, "value", cb_json_real(f->value));
  json_object_set_new(o, "u", cb_json_real(f->u));
  json_object_set_new(o, "tau_s", cb_json_real(f->tau_s));
  return o;
}

json_t *daq_check_step_json(const daq_check_step *s) {
  json_t *o = json_object(), *figures = json_array();
  for (size_t i = 0; i < s->n; i++) json_array_append_new(figures, figure_json(&s->figure[i]));
  json_object_set_new(o, "name", json_string(s->name));
  json_object_set_new(o, "verdict", json_string(daq_verdict_names[s->verdict]));
  json_object_set_new(o, "text", json_string(s->text));
  json_object_set_new(o, "limit", json_string(s->limit));
  json_object_set_new(o, "figures", figures);
  return o;
}
