/// A key made for these tests.
enum SigningKey {
  static let privatePEM = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIDUL6BpcV5jK4shPH1GWjmyFBj7FYPbIncVSFFxQZ1JGoAoGCCqGSM49
    AwEHoUQDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSx
    I3yYPG0MrZ8TYDvfJPukw+T1ag2P+Q46ig==
    -----END EC PRIVATE KEY-----

    """
  static let publicBase64 =
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P"
    + "+Q46ig=="
}
