/// Lines of the client code that a guide publishes, as they stand there.
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
  // Before the request.
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
  static let eventName = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"n" value:eventName],"#)
  static let bundleIdentifier = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"i" value:bundleIdentifier],"#)
  static let idfv = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"idfv" value:IDFV],"#)
  static let idfa = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"idfa" value:IDFA]"#)
  static let key = GuideCode(.skan4, #"[NSURLQueryItem queryItemWithName:@"a" value:API_KEY],"#)
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

  // The answer.
  static let transportError = GuideCode(
    .skan4, "if (error) {", "[lockObject unlock];", "if (handler) {", "handler(nil, nil, NO, error);")
  static let unparsable = GuideCode(
    .skan4, "if (!parsedResponse) {", "[lockObject unlock];",
    #"userInfo:@{NSLocalizedDescriptionKey:@"Failed parsing server response"}]);"#)
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

  // The update.
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

  // Details and revenue.
  static let details = GuideCode(
    .skan4,
    "[res setValue:[[userDefaults valueForKey:CONVERSION_VALUE_KEY] stringValue] forKey:CONVERSION_VALUE_KEY];")
  static let revenue = GuideCode(.skan4, "if (amount == 0 || !currency ) {", "return;", "}")
  static let revenueSum = GuideCode(
    .skan4, "currentRevenue = @([currentRevenue floatValue] + [newRevenue floatValue]);",
    "[revenues setObject:currentRevenue forKey:currency];")
  static let revenueOutside = GuideCode(.skan4, "case -1:", "key = nil;", "return;")

  // The samples of an app's life.
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

  // SKAN 3.
  static let skan3NotHigher = GuideCode(
    .skan3, "if ([conversionValue intValue] <= [currentValue intValue]) {", "[lockObject unlock];", "return;")
  static let skan3Revenue = GuideCode(.skan3, "currentRevenue = @([currentRevenue floatValue] + amount);")
  static let skan3Start = GuideCode(
    .skan3, ##"#define FIRST_SKAN_CALL_TIMESTAMP @"skan_first_call_to_skadnetwork_timestamp""##)
}
