// Drivers take clocks and random units from outside: whoever imports the drivers has those as well.
@_exported public import GoldwireRuntime
