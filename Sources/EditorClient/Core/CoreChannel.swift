import EditorProtocol
import JSON
import JSONRPC

/// The way to a core. Messages arrive in the order sent; neither function waits.
package protocol CoreChannel: AnyObject {
  func send(_ notification: FrontEndNotification)

  /// `completion` runs once, with the answer or the error that came in its place.
  func send(_ request: FrontEndRequest, completion: @escaping (Result<JSONValue, ResponseError>) -> Void)
}
