import Foundation

// Prints what recording an event costs, as one line of JSON: nanoseconds, and ratios to the clock call.
guard CommandLine.arguments.count <= 2, let rounds = Int(CommandLine.arguments.dropFirst().first ?? "15"),
  rounds > 0
else {
  FileHandle.standardError.write(Data("usage: tap-cost [ROUNDS]\n".utf8))
  exit(2)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func text(_ value: Double) -> String { String((value * 1_000).rounded() / 1_000) }

do {
  var cost = try TapCost()
  cost.measure(rounds: rounds)
  let kinds = [("one", cost.one), ("two", cost.two), ("shared", cost.shared), ("writing", cost.writing)]
  var fields = [#""clock ns":"# + text(median(cost.clock))]
  for (name, times) in kinds { fields.append(#""\#(name) ns":"# + text(median(times))) }
  for (name, times) in kinds.dropLast() {
    fields.append(#""\#(name) : clock":"# + text(median(zip(times, cost.clock).map { $0 / $1 })))
  }
  fields.append(#""allocations":"# + (cost.allocations.map(String.init) ?? "null"))
  print("{" + fields.joined(separator: ",") + "}")
} catch {
  FileHandle.standardError.write(Data("tap-cost: \(error)\n".utf8))
  exit(2)
}
