/* A rig file's templates, up to a line of dashes, and what a stage answers to them. What a text holds is
 * filled within a message; what fits a reply was wholly read. The rig reader's own target is fuzz_rig. */
#include <stdlib.h>
#include <string.h>

#include "daq_lines.h"
#include "messages.h"

static const cb_rig *rig;

static daq_parse parse(int form, const char *bytes, size_t n, size_t *used) {
  const cb_rig_lines *l = rig->stage.lines;
  const cb_lines_question *const all[] = {&l->identity, &l->accept, &l->state, &l->reference, &l->position};
  char line[DAQ_LINE_MAX], message[DAQ_LINES_MESSAGE];
  const daq_lines_values v = {-9.8765e3, 1e4};
  daq_lines_found f;
  daq_parse p = daq_line_cut(bytes, n, "", line, sizeof line, used);
  (void)form;
  for (size_t i = 0; p == DAQ_PARSE_VALID && i < sizeof all / sizeof all[0]; i++) {
    if (daq_lines_fill(&all[i]->ask, &rig->stage, &v, message, NULL, NULL) >= sizeof message)
      __builtin_trap();
    if (daq_lines_match(&all[i]->reply, line, rig->stage.device_address, &f) &&
        (!(f.number == f.number) || strlen(f.code) + strlen(f.serial) > strlen(line)))
      __builtin_trap();
    (void)daq_lines_rule_of(all[i], f.code);
  }
  return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = calloc(1, size + 1), *answers;
  cb_rig read;
  cb_err err = {""};
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  answers = strstr(text, "\n---\n");
  if (answers) *answers = '\0';
  if (cb_rig_parse(text, "fuzz", &read, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
  } else if (read.stage.lines) {
    const size_t from = answers ? (size_t)(answers + 5 - text) : size;
    rig = &read;
    (void)fuzz_messages(parse, 1, data + from, size - from);
  }
  cb_rig_clear(&read);
  free(text);
  return 0;
}
