import GoldwireTestSupport

/// Makes a capture of many connections that talk at the same time, and the truth about it.
///
///     var bytes: [UInt8] = []
///     let truth = CaptureGenerator.generate(GeneratorOptions()) { bytes += $0 }
public struct CaptureGenerator {
  private let options: GeneratorOptions
  private var talks: [any Talk] = []
  private var taken: [Int] = []
  private var order = EarliestFirst()
  private var truth = CaptureTruth()
  private var random: SeededGenerator

  /// Makes the capture; `sink` gets the file a block at a time.
  public static func generate(
    _ options: GeneratorOptions, to sink: ([UInt8]) throws -> Void
  ) rethrows -> CaptureTruth {
    var generator = CaptureGenerator(options)
    var file = ContainerWriter(isPcapng: options.isPcapng)
    var shuffler = Shuffler(window: options.shuffle, seed: options.seed)
    while let packet = generator.next() {
      if let window = shuffler.take(packet) {
        for packet in window { try generator.write(packet, to: &file, sink) }
      }
    }
    for packet in shuffler.rest() { try generator.write(packet, to: &file, sink) }
    try sink(file.block)
    return generator.truth
  }

  private init(_ options: GeneratorOptions) {
    self.options = options
    random = SeededGenerator(seed: options.seed)
    let settings = TalkSettings(
      budget: max(2_000, options.targetBytes / max(1, options.connections)), payload: options.payload,
      seed: options.seed, filler: Filler(seed: options.seed))
    truth.connections = options.connections
    // So many connections begin a second that a capture of any size has hundreds at one time.
    let span = max(1_000_000, 40_000 * options.connections)
    var number = 0
    while number < options.connections {
      let start = random.below(span)
      switch random.below(10) {
      case 0..<4: add(ExchangeTalk(number, at: start, settings))
      case 4..<8: add(SocketTalk(number, at: start, settings))
      default:
        let count = min(2 + random.below(3), options.connections - number)
        add(StreamTalk(number..<(number + count), at: start, settings))
        number += count - 1
      }
      number += 1
    }
  }

  private mutating func add(_ talk: some Talk) {
    order.insert(talks.count, at: talk.wire.packets[0].time)
    talks.append(talk)
    taken.append(0)
  }

  /// The next packet in order of time.
  private mutating func next() -> Wire.Packet? {
    guard let index = order.removeFirst() else { return nil }
    let packet = talks[index].wire.packets[taken[index]]
    taken[index] += 1
    if taken[index] == talks[index].wire.packets.count {
      talks[index].wire.packets.removeAll(keepingCapacity: true)
      taken[index] = 0
      while talks[index].wire.packets.isEmpty, !talks[index].isOver { talks[index].step(&truth) }
    }
    if let following = talks[index].wire.packets.dropFirst(taken[index]).first {
      order.insert(index, at: following.time)
    }
    return packet
  }

  private mutating func write(
    _ packet: Wire.Packet, to file: inout ContainerWriter, _ sink: ([UInt8]) throws -> Void
  ) rethrows {
    guard random.below(1_000_000) >= options.drop else {
      truth.dropped += 1
      return
    }
    truth.packets += 1
    file.write(packet)
    if file.block.count >= 1 << 20 {
      try sink(file.block)
      file.empty()
    }
  }
}

/// Indices by instant, the earliest first; equal instants by index.
struct EarliestFirst {
  private var heap: [(time: Int, index: Int)] = []

  mutating func insert(_ index: Int, at time: Int) {
    heap.append((time, index))
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() -> Int? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first.index }
    heap[0] = last
    var parent = 0
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
      guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[parent] else { break }
      heap.swapAt(parent, least)
      parent = least
    }
    return first.index
  }
}

/// Lets packets of different connections change places within windows of time; each connection keeps its order.
struct Shuffler {
  private let window: Int
  private var random: SeededGenerator
  private var packets: [Wire.Packet] = []
  private var end = 0

  init(window: Int, seed: UInt64) {
    self.window = window
    random = SeededGenerator(seed: seed ^ 0x5BFF_1E00)
  }

  /// Takes a packet, and gives those of the window that is over with it.
  mutating func take(_ packet: Wire.Packet) -> [Wire.Packet]? {
    guard window > 0 else { return [packet] }
    guard packet.time >= end else {
      packets.append(packet)
      return nil
    }
    let over = rest()
    packets = [packet]
    end = (packet.time / window + 1) * window
    return over
  }

  /// Gives what is left.
  mutating func rest() -> [Wire.Packet] {
    var places: [Int: UInt64] = [:]
    for packet in packets where places[packet.connection] == nil { places[packet.connection] = random.next() }
    let shuffled = packets.enumerated().sorted {
      let (first, second) = (places[$0.element.connection] ?? 0, places[$1.element.connection] ?? 0)
      return (first, $0.offset) < (second, $1.offset)
    }
    packets = []
    return shuffled.map(\.element)
  }
}
