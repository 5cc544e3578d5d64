/// The `goldwire` command.
public enum GoldwireCommand {
  /// Runs the command with the process's arguments and ends the process with its exit status.
  public static func main() {}
}
