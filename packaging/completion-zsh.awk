# The completion of zsh, from words.awk.
function quoted(text) {
  gsub(/'/, "'\\''", text)
  return text
}
# Within [...] of _arguments.
function shown(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/\[/, "(", text)
  gsub(/\]/, ")", text)
  gsub(/:/, "\\:", text)
  return quoted(text)
}
function colons(text) {
  gsub(/:/, "\\:", text)
  return quoted(text)
}
END {
  print "#compdef clothbench"
  print "# Completion of clothbench for zsh. Made from its --help."
  print "_clothbench() {\n  local -a words_of"
  print "  if (( CURRENT == 2 )); then\n    words_of=("
  for (i = 1; i <= n_commands; i++) printf "      '%s:%s'\n", command[i], colons(summary[command[i]])
  print "    )\n    _describe command words_of\n    return\n  fi"
  print "  if (( CURRENT == 3 )) && [[ $PREFIX != -* ]]; then\n    case $words[2] in"
  for (i = 1; i <= n_commands; i++) {
    c = command[i]
    if (kinds[c] == "") continue
    printf "      %s)\n        words_of=(", c
    n = split(kinds[c], next_word, " ")
    for (j = 1; j <= n; j++) printf "\n          '%s:%s'", next_word[j], colons(kind_summary[c " " next_word[j]])
    print "\n        )\n        _describe kind words_of\n        return ;;"
  }
  print "    esac\n  fi"
  print "  case \"$words[2] $words[3]\" in"
  for (pass = 1; pass <= 2; pass++)
    for (i = 1; i <= n_paths; i++) {
      p = paths[i]
      if ((p ~ / /) != (pass == 1)) continue
      printf "    %s)\n      _arguments", p ~ / / ? "\"" p "\"" : "\"" p " \"*"
      for (j = 1; j <= n_options[p]; j++) {
        takes = value[p, j]
        printf " \\\n        '--%s[%s]%s'", option[p, j], shown(help[p, j]), takes == "" ? "" : ":" tolower(takes) ":" (takes == "NUMBER" ? "" : takes == "FOLDER" ? "_files -/" : "_files")
      }
      print " \\\n        '*:file:_files' ;;"
    }
  print "  esac\n}"
  print "_clothbench \"$@\""
}
