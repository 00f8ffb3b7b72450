import Foundation

/// Keys made for these tests.
enum TestKeys {
  /// A P-256 key as `openssl ecparam -genkey` writes it.
  static let ecPrivate = pem(
    "EC PRIVATE KEY",
    "MHcCAQEEIDUL6BpcV5jK4shPH1GWjmyFBj7FYPbIncVSFFxQZ1JGoAoGCCqGSM49AwEHoUQDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4"
      + "XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P+Q46ig==")
  /// The same as `openssl genpkey` writes it.
  static let pkcs8Private = pem(
    "PRIVATE KEY",
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNQvoGlxXmMriyE8fUZaObIUGPsVg9sidxVIUXFBnUkahRANCAAR07LafrRtEdBBhu3k5"
      + "PwfBGlIqEBMd0W+zFWmnZjhd+lnf8zhRBLEjfJg8bQytnxNgO98k+6TD5PVqDY/5DjqK")
  static let publicBase64 =
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P"
    + "+Q46ig=="
  static let publicPEM = pem("PUBLIC KEY", publicBase64)
  /// The same point, compressed.
  static let compressed = pem(
    "PUBLIC KEY", "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgACdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4Xfo=")
  /// The form of a P-256 key with a point that is not on the curve.
  static let offTheCurve =
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P"
    + "+Q46iw=="
  static let otherCurve =
    "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEtErKcEtiISfaw/bvLyCOT7jGJEfz8TRzaGNBHrCv3TVpHSK++INqvqrSxGHWFF7E0g5DTiSeBI+LuJhTxfyC"
    + "JtWCMNQiiczGxcA6U5sght6VrVz2DPs12KSPMgz2APHD"
  static let otherCurvePrivate = pem(
    "EC PRIVATE KEY",
    "MIGkAgEBBDDrOds566pvGW4GTma0udqw9CVVE2tgRlLDrFXFYPrfpfgCorjWlVrqd1bQ/6MixJCgBwYFK4EEACKhZANiAAS0SspwS2IhJ9rD9u8vII5P"
      + "uMYkR/PxNHNoY0EesK/dNWkdIr74g2q+qtLEYdYUXsTSDkNOJJ4Ej4u4mFPF/IIm1YIw1CKJzMbFwDpTmyCG3pWtXPYM+zXYpI8yDPYA8cM=")
  static let rsa =
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDK6uW0hVnVUE6nehBbPA5Z+7WhE8yx5xeLNZEf2fKh/cNjAE5PVpHkSnl/qplr20ctF0z859pZDy9r"
    + "lN5SM6s/NvaLW1p4HqpzMMTAUdcVHtdU4770UEd3VN64n9SYzIer5Yl6q8crdi5Dz40F3ASwwtjo4Q99XkOlkvPCm72TswIDAQAB"
  static let ed25519 = "MCowBQYDK2VwAyEAQ6AylhZXK6QdGlgM3FAgfJtZ+slT8sFLUmQsQOujAGI="
  /// What the key above made of the text `skan`.
  static let signatureOfSkan =
    "MEUCIQDyngSZclp3hMvLlmEiGJbJtXxIsHbo+8DMrNFcOrQ22AIgOI48ITz7xSii4BnFps2uy5lQUcsPV47p1Ka8NYqUySQ="

  /// As a key file has it: lines of 64.
  static func pem(_ label: String, _ base64: String) -> String {
    let lines = stride(from: 0, to: base64.count, by: 64).map { base64.dropFirst($0).prefix(64) }
    return "-----BEGIN \(label)-----\n\(lines.joined(separator: "\n"))\n-----END \(label)-----\n"
  }

  /// Whether signatures can be made and checked on this machine.
  static let canSign: Bool = {
    #if canImport(CryptoKit)
      true
    #else
      OpenSSL.isInstalled
    #endif
  }()
}
