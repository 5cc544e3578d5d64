// A clock's instants are the tap's: whoever imports the one has the other as well.
@_exported public import GoldwireTap
