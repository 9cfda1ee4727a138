/// A core made of shell commands, for what no real core does.
enum ShellCore {
  /// Makes the editor ask a question; then is silent.
  static let offeringRecovery =
    #"printf '{"method":"xiedit_recovery","params":{"view_id":"view-id-1","recovery_id":"r"}}\n'; cat >/dev/null"#

  /// Says who it is, answers the first `new_view` and shows `text`; then does what `afterwards` says.
  static func showing(_ text: String, then afterwards: String = "cat >/dev/null") -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
      #"{"text":"\#(line)\\n","ln":\#(index + 1),"cursor":[\#(index == 0 ? "0" : "")],"styles":[]}"#
    }
    let messages = [
      #"{"method":"xiedit_core","params":{"version":1,"unicode":"17.0.0","extensions":[]}}"#,
      #"{"id":0,"result":"view-id-1"}"#,
      #"{"method":"update","params":{"view_id":"view-id-1","update":{"pristine":true,"annotations":[],"#
        + #""ops":[{"op":"ins","n":\#(lines.count),"lines":[\#(lines.joined(separator: ","))]}]}}}"#,
      #"{"method":"scroll_to","params":{"view_id":"view-id-1","line":0,"col":0}}"#,
    ]
    return messages.map { "printf '%b\\n' '\($0)'" }.joined(separator: ";") + ";" + afterwards
  }
}
