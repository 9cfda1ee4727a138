#compdef xiedit
_arguments -S \
  '--readonly[open files for reading only]' \
  '--core[run a command by the shell as the core]:command:_cmdstring' \
  '--record[write what goes to and comes from the core to a file]:file:_files' \
  '--settings[open the file of settings]' \
  '(- *)--version[show the version]' \
  '(- *)'{-h,--help}'[show help]' \
  '*:file:_files'
