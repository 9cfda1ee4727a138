/// What a module has of its bridge. From any thread.
public struct BridgeContext: Sendable {
}
