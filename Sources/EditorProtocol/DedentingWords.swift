/// Words that a core with the extension `code_editing` may set a step to the left when they have been typed first on their line, whatever
/// the language is: those that draw keys before its answer leave these to it.
package enum DedentingWords {
  package static let all: Set<String> = [
    "after", "case", "catch", "contains", "done", "elif", "else", "elseif", "elsif", "end", "endblock", "endcase",
    "enddef", "enddo", "endfor", "endforeach", "endfunction", "endif", "endmacro", "endmodule", "endtry",
    "endwhile", "ensure", "esac", "except", "exception", "fi", "finally", "in", "loop", "next", "of", "otherwise",
    "rescue", "then", "until", "wend", "when", "with",
  ]
}
