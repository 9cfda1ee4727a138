// What the public functions of a bridge speak of. Of the engine no more: who wants it imports `JSEngine`.
@_exported import struct JSEngine.ExecutionLimits
@_exported import struct JSEngine.MemoryStatistics
@_exported import JSON
