// The public functions of a bridge speak of contexts, limits and exceptions.
@_exported import JSEngine
