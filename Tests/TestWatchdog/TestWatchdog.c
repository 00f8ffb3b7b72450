// A test that waits or loops forever would hang the suite: Swift Testing's time limit reports such a test, but cannot end
// one that does not suspend. What is linked with this file ends after a time, whatever its tests do.

#include "TestWatchdog.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

unsigned testSecondsAllowed(void) {
  const char *text = getenv("TEST_SECONDS");
  int seconds = text ? atoi(text) : 0;
  return seconds > 0 ? (unsigned)seconds : 1800;
}

static void *watch(void *unused) {
  unsigned left = testSecondsAllowed();
  while (left > 0) left = sleep(left);
  fprintf(stderr, "The tests were not done after %u seconds, and are ended. A test that hangs has started in the lines "
                  "above, and neither passed nor failed. TEST_SECONDS allows more.\n", testSecondsAllowed());
  abort();
  return unused;
}

__attribute__((constructor)) static void start(void) {
  // Signals are for the threads of the tests.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
