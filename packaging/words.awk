# Reads the --help of clothbench and of every command. Fills, for completion-SHELL.awk:
#   command[1..n_commands], summary[command]
#   kinds[command]: the words that may follow it; kind_summary[command " " kind], where --help has one
#   paths[1..n_paths]: COMMAND or COMMAND KIND; n_options[path]; option, value, help [path, i]
function add_kind(of, word) {
  if (index(" " kinds[of] " ", " " word " ") == 0) kinds[of] = kinds[of] (kinds[of] == "" ? "" : " ") word
}
# The words after the command in a synopsis: "export runs|points", "db init | check | show NAME".
function add_kinds_of(text, of,   rest, n, i, part) {
  rest = text
  while (match(rest, of " [a-z][a-z-]*([|][a-z][a-z-]*)*")) {
    n = split(substr(rest, RSTART + length(of) + 1, RLENGTH - length(of) - 1), part, "|")
    for (i = 1; i <= n; i++) add_kind(of, part[i])
    rest = substr(rest, RSTART + RLENGTH)
  }
  if (of != "db") return
  n = split(text, part, / \| /)
  for (i = 2; i <= n; i++)
    if (match(part[i], /^[a-z]+/)) add_kind(of, substr(part[i], 1, RLENGTH))
}
function begin(of, kind) {
  path = kind == "" ? of : of " " kind
  if (!(path in n_options)) { n_options[path] = 0; paths[++n_paths] = path }
}
/^usage: clothbench COMMAND/ { of = ""; path = ""; next }
/^usage: / {
  of = $3
  kind = $4
  if (kind == "KIND") { lists_kinds = 1; begin(of, "") }
  else if (kind ~ /^[a-z][a-z-]*$/ && of !~ /^(db|export)$/) { lists_kinds = 0; add_kind(of, kind); begin(of, kind) }
  else if (of == "db" && kind ~ /^(specimen|labels)$/) { lists_kinds = 0; begin(of, kind) }
  else { lists_kinds = 0; begin(of, "") }
  if (of ~ /^(db|export|import)$/ && path == of) add_kinds_of($0, of)
  next
}
/^ +(clothbench )?(rig|export|import) [a-z]/ && of != "" { add_kinds_of($0, of); next }
/^  [a-z]/ && of == "" {
  command[++n_commands] = $1
  text = $0
  sub(/^  [a-z]+ +/, "", text)
  summary[$1] = text
  next
}
/^  [a-z]/ && lists_kinds && $1 != of {
  add_kind(of, $1)
  text = $0
  sub(/^  [a-z-]+ +/, "", text)
  kind_summary[of " " $1] = text
  next
}
/^  (--|-h)/ && path != "" {
  line = substr($0, 3)
  sub(/^-h, /, "", line)
  match(line, /^--[^ ]+/)
  name = substr(line, 3, RLENGTH - 2)
  line = substr(line, RLENGTH + 1)
  takes = ""
  if (match(line, /^ (TEXT|NUMBER|FILE|FOLDER) /)) { takes = substr(line, 2, RLENGTH - 2); line = substr(line, RLENGTH) }
  sub(/^ +/, "", line)
  n_options[path]++
  option[path, n_options[path]] = name
  value[path, n_options[path]] = takes
  help[path, n_options[path]] = line
}
