#if canImport(Network)
  internal import Dispatch
  internal import GoldwireTrace
  internal import Network
  internal import Synchronization

  /// Records the kind of network that the device has, at first and whenever it changes, for as long as it lives.
  ///
  /// Made once, where the tap is made.
  public final class NetworkWatch: Sendable {
    private let monitor: Mutex<NWPathMonitor?>

    /// Begins to watch for a tap.
    public init(_ tap: Tap) {
      monitor = Mutex(nil)
      let last = LastNetwork()
      monitor.withLock { monitor in
        let fresh = NWPathMonitor()
        fresh.pathUpdateHandler = { path in
          let network = Self.network(path)
          if last.changes(to: network) { tap.app(.network(network)) }
        }
        fresh.start(queue: DispatchQueue(label: "goldwire.network", qos: .utility))
        monitor = fresh
      }
    }

    deinit { monitor.withLock { $0?.cancel() } }

    private static func network(_ path: NWPath) -> GoldwireTrace.Network {
      guard path.status == .satisfied else { return .none }
      if path.usesInterfaceType(.wifi) { return .wifi }
      if path.usesInterfaceType(.cellular) { return .cell }
      if path.usesInterfaceType(.wiredEthernet) { return .wired }
      return .other
    }
  }

  /// The network that was recorded last: a path changes in more than its kind.
  private final class LastNetwork: Sendable {
    private let last = Mutex<GoldwireTrace.Network?>(nil)

    func changes(to network: GoldwireTrace.Network) -> Bool {
      last.withLock { last in
        defer { last = network }
        return last != network
      }
    }
  }
#endif
