// The public functions of a bridge speak of contexts, limits and exceptions, and of JSON values.
@_exported import JSEngine
@_exported import JSON
