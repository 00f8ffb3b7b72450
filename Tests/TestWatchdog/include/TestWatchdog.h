/// How many seconds the process of the tests may take: TEST_SECONDS of the environment, or 1,800.
unsigned testSecondsAllowed(void);
