import GoldwireCommand

GoldwireCommand.main()
