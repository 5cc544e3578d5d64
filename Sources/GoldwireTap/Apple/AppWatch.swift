#if canImport(Darwin)
  internal import Foundation
  internal import Synchronization

  /// Records when the app goes to the background and comes to the foreground, for as long as it lives.
  ///
  /// Made once, where the tap is made. It listens to UIKit's notifications by their names, so that extensions, and apps of
  /// platforms without UIKit, can be built with it; where nobody posts them it records nothing.
  public final class AppWatch: Sendable {
    private let observers = Mutex<[any NSObjectProtocol]>([])

    /// Begins to watch for a tap.
    public init(_ tap: Tap) {
      observe("UIApplicationDidEnterBackgroundNotification") { tap.app(.background) }
      observe("UIApplicationWillEnterForegroundNotification") { tap.app(.foreground) }
    }

    deinit {
      observers.withLock { observers in
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
      }
    }

    /// Calls `body` on the thread that posts the notification: a process that is about to be suspended has no time for more.
    private func observe(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
      observers.withLock { observers in
        observers.append(
          NotificationCenter.default.addObserver(
            forName: Notification.Name("\(name)"), object: nil, queue: nil
          ) { _ in body() })
      }
    }
  }
#endif
