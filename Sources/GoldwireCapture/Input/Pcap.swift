internal import CPcap

/// A handle of libpcap; this file is the only one that imports it.
@safe
struct PcapHandle: ~Copyable {
  /// What asking for a packet came to.
  enum Step: Equatable {
    /// It was handed on.
    case packet
    /// There is none for now, or no more.
    case none
    /// It failed, in libpcap's words.
    case failed(String)
  }

  /// The link type's number that stands for raw IP on this platform.
  static let rawLink: Int32 = DLT_RAW

  private let handle: OpaquePointer

  /// Opens a live interface that is read without waiting.
  static func live(
    _ interface: String, filter: String?, snapshot: Int, buffer: Int
  ) throws(CaptureFailure) -> PcapHandle {
    var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard let handle = unsafe pcap_create(interface, &text) else {
      throw CaptureFailure(interface, "cannot open the interface")
    }
    let opened = unsafe PcapHandle(owning: handle)
    unsafe pcap_set_snaplen(handle, Int32(clamping: snapshot))
    unsafe pcap_set_promisc(handle, 1)
    unsafe pcap_set_immediate_mode(handle, 1)
    unsafe pcap_set_timeout(handle, 100)
    unsafe pcap_set_buffer_size(handle, Int32(clamping: buffer))
    try opened.activate(interface)
    if let filter { try opened.set(filter, interface) }
    guard unsafe pcap_setnonblock(handle, 1, &text) == 0 else {
      throw CaptureFailure(interface, "cannot read without waiting")
    }
    return opened
  }

  /// Opens a capture file, as libpcap reads it.
  static func file(_ file: String) throws(CaptureFailure) -> PcapHandle {
    var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard let handle = unsafe pcap_open_offline(file, &text) else {
      throw CaptureFailure(file, "libpcap cannot read it")
    }
    return unsafe PcapHandle(owning: handle)
  }

  private init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe pcap_close(handle) }

  /// The link type as libpcap numbers it.
  var dataLink: Int32 { unsafe pcap_datalink(handle) }

  /// libpcap's name for the link type.
  var linkName: String {
    unsafe pcap_datalink_val_to_name(dataLink).map { unsafe String(cString: $0) } ?? "\(dataLink)"
  }

  /// What can be waited on.
  var descriptor: Int32 { unsafe pcap_get_selectable_fd(handle) }

  /// Hands on the next packet: its bytes, its whole length, its instant in µs since 1970.
  mutating func next(_ body: (Span<UInt8>, Int, Int) -> Void) -> Step {
    var header: UnsafeMutablePointer<pcap_pkthdr>?
    var data: UnsafePointer<UInt8>?
    switch unsafe pcap_next_ex(handle, &header, &data) {
    case 1:
      guard let header = unsafe header?.pointee, let data = unsafe data else { return .none }
      let time = Int(header.ts.tv_sec) &* 1_000_000 &+ Int(header.ts.tv_usec)
      let bytes = unsafe UnsafeBufferPointer(start: data, count: Int(header.caplen))
      unsafe body(bytes.span, Int(header.len), time)
      return .packet
    case 0, PCAP_ERROR_BREAK: return .none
    default: return .failed(unsafe String(cString: pcap_geterr(handle)))
    }
  }

  /// The packets that the kernel and the interface dropped so far; nil where that cannot be told.
  func drops() -> (kernel: UInt32, interface: UInt32)? {
    var stats = pcap_stat()
    guard unsafe pcap_stats(handle, &stats) == 0 else { return nil }
    return (stats.ps_drop, stats.ps_ifdrop)
  }

  /// The clock that live packets are stamped with, in µs since 1970.
  static func clock() -> Int {
    var time = timeval()
    _ = unsafe gettimeofday(&time, nil)
    return Int(time.tv_sec) &* 1_000_000 &+ Int(time.tv_usec)
  }

  private func set(_ filter: String, _ interface: String) throws(CaptureFailure) {
    var code = unsafe bpf_program()
    guard unsafe pcap_compile(handle, &code, filter, 1, UInt32.max) == 0 else {
      throw CaptureFailure(
        "filter", unsafe String(cString: pcap_geterr(handle)), remedy: "see `man pcap-filter`")
    }
    defer { unsafe pcap_freecode(&code) }
    guard unsafe pcap_setfilter(handle, &code) == 0 else {
      throw CaptureFailure(interface, "the filter cannot be set")
    }
  }

  private func activate(_ interface: String) throws(CaptureFailure) {
    let code = unsafe pcap_activate(handle)
    if code >= 0 { return }
    switch code {
    case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED:
      #if canImport(Darwin)
        let remedy = "run it with sudo, or install ChmodBPF"
      #else
        let remedy = "run it with sudo, or once: sudo setcap cap_net_raw+ep $(command -v goldwire)"
      #endif
      throw CaptureFailure(interface, "no permission to capture", remedy: remedy)
    case PCAP_ERROR_NO_SUCH_DEVICE:
      throw CaptureFailure(
        interface, "no such interface", remedy: "the interfaces are \(PcapHandle.interfaces())")
    case PCAP_ERROR_IFACE_NOT_UP:
      throw CaptureFailure(interface, "the interface is down", remedy: "bring it up first")
    default:
      let reason = unsafe String(cString: pcap_statustostr(code))
      throw CaptureFailure(interface, "cannot capture: \(reason)")
    }
  }

  /// The names of the interfaces that can be captured on, for messages.
  private static func interfaces() -> String {
    var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    var first: UnsafeMutablePointer<pcap_if_t>?
    guard unsafe pcap_findalldevs(&first, &text) == 0 else { return "unknown" }
    defer { unsafe pcap_freealldevs(first) }
    var names: [String] = []
    var next = unsafe first
    while let device = unsafe next, names.count < 16 {
      unsafe names.append(String(cString: device.pointee.name))
      unsafe next = device.pointee.next
    }
    return names.joined(separator: ", ")
  }
}

/// A filter expression compiled for one link type.
@safe
final class PcapProgram {
  private var code = unsafe bpf_program()

  /// Compiles an expression.
  init(_ text: String, dataLink: Int32) throws(CaptureFailure) {
    guard let dead = unsafe pcap_open_dead(dataLink, 262_144) else {
      throw CaptureFailure("filter", "libpcap has no memory")
    }
    defer { unsafe pcap_close(dead) }
    guard unsafe pcap_compile(dead, &code, text, 1, UInt32.max) == 0 else {
      throw CaptureFailure(
        "filter", unsafe String(cString: pcap_geterr(dead)), remedy: "see `man pcap-filter`")
    }
  }

  deinit { unsafe pcap_freecode(&code) }

  /// Whether the expression takes a packet.
  func accepts(_ frame: Span<UInt8>, _ originalCount: Int) -> Bool {
    var header = pcap_pkthdr()
    header.caplen = UInt32(clamping: frame.count)
    header.len = UInt32(clamping: originalCount)
    return unsafe frame.withUnsafeBufferPointer { bytes in
      unsafe pcap_offline_filter(&code, &header, bytes.baseAddress) != 0
    }
  }
}
