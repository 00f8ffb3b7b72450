import SKANCommandLine

/// The explanation of a code of results, checks, verdicts or exit codes, in the parts that `skan explain` prints.
///
/// Each kind of code has an exhaustive switch in this folder that returns the explanations.
struct CodeExplanation: Sendable, Equatable {
  /// The behaviour of the phone or, for a code that no phone gives, the event. The first sentence is printed in the
  /// list of all codes.
  let phone: String
  /// The cause in the app, the endpoint or the command line.
  let cause: String
  /// The lines of the guide that decide it, if any.
  let guide: GuideCode?
  /// A command that prints the code; nil if nothing can cause it.
  let example: Reproduction?
  let remedy: String
  /// Articles of the behaviour reference.
  let articles: [String]
  /// Other documents.
  let documents: [String]

  init(
    _ phone: String, cause: String, guide: GuideCode? = nil, example: Reproduction?, remedy: String,
    articles: [String] = [], documents: [String] = []
  ) {
    self.phone = phone
    self.cause = cause
    self.guide = guide
    self.example = example
    self.remedy = remedy
    self.articles = articles
    self.documents = documents
  }

  /// The first sentence.
  var summary: String { phone.firstRange(of: ". ").map { "\(phone[..<$0.lowerBound])." } ?? phone }
}

/// A command that shows a code, to be run in the folder that contains `fixtures`.
enum Reproduction: Sendable, Equatable {
  /// A line of the shell.
  case shell(String)
  /// A list of these steps, piped to `skan replay`. Each of the options ends with a space.
  case replay([String], options: String)
  /// A list under `fixtures`; its notes are printed with `-v` only.
  case fixture(String, showsNotes: Bool = false)

  static func list(_ steps: String...) -> Self { .replay(steps, options: "") }

  /// A replay of these steps that prints results as JSON.
  static func json(_ steps: String...) -> Self { .replay(steps, options: "--json ") }

  /// The shell command.
  var command: String {
    switch self {
    case .shell(let line): line
    case .replay(let steps, let options):
      "printf '%s\\n' \(steps.map { "'\($0)'" }.joined(separator: " ")) | skan replay \(options)-"
    case .fixture(let name, let showsNotes): "skan replay \(showsNotes ? "-v " : "")fixtures/\(name).jsonl"
    }
  }

  // Postbacks of the fixtures
  static let postbacks = "fixtures/postbacks"
  static let applesPostback = "\(postbacks)/apple-4.0-fine.json"
  /// Apple's example of a postback of AdAttributionKit, signed with a development key.
  static let adAttributionKitPostback = "\(postbacks)/aak-development.json"
  static let simulatedPostback = "\(postbacks)/simulated-4.0-first.json"
  static let simulatedKey = "--key \(postbacks)/simulated-public.pem"
}

/// Lines of a published guide, mostly of its client code, verbatim.
struct GuideCode: Sendable, Equatable {
  let guide: Guide
  let lines: [String]

  /// A published guide.
  enum Guide: Sendable {
    case skan4, skan4Beta, skan3

    var title: String {
      switch self {
      case .skan4: "Singular, SKAdNetwork 4 implementation guide"
      case .skan4Beta: "Singular, SKAdNetwork 4 implementation guide, earlier form"
      case .skan3: "Singular, SKAdNetwork 3.0 S2S implementation guide"
      }
    }
  }

  private init(_ guide: Guide, _ lines: String...) {
    self.guide = guide
    self.lines = lines
  }
}

