import Foundation
import JSON
import Testing

@testable import EditorProtocol

/// `PROTOCOL.md` tells of every message with all its members, and of no others.
@Suite struct ProtocolPageTests {
  /// The rows of the tables under each heading, by what stands in their first cell.
  private static let rows: [String: [String: String]] = {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/EditorProtocol/PROTOCOL.md")
    var rows: [String: [String: String]] = [:]
    var (chapter, heading) = ("", "")
    for line in ((try? String(contentsOf: page, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init) {
      if line.hasPrefix("## ") {
        (chapter, heading) = (line, line)
      } else if line.hasPrefix("### ") {
        heading = chapter + line.dropFirst(3)
      } else if let cell = line.wholeMatch(of: /\| `?([^`|]+?)`? (\|.*)/) {
        rows[heading, default: [:]][String(cell.1)] = String(cell.2)
      }
    }
    return rows
  }()

  private func row(_ method: String, under heading: String) throws -> String {
    try #require(Self.rows[heading]?[method], "no row for \(method) under \(heading)")
  }

  private func expect(_ params: JSONValue, in row: String, of method: String) {
    guard let members = params.object else { return }
    for member in members.map(\.key) where member != "view_id" {
      #expect(row.split { !($0.isLetter || $0 == "_") }.contains(Substring(member)), "\(method) has a member \(member)")
    }
    if members["view_id"] != nil { #expect(row.hasPrefix("| (view)"), "\(method) names a view") }
  }

  private static let (toCore, requests) = ("## Front end to core Notifications", "## Front end to core Requests")
  private static let toFrontEnd = "## Core to front end Notifications"

  @Test(arguments: Samples.frontEndNotifications)
  func frontEndNotifications(_ notification: FrontEndNotification) throws {
    let (method, params) = notification.encoded
    expect(params, in: try row(method, under: Self.toCore), of: method)
  }

  @Test(arguments: Samples.frontEndRequests)
  func frontEndRequests(_ request: FrontEndRequest) throws {
    let (method, params) = request.encoded
    expect(params, in: try row(method, under: Self.requests), of: method)
  }

  @Test(arguments: Samples.coreNotifications)
  func coreNotifications(_ notification: CoreNotification) throws {
    let (method, params) = notification.encoded
    expect(params, in: try row(method, under: Self.toFrontEnd), of: method)
  }

  @Test(arguments: Samples.edits)
  func edits(_ edit: EditCommand) throws {
    let (method, params) = edit.encoded
    expect(params ?? .null, in: try row(method, under: "## What `edit` can do With parameters"), of: method)
  }

  @Test func plainEdits() throws {
    let rows = try #require(Self.rows["## What `edit` can do Without parameters"])
    let named = rows.flatMap { row in row.value.matches(of: /`(\w+)`/).map { String($0.1) } }
    #expect(named.sorted() == PlainEdit.allCases.map(\.rawValue).sorted())
  }

  @Test func nothingElseIsPromised() throws {
    let kinds = [
      (Self.toCore, Samples.frontEndNotifications.map(\.encoded.method) + ["edit"]),
      (Self.requests, Samples.frontEndRequests.map(\.encoded.method)),
      (Self.toFrontEnd, Samples.coreNotifications.map(\.encoded.method) + ["update"]),
      ("## What `edit` can do With parameters", Samples.edits.map(\.encoded.method)),
      ("## Core to front end Requests", ["measure_width"]),
    ]
    for (heading, methods) in kinds {
      #expect(Self.rows[heading].map { Set($0.keys).subtracting(["method"]) } == Set(methods), "\(heading)")
    }
    let extensions = Self.rows["## The handshake and the extensions"]?.keys.filter { $0 != "extension" }
    #expect(extensions?.sorted() == Extension.allCases.map(\.rawValue).sorted())
  }
}
