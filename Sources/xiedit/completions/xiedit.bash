# Completions of xiedit for bash.
_xiedit() {
  local word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if [[ ${COMP_WORDS[COMP_CWORD - 1]} == --core ]]; then
    mapfile -t COMPREPLY < <(compgen -c -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '--readonly --core --record --settings --version --help' -- "$word")
  fi
}

# Without an answer it is a file.
complete -o bashdefault -o default -F _xiedit xiedit
