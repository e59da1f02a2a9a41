/// The version of the package, as `sheaf --version` and the `User-Agent` field say it.
package let version = "0.1.0"
