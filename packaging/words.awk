# Reads the --help of clothbench and of every command. Fills, for completion-SHELL.awk:
#   command[1..n_commands], summary[command]
#   kinds[command]: the words that may follow it; kind_summary[command " " kind], where --help has one
#   paths[1..n_paths]: COMMAND or COMMAND KIND; n_options[path]; option, value, help [path, i]
function add_kind(of, word) {
  if (index(" " kinds[of] " ", " " word " ") == 0) kinds[of] = kinds[of] (kinds[of] == "" ? "" : " ") word
}
function begin(of, kind) {
  path = kind == "" ? of : of " " kind
  if (!(path in n_options)) { n_options[path] = 0; paths[++n_paths] = path }
}
/^usage: clothbench COMMAND/ { of = ""; path = ""; next }
/^usage: / {
  of = $3
  kind = $4
  lists_kinds = kind == "KIND" || (of ~ /^(db|export)$/ && !(of in n_options)) # its words are lines below
  if (!lists_kinds && kind ~ /^[a-z][a-z-]*$/) { add_kind(of, kind); begin(of, kind) }
  else begin(of, "")
  next
}
/^ +clothbench rig [a-z]/ { add_kind(of, $3); next }
/^ [A-Z]/ { lists_kinds = 0 }
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
  sub(/^  [^ ]+( [^ ]+)*  +/, "", text)
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
