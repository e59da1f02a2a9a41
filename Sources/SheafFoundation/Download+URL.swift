public import Foundation
@_exported public import Sheaf

extension Download {
  /// Prepares a download of a Foundation URL; nothing happens before `start()`, `value`, or its queue starts it.
  /// - Throws: `DownloadError` with code `usage` if the URL or an option makes no sense.
  public convenience init(_ url: URL, to destination: Destination, options: DownloadOptions = DownloadOptions())
    throws(DownloadError)
  {
    try self.init(url.absoluteString, to: destination, options: options)
  }

  /// Where the file goes.
  public var fileURL: URL { URL(fileURLWithPath: path) }
}

extension DownloadResult {
  /// Where the file is.
  public var fileURL: URL { URL(fileURLWithPath: path) }
}

extension ResumeData {
  /// Reads what `data` once gave.
  /// - Throws: `DownloadError` with code `invalidResumeData` for anything else.
  public init(data: Data) throws(DownloadError) { try self.init(bytes: data) }

  /// The resume data as bytes to store: one JSON object in UTF-8.
  public var data: Data { Data(bytes) }
}

extension Delivery {
  /// On an operation queue, as one operation for each call.
  public static func operationQueue(_ queue: OperationQueue) -> Delivery {
    Delivery { queue.addOperation($0) }
  }
}
