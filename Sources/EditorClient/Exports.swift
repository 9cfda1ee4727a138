// What the editor is told of: whoever shows it speaks of keys, too.
@_exported import TerminalInput
