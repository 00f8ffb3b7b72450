HelperMain.run()
