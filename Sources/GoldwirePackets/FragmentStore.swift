internal import GoldwireBytes

/// IP fragments that wait for the rest of their datagram (RFC 791 section 3.2, RFC 8200 section 4.5).
///
/// Where IPv4 fragments overlap the first copy of each byte counts; an IPv6 datagram of which any do is refused, as
/// every host does (RFC 5722 section 4). A fragment that comes twice counts once.
struct FragmentStore: Sendable {
  enum Outcome {
    case kept
    case refused
    case whole([UInt8], number: UInt8)
  }

  fileprivate struct Waiting: Sendable {
    var source: IPAddress
    var destination: IPAddress
    var identification: UInt32
    var since: Int
    var number: UInt8
    /// The datagram's length, once its last fragment came.
    var total: Int?
    var count = 0
    var bytes: [UInt8] = []
    /// What has come, as ascending ranges that do not touch.
    var come: [Range<Int>] = []
    /// Each fragment that has come.
    var fragments: [Piece] = []
  }

  /// A fragment's place, and a sum of its bytes by which another in its place is told from its copy.
  fileprivate struct Piece: Equatable, Sendable {
    let place: Range<Int>
    let sum: UInt64

    init(_ data: Span<UInt8>, at offset: Int) {
      place = offset..<(offset &+ data.count)
      var sum: UInt64 = 0xCBF2_9CE4_8422_2325
      for index in data.indices { sum = (sum ^ UInt64(data[index])) &* 0x100_0000_01B3 }
      self.sum = sum
    }
  }

  private struct Past: Sendable {
    let source: IPAddress
    let destination: IPAddress
    let identification: UInt32
    let number: UInt8
    let isRefused: Bool
    let fragments: [Piece]
    let since: Int
  }

  /// How long a datagram is remembered that was whole, in microseconds; one that was refused as long as fragments wait.
  private static let duplicateWait = 1_000_000

  private let limits: PacketLimits
  private var waiting: [Waiting] = []
  /// The datagrams that were whole, or refused, a little ago: what still comes of them is no part of another.
  private var past: [Past] = []
  /// How many datagrams were given up.
  private(set) var lost = 0

  /// How many datagrams wait.
  var count: Int { waiting.count }

  init(limits: PacketLimits) { self.limits = limits }

  /// Adds one fragment.
  mutating func add(
    _ header: IPHeader, _ fragment: IPFragment, _ data: Span<UInt8>, isCut: Bool, at time: Int
  ) -> Outcome {
    expire(at: time)
    let end = fragment.offset &+ data.count
    guard !data.isEmpty, end <= 65_535 else { return .refused }
    if let past = past(header, fragment) {
      if past.isRefused { return .refused }
      if past.fragments.contains(Piece(data, at: fragment.offset)) { return .kept }
    }
    let index = find(header, fragment, at: time)
    if waiting[index].fragments.contains(Piece(data, at: fragment.offset)) { return .kept }
    if !header.source.isIPv4, waiting[index].overlaps(fragment.offset..<end) {
      lost &+= 1
      waiting.remove(at: index)
      remember(header, fragment, isRefused: true, [], at: time)
      return .refused
    }
    guard waiting[index].count < limits.fragments else {
      lost &+= 1
      waiting.remove(at: index)
      return .refused
    }
    // A last fragment that the capture cut says nothing of the datagram's end.
    let total = fragment.isLast && !isCut ? end : nil
    guard waiting[index].place(data, at: fragment.offset, total: total, number: header.number) else {
      return .refused
    }
    guard let total = waiting[index].total, waiting[index].come == [0..<total] else { return .kept }
    let whole = waiting.remove(at: index)
    remember(header, fragment, isRefused: false, whole.fragments, at: time)
    return .whole(whole.bytes, number: whole.number)
  }

  private mutating func expire(at time: Int) {
    let before = waiting.count
    waiting.removeAll { time &- $0.since > limits.fragmentWait }
    lost &+= before &- waiting.count
    if past.isEmpty { return }
    past.removeAll {
      time &- $0.since > ($0.isRefused ? limits.fragmentWait : FragmentStore.duplicateWait)
    }
  }

  private func past(_ header: IPHeader, _ fragment: IPFragment) -> Past? {
    past.first {
      $0.identification == fragment.identification && $0.number == header.number
        && $0.source == header.source && $0.destination == header.destination
    }
  }

  private mutating func remember(
    _ header: IPHeader, _ fragment: IPFragment, isRefused: Bool, _ fragments: [Piece], at time: Int
  ) {
    if past.count >= max(1, limits.datagrams) { past.removeFirst() }
    past.append(
      Past(
        source: header.source, destination: header.destination, identification: fragment.identification,
        number: header.number, isRefused: isRefused, fragments: fragments, since: time))
  }

  private mutating func find(_ header: IPHeader, _ fragment: IPFragment, at time: Int) -> Int {
    let found = waiting.firstIndex {
      $0.identification == fragment.identification && $0.source == header.source
        && $0.destination == header.destination
    }
    if let found { return found }
    if waiting.count >= max(1, limits.datagrams) {
      lost &+= 1
      waiting.removeFirst()
    }
    waiting.append(
      Waiting(
        source: header.source, destination: header.destination, identification: fragment.identification,
        since: time, number: header.number))
    return waiting.count &- 1
  }
}

extension FragmentStore.Waiting {
  /// Copies what is new; false if the fragment contradicts what is known of the datagram's end.
  fileprivate mutating func place(
    _ data: Span<UInt8>, at offset: Int, total newTotal: Int?, number: UInt8
  ) -> Bool {
    let end = offset &+ data.count
    if let newTotal {
      guard total == nil || total == newTotal, bytes.count <= newTotal else { return false }
      total = newTotal
    }
    if let total, end > total { return false }
    count &+= 1
    fragments.append(FragmentStore.Piece(data, at: offset))
    // The first fragment says which header follows.
    if offset == 0, come.first?.lowerBound != 0 { self.number = number }
    if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end &- bytes.count)) }
    var position = offset
    for range in come where range.upperBound > offset && range.lowerBound < end {
      copy(data, from: offset, position..<max(position, range.lowerBound))
      position = max(position, range.upperBound)
    }
    copy(data, from: offset, position..<max(position, end))
    merge(offset..<end)
    return true
  }

  /// Whether a place holds something that has come.
  fileprivate func overlaps(_ range: Range<Int>) -> Bool { come.contains { $0.overlaps(range) } }

  private mutating func copy(_ data: Span<UInt8>, from offset: Int, _ range: Range<Int>) {
    for index in range { bytes[index] = data[index &- offset] }
  }

  private mutating func merge(_ range: Range<Int>) {
    var merged = range
    come.removeAll { other in
      guard other.lowerBound <= merged.upperBound, other.upperBound >= merged.lowerBound else { return false }
      merged = min(other.lowerBound, merged.lowerBound)..<max(other.upperBound, merged.upperBound)
      return true
    }
    let place = come.firstIndex { $0.lowerBound > merged.lowerBound } ?? come.count
    come.insert(merged, at: place)
  }
}
