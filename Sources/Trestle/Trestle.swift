@_exported import TrestleCore

/// Makes an actor, a class or a struct a module that JavaScript can use.
///
/// The members marked with `@Exported` become the module's methods and constants. Linking the type into a program, from any
/// target or package, is enough for `ModuleDefinition.linked` to list it.
///
/// Where methods run, started in the order of the calls: those of an actor on the actor; those of a type that is isolated
/// to a global actor there, where its instance is made at the first call, too; those of other classes and structs on the JS
/// thread, and on the concurrent pool if they are async, as are `nonisolated` and `static` ones.
///
/// An instance is made for each bridge, by `init(_: BridgeContext)` or by `init()`; of a type that has neither the host gives the
/// bridge an instance (`ModuleSelection.instance`).
///
/// - Parameters:
///   - name: the module's name in JavaScript; without it the type's name. `RCT` and `RK` prefixes are stripped.
///   - dependencies: modules that must be there too.
///   - capabilities: what the bridge must grant for the module to be opened.
///   - isLinked: whether `ModuleDefinition.linked` lists it: a literal.
@attached(extension, conformances: NativeModule, _Expansion.LinkedModule, _Expansion.ModuleActor)
@attached(member, names: named(moduleDefinition), named(moduleExecutor), named(unownedExecutor), named(_TypeChecks))
public macro NativeModule(
  _ name: String? = nil, dependencies: [String] = [], capabilities: Set<Capability> = [], isLinked: Bool = true
) = #externalMacro(module: "TrestleMacros", type: "NativeModuleMacro")

/// Makes the instances of an actor or of a `Sendable` final class objects that JavaScript holds: see the protocol of this name.
///
/// The members marked with `@Exported` are methods, under the rules of `@NativeModule`, and properties: a script reads a property,
/// and assigns to it, whenever it likes, on the JS thread. Methods of an actor run on it, those of a class on the JS thread, async
/// ones on the concurrent pool; calls of one object start in the order they were made.
///
/// - Parameter name: of the class in JavaScript; without it the type's name.
@attached(extension, conformances: SharedObject, _Expansion.ModuleActor)
@attached(member, names: named(sharedClass), named(moduleExecutor), named(unownedExecutor), named(_TypeChecks))
public macro SharedObject(_ name: String? = nil) =
  #externalMacro(module: "TrestleMacros", type: "SharedObjectMacro")

/// Lets JavaScript call a method, read a constant, or listen to an event (``EventSource``) of a `@NativeModule` or a `@SharedObject`.
///
/// A method that has a result, is async or throws gives a promise, one whose last parameters are of type `Callback` calls those,
/// any other is fire and forget. A parameter with a default argument may be
/// left out. A constant is read once for each bridge, on the JS thread, as is the source of an event.
@attached(peer)
public macro Exported() = #externalMacro(module: "TrestleMacros", type: "ExportedMacro")

/// The same under another name in JavaScript.
@attached(peer)
public macro Exported(_ name: String) = #externalMacro(module: "TrestleMacros", type: "ExportedMacro")

/// The same, called in another way: `.sync` for a method that runs on the JS thread while JavaScript waits, `.promise` for
/// one without a result whose end JavaScript waits for, `.void` for an async or throwing one that it does not wait for: what that
/// throws goes to the bridge's `onError`.
@attached(peer)
public macro Exported(_ kind: MethodKind) = #externalMacro(module: "TrestleMacros", type: "ExportedMacro")

@attached(peer)
public macro Exported(_ name: String, _ kind: MethodKind) =
  #externalMacro(module: "TrestleMacros", type: "ExportedMacro")

/// Makes a struct or an enumeration a value that crosses the bridge, member by member: the fast path beside `Codable`.
///
/// - A struct is an object in JavaScript with its stored properties as members. One with an initial value may be left out;
///   a `let` with one is sent, and on the way in passed over.
/// - An enumeration with payloads is an object whose member `discriminator` names the case, and whose other members are
///   the payloads by their labels; a single payload without a label is the member `value`.
/// - An enumeration with raw values is its raw value.
@attached(extension, conformances: BridgeDecodable, BridgeEncodable, Sendable, names: named(init))
@attached(
  member, names: named(recordShape), named(unionShape), named(bridgeSchema), named(decode), named(encode),
  named(_TypeChecks))
public macro Record(discriminator: String = "type") = #externalMacro(module: "TrestleMacros", type: "RecordMacro")

/// Makes a type that calls a script's functions through a protocol: for `protocol Plugin` the struct `PluginProxy`.
///
/// ```swift
/// @JSInterface protocol Plugin {
///   func transform(_ page: Page) async throws -> Page
///   func log(_ text: String)
/// }
/// let better = try await PluginProxy(bridge).transform(page)
/// ```
/// ```js
/// trestle.registerCallableModule('plugin', { transform: (page) => ({ ...page, title: 'new' }), log: console.log });
/// ```
///
/// The functions are those of the callable module of the protocol's name, with a small first letter, or of the name that the
/// proxy is made with. An `async throws` one awaits the result, or the promise; one that is neither, and gives nothing, nobody
/// waits for: what it throws goes to the bridge's `onError`. One that the script lacks is `ERR_NOT_FOUND`.
/// `Bridge.typeDeclarations(of:interfaces:)` declares the protocol for scripts.
@attached(peer, names: suffixed(Proxy))
public macro JSInterface() = #externalMacro(module: "TrestleMacros", type: "InterfaceMacro")
