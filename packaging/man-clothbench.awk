# clothbench.1, from 'clothbench --help'. version is set on the command line.
function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  return text
}
BEGIN {
  printf ".TH CLOTHBENCH 1 \"\" \"clothbench %s\" \"User Commands\"\n", version
  print ".SH NAME\nclothbench \\- friction rig, fabric database and cloth simulation"
  print ".SH SYNOPSIS\n.B clothbench\nCOMMAND [arguments]"
  print ".SH DESCRIPTION"
  print "clothbench measures how cloth slides over other materials, keeps every measurement in one SQLite file,"
  print "fits laws of friction, stretch, bending, air and drape with their uncertainty, simulates cloth with them,"
  print "and compares predictions with measurements."
  print ".SH COMMANDS"
}
/^  [a-z]/ {
  name = $1
  summary = $0
  sub(/^  [a-z]+ +/, "", summary)
  printf ".TP\n.BR clothbench\\-%s (1)\n%s\n", name, roff(summary)
  see = see (see == "" ? "" : ",\n") sprintf(".BR clothbench\\-%s (1)", name)
  next
}
/^Exit codes/ { exits = substr($0, 13) }
END {
  print ".SH OPTIONS\n.TP\n.B \\-\\-help\nThe list of commands.\n.TP\n.B \\-\\-version\nThe version."
  print ".SH EXIT STATUS\n" roff(exits)
  print ".SH ENVIRONMENT\n.TP\n.B CLOTHBENCH_DB\nThe database where \\-\\-db is not given; else ./materials.db. Where there is none, commands that only read use the shipped one."
  print ".SH FILES\nA name that begins with rigs/, scenes/ or materials/ and is not there is taken from the installed files, in"
  print "share/clothbench beside the program."
}
