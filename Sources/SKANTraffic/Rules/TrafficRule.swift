import SKANDevice

/// A rule of traffic; see the article "Checking traffic". The raw value is its stable id in outputs.
package enum TrafficRule: String, CaseIterable, Sendable {
  // How a sender handles an answer.
  case errorTakenAsDelivered = "error-taken-as-delivered"
  case failureNotRetried = "failure-not-retried"
  case requestRefused = "request-refused"
  case refusalRepeated = "refusal-repeated"
  case retryOvertaken = "retry-overtaken"
  case duplicateRequest = "duplicate-request"
  case conversionError = "conversion-error"
  case answerUnusable = "answer-unusable"

  // Order and time.
  case eventBeforeSession = "event-before-session"
  case installRepeated = "install-repeated"
  case timeWentBack = "time-went-back"
  case timeUnit = "time-unit"
  case timeAhead = "time-ahead"

  // Names.
  case bundleCase = "bundle-case"
  case eventNameCase = "event-name-case"
  case sessionNameMisplaced = "session-name-misplaced"
  case plusInName = "plus-in-name"
  case eventNotUpdated = "event-not-updated"
  case sessionNotUpdated = "session-not-updated"
  case eventNotForwarded = "event-not-forwarded"
  case reportedBeforeUpdated = "reported-before-updated"

  // Form of the request.
  case parameterMissing = "parameter-missing"
  case parameterForm = "parameter-form"
  case guidePlaceholder = "guide-placeholder"
  case serverParameterMissing = "server-parameter-missing"
  case currentValueMissing = "current-value-missing"
  case unknownParameter = "unknown-parameter"
  case parameterMisplaced = "parameter-misplaced"
  case parameterRepeated = "parameter-repeated"
  case parametersUnreadable = "parameters-unreadable"
  case jsonBody = "json-body"
  case bodySent = "body-sent"
  case methodNotTaken = "method-not-taken"
  case plainHTTP = "plain-http"
  case jsonDamaged = "json-damaged"
  case truthValueForm = "truth-value-form"
  case localeForm = "locale-form"
  case makeWithoutModel = "make-without-model"

  // Revenue.
  case amountWithoutCurrency = "amount-without-currency"
  case amountForm = "amount-form"
  case adRevenueIncomplete = "ad-revenue-incomplete"
  case currencyForm = "currency-form"
  case totalMissing = "total-missing"
  case revenueTwice = "revenue-twice"
  case revenueMismatch = "revenue-mismatch"

  // Identity.
  case idfvMissing = "idfv-missing"
  case idfvDiffers = "idfv-differs"
  case idfaZeros = "idfa-zeros"
  case idfaWithoutConsent = "idfa-without-consent"
  case consentWithoutIDFA = "consent-without-idfa"
  case keyMissing = "key-missing"
  case keyDiffers = "key-differs"

  // The device's address.
  case addressChoice = "address-choice"
  case serverAddress = "server-address"
  case privateAddress = "private-address"
  case sameAddress = "same-address"
  case ipv6Address = "ipv6-address"

  // Forwarded metadata.
  case metadataMissing = "metadata-missing"
  case metadataIncomplete = "metadata-incomplete"
  case metadataNames = "metadata-names"
  case metadataStale = "metadata-stale"

  // What a phone can keep.
  case lastCallBeforeFirst = "last-call-before-first"
  case lastCallWentBack = "last-call-went-back"
  case firstCallChanged = "first-call-changed"
  case fineChangedAfterP0 = "fine-changed-after-p0"
  case valueNeverAnswered = "value-never-answered"
  case previousNeverCurrent = "previous-never-current"
  case windowTooEarly = "window-too-early"
  case windowChangedLate = "window-changed-late"
  case lockOutsideWindow = "lock-outside-window"
  case revenueOutsideWindow = "revenue-outside-window"
  case revenueShrank = "revenue-shrank"
  case totalNotSum = "total-not-sum"
  case keysBeyondIOS = "keys-beyond-ios"
  case answerNotShown = "answer-not-shown"
  case staleRequest = "stale-request"
  case requestAfterWindows = "request-after-windows"

  /// The severity of a breach.
  package enum Level: String, CaseIterable, Sendable {
    /// Data is lost or wrong.
    case error
    /// The request is likely to be a mistake.
    case warning
    /// Worth knowing.
    case note
  }

  /// The basis of a rule.
  package enum Basis: String, CaseIterable, Sendable {
    case guide, reference, device, inferred

    package var meaning: String {
      switch self {
      case .guide: "Singular's guides for the snippet"
      case .reference: "Singular's reference of the endpoints"
      case .device: "what a phone can and cannot do"
      case .inferred: "a conclusion that is not in any document"
      }
    }
  }

  /// The id in outputs.
  package var id: String { rawValue }

  /// The severity of a breach.
  package var level: Level { row.level }

  package var basis: Basis { row.basis }

  /// The article of the manual with the facts.
  package var article: String { row.article }

  /// The properties that an input needs for the rule to be evaluated.
  package var needs: [TrafficNeed] { row.needs }

  /// A sentence that describes a breach.
  package var text: String { row.text }

  /// The remedy in one or two sentences.
  package var remedy: String { row.remedy }
}
