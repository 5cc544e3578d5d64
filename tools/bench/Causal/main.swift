import Foundation

// Prints what a causal prediction costs against a replay of the same trace in memory, as one line of JSON.
let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first, arguments.count <= 2, let rounds = Int(arguments.dropFirst().first ?? "15"),
  rounds > 0
else {
  FileHandle.standardError.write(Data("usage: causal-cost TRACE [ROUNDS]\n".utf8))
  exit(2)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func text(_ value: Double) -> String { String((value * 1_000).rounded() / 1_000) }

do {
  var cost = try CausalCost(path: path)
  try cost.measure(rounds: rounds)
  let ratio = median(zip(cost.prediction, cost.replay).map { $0 / $1 })
  print(
    #"{"replay us":\#(text(median(cost.replay))),"prediction us":\#(text(median(cost.prediction))),"#
      + #""prediction : replay":\#(text(ratio)),"lines":\#(cost.lines)}"#)
} catch {
  FileHandle.standardError.write(Data("causal-cost: \(error)\n".utf8))
  exit(2)
}
