import GoldwireTrace

/// The part of JSON Schema 2020-12 that the two schemas use; a keyword that it does not know is an error.
struct SchemaValidator {
  let root: JSONValue

  /// What is wrong with a value, or nil.
  func fault(_ value: JSONValue) throws -> String? { try fault(value, root) }

  func fault(_ value: JSONValue, _ schema: JSONValue) throws -> String? {
    for member in try schema.members() {
      if let fault = try fault(value, member.key, member.value, schema) { return member.key + ": " + fault }
    }
    return nil
  }

  func definition(_ reference: String) throws -> JSONValue {
    var node = root
    for part in reference.split(separator: "/").dropFirst() {
      node = try node[String(part)].orThrow(reference)
    }
    return node
  }

  private func fault(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ schema: JSONValue
  ) throws -> String? {
    switch keyword {
    case "$schema", "$id", "title", "description", "$defs", "then", "else": return nil
    case "$ref": return try fault(value, definition(argument.string()))
    case "type": return isOfType(value, try argument.string()) ? nil : "wrong type"
    case "const": return same(value, argument) ? nil : "another value"
    case "enum": return try argument.elements().contains { same(value, $0) } ? nil : "no such word"
    case "minimum", "maximum":
      guard case .whole(let number) = value.content else { return nil }
      let bound = try argument.whole(in: -TraceLimits.number...TraceLimits.number)
      return (keyword == "minimum" ? number >= bound : number <= bound) ? nil : "out of range"
    case "minLength":
      guard case .string(let text) = value.content else { return nil }
      return text.unicodeScalars.count >= (try argument.whole()) ? nil : "too short"
    case "pattern":
      guard case .string(let text) = value.content else { return nil }
      return try text.firstMatch(of: Regex(argument.string())) != nil ? nil : "does not match"
    default: return try compoundFault(value, keyword, argument, schema)
    }
  }

  private func compoundFault(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ schema: JSONValue
  ) throws -> String? {
    switch keyword {
    case "properties":
      guard case .object(let members) = value.content else { return nil }
      for member in members {
        if let schema = argument[member.key], let fault = try fault(member.value, schema) {
          return member.key + ": " + fault
        }
      }
      return nil
    case "additionalProperties":
      guard case .object(let members) = value.content else { return nil }
      return members.first { schema["properties"]?[$0.key] == nil }?.key
    case "required":
      return try argument.elements().map { try $0.string() }.first { value[$0] == nil }
    case "dependentRequired":
      for member in try argument.members() where value[member.key] != nil {
        for other in try member.value.elements() where value[try other.string()] == nil { return member.key }
      }
      return nil
    case "items":
      guard case .array(let elements) = value.content else { return nil }
      return try elements.lazy.compactMap { try fault($0, argument) }.first
    case "uniqueItems":
      guard case .array(let elements) = value.content else { return nil }
      for (index, element) in elements.enumerated()
      where elements[..<index].contains(where: { same($0, element) }) {
        return "twice"
      }
      return nil
    case "oneOf":
      let faults = try argument.elements().map { try fault(value, $0) }
      return faults.count { $0 == nil } == 1 ? nil : "not exactly one"
    case "anyOf": return try argument.elements().contains { try fault(value, $0) == nil } ? nil : "none"
    case "allOf": return try argument.elements().compactMap { try fault(value, $0) }.first
    case "not": return try fault(value, argument) == nil ? "must not be" : nil
    case "if":
      let branch = try fault(value, argument) == nil ? schema["then"] : schema["else"]
      return try branch.map { try fault(value, $0) } ?? nil
    default: throw TraceError("the validator does not know \(keyword)")
    }
  }

  private func isOfType(_ value: JSONValue, _ type: String) -> Bool {
    switch value.content {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .whole: type == "integer" || type == "number"
    case .decimal: type == "number"
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }

  private func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left.content, right.content) {
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { same($0, $1) }
    case (.object, _), (_, .object): false
    default: left.content == right.content
    }
  }
}

extension Optional {
  func orThrow(_ what: String) throws -> Wrapped {
    guard let self else { throw TraceError("nothing at \(what)") }
    return self
  }
}
