extension FileOperations {
  /// The real system calls.
  package static let live = FileOperations(
    canonicalPath: POSIX.canonicalPath,
    linkDestination: POSIX.linkDestination,
    linkStatus: POSIX.linkStatus,
    pathStatus: POSIX.pathStatus,
    descriptorStatus: POSIX.descriptorStatus,
    openForReading: POSIX.openForReading,
    createTemporary: POSIX.createTemporary,
    openForAppending: POSIX.openForAppending,
    openDirectory: POSIX.openDirectory,
    openLock: POSIX.openLock,
    close: POSIX.closeDescriptor,
    readBytes: POSIX.readBytes,
    writeBytes: POSIX.writeBytes,
    setPermissions: POSIX.setPermissions,
    setSize: POSIX.setSize,
    truncate: POSIX.makeEmpty,
    synchronize: POSIX.synchronize,
    synchronizeDirectory: POSIX.synchronizeDirectory,
    tryLock: POSIX.tryLock,
    rename: POSIX.move,
    remove: POSIX.remove,
    processID: POSIX.processID,
    isRunning: POSIX.isRunning,
    names: POSIX.names)
}
