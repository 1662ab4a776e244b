# The completion of fish, from words.awk.
function quoted(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/'/, "\\'", text)
  return text
}
END {
  print "# Completion of clothbench for fish. Made from its --help."
  for (i = 1; i <= n_commands; i++) {
    c = command[i]
    printf "complete -c clothbench -n __fish_use_subcommand -f -a %s -d '%s'\n", c, quoted(summary[c])
    n = split(kinds[c], next_word, " ")
    for (j = 1; j <= n; j++)
      printf "complete -c clothbench -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from %s' -a %s -d '%s'\n", c, kinds[c], next_word[j], quoted(kind_summary[c " " next_word[j]])
  }
  for (i = 1; i <= n_paths; i++) {
    p = paths[i]
    n = split(p, word, " ")
    when = "__fish_seen_subcommand_from " word[1] (n > 1 ? "; and __fish_seen_subcommand_from " word[2] : "")
    for (j = 1; j <= n_options[p]; j++)
      printf "complete -c clothbench -n '%s' -l %s%s -d '%s'\n", when, option[p, j], value[p, j] == "" ? "" : " -r", quoted(help[p, j])
  }
}
