/// The steps of reading, saving and locking at which a system call can fail, as the words that follow "cannot".
package enum FileOperation: String, Equatable, Sendable {
  /// Following symbolic links to the file meant.
  case resolve = "follow"
  /// Finding the directory that the file is in.
  case findDirectory = "find the directory"
  /// Asking what the file is.
  case inspect = "inspect"
  /// Opening the file for reading.
  case open = "open"
  /// Reading its bytes.
  case read = "read"
  /// Making the temporary file that will take its place.
  case create = "create a temporary file beside"
  /// Making a temporary file for what does not fit into memory.
  case createSpool = "create a temporary file in"
  /// Writing the new bytes.
  case write = "write"
  /// Cutting what broke off at the end of a file.
  case cut = "cut"
  /// Giving the new file the old one's mode.
  case setPermissions = "set the mode of"
  /// Waiting until the new bytes are on the disk.
  case synchronize = "flush to disk"
  /// Closing the new file.
  case close = "close"
  /// Putting the new file in the old one's place.
  case rename = "replace"
  /// Waiting until the new name is on the disk; here the new content is in place already.
  case synchronizeDirectory = "flush to disk the directory"
  /// Removing the temporary file after an error; never reported, since the error before it says more.
  case remove = "remove the temporary file of"
  /// Opening the lock file.
  case openLock = "open the lock file"
  /// Taking the lock.
  case lock = "lock"
}
