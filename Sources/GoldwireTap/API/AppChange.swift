public import GoldwireTrace

/// What happened to the app or its device.
public enum AppChange: Equatable, Sendable {
  /// The app went to the background.
  case background
  /// The app came to the foreground.
  case foreground
  /// The device has another network, or none.
  case network(Network)
}
