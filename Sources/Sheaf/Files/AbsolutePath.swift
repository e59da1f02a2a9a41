#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `path` as it is from everywhere: the working directory may be another one later.
func absolute(_ path: String) -> String {
  guard path.utf8.first != UInt8(ascii: "/"), let directory = getcwd(nil, 0) else { return path }
  defer { free(directory) }
  return "\(String(cString: directory))/\(path)"
}
