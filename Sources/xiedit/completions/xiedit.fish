# Completions of xiedit for fish.
complete -c xiedit -l readonly -d 'Open files for reading only'
complete -c xiedit -l core -x -a '(__fish_complete_command)' -d 'Run a command by the shell as the core'
complete -c xiedit -l record -r -F -d 'Write what goes to and comes from the core to a file'
complete -c xiedit -l settings -d 'Open the file of settings'
complete -c xiedit -l version -d 'Show the version'
complete -c xiedit -s h -l help -d 'Show help'
