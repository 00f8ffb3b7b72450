/// Commands that other programs have, and what comes nearest to them here.
enum OtherNames {
  static let hints: [String: String] = [
    "log": "'skan history' lists what happened so far, 'skan timeline' draws it",
    "draw": "'skan timeline' draws a life",
    "status": "'skan details --table' lays what the app keeps beside what Apple holds",
    "show": "'skan details' shows what the app keeps",
    "state": "'skan details' shows what the app keeps",
    "completions": "'skan completion bash|zsh|fish' prints a shell's completions",
    "new": "'skan init' writes a project to start with, 'skan install' makes a device file",
    "create": "'skan init' writes a project to start with, 'skan install' makes a device file",
    "uninstall": "'skan reset' installs the app anew",
    "delete": "'skan reset' installs the app anew",
    "clear": "'skan reset' installs the app anew",
    "restart": "'skan relaunch' starts the app anew",
    "launch": "'skan relaunch' starts the app anew, 'skan session' reports a session",
    "purchase": "'skan revenue AMOUNT CURRENCY' adds revenue, 'skan event purchase' reports an event",
    "upgrade": "'skan update' changes iOS, the app's version and its snippet",
    "run": "'skan replay FILE' runs an event list",
    "test": "'skan replay --test FILE' runs event lists and checks what they expect",
    "simulate": "'skan replay FILE' runs an event list",
    "validate":
      "'skan check FILE' checks captured traffic, 'skan model check FILE' a model, 'skan verify FILE' postbacks",
    "configure": "'skan config' prints what counts, 'skan init' writes a skan.json",
    "settings": "'skan config' prints what counts for each option",
    "diagnose": "'skan doctor' checks this machine and an app's Info.plist",
    "plist": "'skan doctor --plist Info.plist' checks an app's Info.plist",
    "env": "'skan config' prints what counts for each option",
    "server": "'skan serve' serves the reference endpoint",
    "start": "'skan register' makes a phone and registers the app, 'skan serve' serves the reference endpoint",
    "version": "'skan --version' prints it",
  ]
}
