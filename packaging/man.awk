# A man page of a command, from its --help. command, version, summary and commands are set on the command line.
function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  return text ~ /^\./ ? "\\&" text : text
}
# A text of the program that is laid out by its spaces.
function literal(text) {
  if (!in_literal) print ".nf"
  in_literal = 1
  print roff(text)
}
function prose() {
  if (in_literal) print ".fi"
  in_literal = 0
}
BEGIN {
  printf ".TH CLOTHBENCH\\-%s 1 \"\" \"clothbench %s\" \"User Commands\"\n", toupper(command), version
  printf ".SH NAME\nclothbench\\-%s \\- %s\n", command, roff(summary)
}
/^usage: / {
  prose()
  usage = substr($0, 8)
  split(usage, word, " ")
  titled = word[3] ~ /^[a-z][a-z-]*$/ && blocks > 0 ? word[2] " " word[3] : word[2]
  if (blocks++ > 0) printf ".SH %s\n", toupper(roff(titled))
  else print ".SH SYNOPSIS"
  print ".PP\n" roff(usage)
  options = 0
  next
}
/^$/ { prose(); next }
/^  (--|-h)/ {
  prose()
  if (!options++) print ".SS Options"
  at = match($0, /  +[^ -]/)
  left = substr($0, 3, 28)
  if (match(substr($0, 3), /^(-h, )?--[^ ]+( (TEXT|NUMBER|FILE|FOLDER))?/)) left = substr($0, 3, RLENGTH)
  help = substr($0, 3 + length(left))
  sub(/^ +/, "", help)
  printf ".TP\n.B %s\n%s\n", roff(left), roff(help)
  next
}
{ literal($0) }
END {
  prose()
  print ".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage, 3 ran but the verdict is negative."
  print ".SH ENVIRONMENT\n.TP\n.B CLOTHBENCH_DB\nThe database where \\-\\-db is not given; else ./materials.db. Where there is none, commands that only read use the shipped one."
  print ".SH SEE ALSO\n.BR clothbench (1)"
}
