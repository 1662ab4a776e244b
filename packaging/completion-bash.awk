# The completion of bash, from words.awk.
END {
  print "# Completion of clothbench for bash. Made from its --help."
  print "_clothbench_kinds() {\n  case \"$1\" in"
  for (i = 1; i <= n_commands; i++)
    if (kinds[command[i]] != "") printf "    %s) echo \"%s\" ;;\n", command[i], kinds[command[i]]
  print "  esac\n}"
  print "_clothbench_options() {\n  case \"$1\" in"
  for (i = 1; i <= n_paths; i++) {
    line = ""
    for (j = 1; j <= n_options[paths[i]]; j++) line = line " --" option[paths[i], j]
    printf "    \"%s\") echo \"%s\" ;;\n", paths[i], substr(line, 2)
  }
  print "  esac\n}"
  all = ""
  for (i = 1; i <= n_commands; i++) all = all " " command[i]
  print "_clothbench() {"
  print "  local word=\"${COMP_WORDS[COMP_CWORD]}\" command=\"${COMP_WORDS[1]-}\" kind=\"${COMP_WORDS[2]-}\" words"
  print "  if [ \"$COMP_CWORD\" -eq 1 ]; then"
  printf "    words=\"%s --help --version\"\n", substr(all, 2)
  print "  elif [ \"${word#-}\" != \"$word\" ]; then"
  print "    words=$(_clothbench_options \"$command $kind\")"
  print "    [ -n \"$words\" ] || words=$(_clothbench_options \"$command\")"
  print "  elif [ \"$COMP_CWORD\" -eq 2 ]; then"
  print "    words=$(_clothbench_kinds \"$command\")"
  print "  fi"
  print "  COMPREPLY=($(compgen -W \"${words-}\" -- \"$word\"))"
  print "  [ -n \"${words-}\" ] || COMPREPLY=($(compgen -f -- \"$word\"))"
  print "}"
  print "complete -o filenames -F _clothbench clothbench"
}
