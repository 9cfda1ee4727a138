// Tests name modules, errors and JSON values.
@_exported import TrestleCore
