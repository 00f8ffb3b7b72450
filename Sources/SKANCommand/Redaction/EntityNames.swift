/// HTML's names for characters of ASCII (HTML Standard, "Named character references").
enum EntityNames {
  private static let bytes: [String: UInt8] = {
    let names: [(Character, String)] = [
      ("\t", "Tab"), ("\n", "NewLine"), (" ", "nbsp"), ("!", "excl"), ("\"", "quot QUOT"), ("#", "num"),
      ("$", "dollar"), ("%", "percnt"), ("&", "amp AMP"), ("'", "apos"), ("(", "lpar"), (")", "rpar"),
      ("*", "ast midast"), ("+", "plus"), (",", "comma"), ("-", "hyphen dash"), (".", "period"), ("/", "sol"),
      (":", "colon"), (";", "semi"), ("<", "lt LT"), ("=", "equals"), (">", "gt GT"), ("?", "quest"), ("@", "commat"),
      ("[", "lsqb lbrack"), ("\\", "bsol"), ("]", "rsqb rbrack"), ("^", "Hat"), ("_", "lowbar UnderBar"),
      ("`", "grave DiacriticalGrave"), ("{", "lcub lbrace"), ("|", "verbar vert VerticalLine"),
      ("}", "rcub rbrace"),
    ]
    return names.reduce(into: [:]) { bytes, entry in
      for name in entry.1.split(separator: " ") { bytes[String(name)] = entry.0.asciiValue }
    }
  }()

  /// These are as old as HTML, and were written without their semicolon.
  private static let old: Set<String> = ["amp", "AMP", "lt", "LT", "gt", "GT", "quot", "QUOT", "nbsp"]

  static func byte(_ name: String, hasSemicolon: Bool) -> UInt8? {
    hasSemicolon || old.contains(name) ? bytes[name] : nil
  }
}