extension GuideCode {
  // Before the request
  static let register = GuideCode(
    .skan4, "if ([SKANSnippet getFirstSkanCallTimestamp] != 0) {", "return;", "}", "if (@available(iOS 15.4, *)) {",
    "[SKAdNetwork updatePostbackConversionValue:0 completionHandler:nil];")
  static let windowOver = GuideCode(.skan4, "if ([SKANSnippet isSkanWindowOver]) {", "return;", "}")
  static let windowRule = GuideCode(
    .skan4,
    "NSInteger timeDiff = [SKANSnippet getCurrentUnixTimestamp] - [SKANSnippet getFirstSkanCallTimestamp];",
    "return thirdSkan4WindowInSec <= timeDiff;")
  static let currentWindow = GuideCode(
    .skan4,
    "NSInteger timeDiff = [SKANSnippet getCurrentUnixTimestamp] - [SKANSnippet getFirstSkanCallTimestamp];",
    "if (timeDiff < firstSkan4WindowInSec) { return 0; }")
  static let lockTaken = GuideCode(.skan4, "[lockObject lock];")
  static let asynchronous = GuideCode(
    .skan4, "// Making the lock async so it will not freeze the calling thread",
    "dispatch_async(dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_DEFAULT, 0), ^(void) {", "[lockObject lock];")
  static let eventName = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"n" value:eventName],"#)
  static let bundleIdentifier = GuideCode(
    .skan4, #"[NSURLQueryItem queryItemWithName:@"i" value:bundleIdentifier],"#)
  static let idfv = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"idfv" value:IDFV],"#)
  static let idfa = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"idfa" value:IDFA]"#)
  static let key = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"a" value:API_KEY],"#)
  static let placeholders = GuideCode(
    .skan4, #"NSString *API_KEY = @"YOUR API KEY";"#, #"NSString *IDFV = @"IDFV";"#)
  static let iosVersion = GuideCode(
    .skan4, #"[NSURLQueryItem queryItemWithName:@"v" value:[[UIDevice currentDevice] systemVersion]],"#)
  static let platform = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"p" value:@"iOS"],"#)
  static let endpoint = GuideCode(
    .skan4, ##"#define SINGULAR_API_URL @"https://sdk-api-v1.singular.net/api/v2/conversion_value""##)
  static let query = GuideCode(.skan4, "components.queryItems = queryItems;")
  static let dictionaryEntry = GuideCode(
    .skan4,
    "[queryItems addObject:[NSURLQueryItem queryItemWithName:key value:[SKANSnippet dictionaryToJsonString:obj]]];")
  static let task = GuideCode(
    .skan4, "[[[NSURLSession sharedSession] dataTaskWithURL:components.URL")

  // The answer
  static let transportError = GuideCode(
    .skan4, "if (error) {", "[lockObject unlock];", "if (handler) {", "handler(nil, nil, NO, error);")
  static let unparsable = GuideCode(
    .skan4, "if (!parsedResponse) {", "[lockObject unlock];",
    #"userInfo:@{NSLocalizedDescriptionKey:@"Failed parsing server response"}]);"#)
  static let parsing = GuideCode(
    .skan4, "NSDictionary *parsedData = [NSJSONSerialization JSONObjectWithData:jsonData",
    "options:kNilOptions error:&error];", "if (error || !parsedData) {", "return nil;")
  static let okStatus = GuideCode(.skan4, "200 - ok")
  static let acceptsJSON = GuideCode(.skan4, "Accept: application/json")
  static let documentedAnswer = GuideCode(
    .skan4, #""conversion_value":1,"#, #""skan_updated_coarse_value":0,"#, #""postback_sequence_index":0,"#,
    #""status":"ok""#)
  static let answerFields = GuideCode(
    .skan4, "NSNumber *conversionValue = [parsedResponse objectForKey:SKAN_UPDATED_CONVERSION_VALUE];",
    "NSNumber *coarseValue = [parsedResponse objectForKey:SKAN_UPDATED_COARSE_VALUE];",
    "BOOL lockWindow = [[parsedResponse objectForKey:SKAN_UPDATED_LOCK_WINDOW_VALUE] boolValue];")
  static let status = GuideCode(
    .skan4, "if (!conversionValue) {", "[lockObject unlock];",
    #"NSString *status = [parsedResponse objectForKey:@"status"];"#,
    #"if (!status || ![status isEqualToString:@"ok"]) {"#)
  static let reason = GuideCode(
    .skan4, #"NSString *reason = [parsedResponse objectForKey:@"reason"];"#, "if (!reason) {",
    #"reason = @"Got error from server";"#)
  static let validation = GuideCode(
    .skan4, "if(![SKANSnippet validateValues:conversionValue coarse:coarseValue]) {", "if (handler) {",
    "handler(nil,nil, NO, [NSError errorWithDomain:bundleIdentifier", "code:0",
    #"userInfo:@{NSLocalizedDescriptionKey:@"Illegal values recieved"}]);"#, "}", "return;", "}")
  static let range = GuideCode(
    .skan4, "if ([conversionValue intValue] < 0 || 63 < [conversionValue intValue]) {", "return NO;")

  // The update
  static let setValues = GuideCode(
    .skan4,
    "[SKANSnippet setConversionValues:conversionValue coarseValue:coarseValue lockWindow:lockWindow handler:handler];",
    "[lockObject unlock];")
  static let frameworkCall = GuideCode(
    .skan4,
    "[SKAdNetwork updatePostbackConversionValue:[conversionValue integerValue] coarseValue:[SKANSnippet "
      + "resolveCoarseValueFrom:coarse] lockWindow:lockWindow completionHandler:^(NSError * _Nullable error) {",
    "skanResultHandler(error);")
  static let availability = GuideCode(.skan4, "if (@available(iOS 15.4, *)) {")
  static let keptAnyway = GuideCode(
    .skan4, "if (error) {", "handler(nil, nil, NO, error);", "} else {",
    "handler(conversionValue, coarse, lockWindow, nil);", "}", "}",
    "[SKANSnippet valuesHasBeenUpdated:conversionValue coarseValue:coarse lockWindow:lockWindow];")
  static let keptFine = GuideCode(
    .skan4, "currentPersistedFineValue = [userDefaults objectForKey:CONVERSION_VALUE_KEY];",
    "[userDefaults setValue:fineValue forKey:CONVERSION_VALUE_KEY];")
  static let previousFine = GuideCode(
    .skan4, "[userDefaults setValue:currentPersistedFineValue forKey:P0_PREV_FINE_VALUE];")
  static let keptCoarse = GuideCode(.skan4, "[userDefaults setValue:coarseValue forKey:P0_COARSE];")
  static let laterCoarse = GuideCode(.skan4, "[userDefaults setValue:coarseValue forKey:P1_COARSE];")
  static let keptLock = GuideCode(
    .skan4, "if (lockWindow) {",
    "[userDefaults setObject:@([SKANSnippet getCurrentUnixTimestamp]) forKey:P0_WINDOW_LOCK_TS];")
  static let lastCall = GuideCode(.skan4, "[SKANSnippet setLastSkanCallTimestamp];")
  static let firstCall = GuideCode(
    .skan4, "if (![SKANSnippet getFirstSkanCallTimestamp]) {", "[SKANSnippet setFirstSkanCallTimestamp];")
  static let now = GuideCode(.skan4, "return [[NSDate date] timeIntervalSince1970];")

  // Details and revenue
  static let details = GuideCode(
    .skan4,
    "[res setValue:[[userDefaults valueForKey:CONVERSION_VALUE_KEY] stringValue] forKey:CONVERSION_VALUE_KEY];")
  static let revenue = GuideCode(.skan4, "if (amount == 0 || !currency ) {", "return;", "}")
  static let revenueSum = GuideCode(
    .skan4, "currentRevenue = @([currentRevenue floatValue] + [newRevenue floatValue]);",
    "[revenues setObject:currentRevenue forKey:currency];")
  static let revenueRetry = GuideCode(
    .skan4,
    "// 2. In case of retrying an event, avoid calling this method so the same revenue will not be counted twice.")
  static let revenueOutside = GuideCode(.skan4, "case -1:", "key = nil;", "return;")

  // The samples of an app's life
  static let sessionSample = GuideCode(
    .skan4, "[SKANSnippet updateConversionValuesAsync:handler];",
    "NSDictionary *skanValues = [SKANSnippet getSkanDetails];", "[self sendSessionToServer:skanValues]")
  static let eventSample = GuideCode(
    .skan4, #"[SKANSnippet updateConversionValuesAsync:@"event_name" withCompletionHandler:handler];"#,
    "NSDictionary *skanValues = [SKANSnippet getSkanDetails];",
    #"[self sendEventToServer:skanValues eventName:@"event_name"]"#)
  static let revenueSample = GuideCode(
    .skan4, #"[SKANSnippet updateRevenue:15.53 andCurrency:@"KRW"];"#,
    #"[SKANSnippet updateConversionValuesAsync:@"revenue_event_name" withCompletionHandler:handler];"#)
  static let launchSample = GuideCode(
    .skan4, "[SKANSnippet registerAppForAdNetworkAttribution];",
    "NSDictionary *skanValues = [SKANSnippet getSkanDetails];",
    "[self sendSessionToServer:skanValues] //to Singular launch EP")

  // SKAN 3
  static let skan3NotHigher = GuideCode(
    .skan3, "if ([conversionValue intValue] <= [currentValue intValue]) {", "[lockObject unlock];", "return;")
  static let skan3Revenue = GuideCode(.skan3, "currentRevenue = @([currentRevenue floatValue] + amount);")
  static let skan3Start = GuideCode(
    .skan3, ##"#define FIRST_SKAN_CALL_TIMESTAMP @"skan_first_call_to_skadnetwork_timestamp""##)
}
