import Glibc

func systemErrorText(_ error: CInt) -> String { String(cString: strerror(error)) }
