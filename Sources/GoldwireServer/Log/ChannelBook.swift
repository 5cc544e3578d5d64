internal import GoldwireProtocols
internal import GoldwireTrace

/// Which channel and generation a connection is: by path, and by whether the generation before it is over.
struct ChannelBook {
  private struct Key: Hashable {
    let family: Channel.Family
    let path: String
  }

  private struct Entry {
    let number: Int
    var generation = 0
    var isLive = false
  }

  private var entries: [Key: [Entry]] = [:]
  private var counts: [Channel.Family: Int] = [:]
  private var ids: [Channel: EventIDTable] = [:]

  /// The next generation of the path's first channel that is free, or a new channel.
  mutating func next(_ family: Channel.Family, _ path: String) -> ServerLog.Place {
    var key = Key(family: family, path: path)
    if entries[key] == nil, entries.count >= ServerLimits.paths { key = Key(family: family, path: "") }
    var found = entries[key, default: []]
    let index: Int
    if let free = found.firstIndex(where: { !$0.isLive }) {
      index = free
    } else {
      counts[family, default: 0] += 1
      index = found.count
      found.append(Entry(number: counts[family, default: 0]))
    }
    found[index].generation += 1
    found[index].isLive = true
    entries[key] = found
    return ServerLog.Place(
      channel: Channel(family, found[index].number), generation: found[index].generation)
  }

  mutating func release(_ place: ServerLog.Place) {
    for (key, found) in entries where key.family == place.channel.family {
      guard
        let index = found.firstIndex(where: {
          $0.number == place.channel.number && $0.generation == place.generation
        })
      else { continue }
      entries[key]?[index].isLive = false
      return
    }
  }

  mutating func number(of id: [UInt8], in channel: Channel) -> Int {
    ids[channel, default: EventIDTable()].number(of: id)
  }

  mutating func identify(_ id: [UInt8], content: UInt64, in channel: Channel) -> (id: Int, revision: Int) {
    let number = number(of: id, in: channel)
    return (number, ids[channel]?.revision(of: number, digest: content) ?? 1)
  }
}
