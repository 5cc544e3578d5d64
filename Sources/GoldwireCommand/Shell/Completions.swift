/// Scripts by which shells complete verbs and flags.
enum Completions: String, CaseIterable {
  case bash, zsh, fish

  /// The script; names of files are left to the shell.
  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  private static let words = ["--help", "--version", "--completions", "--man"]

  private static func flags(_ entries: [FlagHelp.Entry]) -> String {
    entries.flatMap { entry in [entry.flag.short.map { "-\($0)" }, "--\(entry.flag.name)"].compactMap(\.self)
    }
    .joined(separator: " ")
  }

  private static var bashScript: String {
    var text = """
      # Completion of goldwire for bash:  source <(goldwire --completions bash)
      _goldwire() {
        local word="${COMP_WORDS[COMP_CWORD]}"
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(Verbs.all.map { $0.name }.joined(separator: " ")) help \
      \(words.joined(separator: " "))" -- "$word"))
          return
        fi
        case "${COMP_WORDS[1]}$word" in *-*|help*) ;; *) return ;; esac
        case "${COMP_WORDS[1]}" in

      """
    for verb in Verbs.all {
      text +=
        "    \(verb.name)) COMPREPLY=($(compgen -W \"\(flags(FlagHelp.entries(of: verb)))\" -- \"$word\")) ;;\n"
    }
    return text + """
          help) COMPREPLY=($(compgen -W "\(Verbs.all.map { $0.name }.joined(separator: " "))" -- "$word")) ;;
          --completions) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")) ;;
        esac
      }
      complete -o default -F _goldwire goldwire

      """
  }

  private static var zshScript: String {
    func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }
    var text = """
      #compdef goldwire
      # Completion of goldwire for zsh:  goldwire --completions zsh > a folder of $fpath, as _goldwire
      _goldwire() {
        local -a verbs
        verbs=(

      """
    for verb in Verbs.all { text += "    '\(verb.name):\(quoted(verb.summary))'\n" }
    text += "    'help:print what a verb does'\n"
    text += """
        )
        if (( CURRENT == 2 )); then
          _describe -t verbs verb verbs
          compadd -- \(words.joined(separator: " "))
          return
        fi
        local verb=$words[2]
        shift words
        (( CURRENT-- ))
        case $verb in

      """
    for verb in Verbs.all {
      text += "    \(verb.name))\n      _arguments -s \\\n"
      for entry in FlagHelp.entries(of: verb) { text += "        \(zshArgument(entry)) \\\n" }
      text += "        '*:file:_files' ;;\n"
    }
    return text + """
          help) _describe -t verbs verb verbs ;;
          --completions) compadd bash zsh fish ;;
        esac
      }
      _goldwire "$@"

      """
  }

  private static func zshArgument(_ entry: FlagHelp.Entry) -> String {
    let name = entry.flag.name
    let repeats = entry.flag.repeats ? "*" : ""
    func plain(_ text: String) -> String {
      text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
        .replacing(":", with: "\\:")
    }
    let text = plain(entry.text)
    var tail = text.isEmpty ? "" : "[\(text)]"
    if let value = entry.value, entry.flag.argument == .value {
      tail += ":\(plain(value)):" + (entry.takesFile ? "_files" : "")
    }
    if entry.flag.argument == .optional { tail += "::\(plain(entry.value ?? "value")):" }
    let long = entry.flag.argument == .optional ? "--\(name)=-" : "--\(name)"
    guard let short = entry.flag.short else { return "'\(repeats)\(long)\(tail)'" }
    return entry.flag.repeats
      ? "'*-\(short)\(tail)' '*\(long)\(tail)'" : "'(-\(short) --\(name))'{-\(short),\(long)}'\(tail)'"
  }

  private static var fishScript: String {
    func quoted(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
    var text = "# Completion of goldwire for fish:  goldwire --completions fish | source\n"
    for verb in Verbs.all {
      text +=
        "complete -c goldwire -n __fish_use_subcommand -f -a \(verb.name) -d '\(quoted(verb.summary))'\n"
    }
    text += "complete -c goldwire -n __fish_use_subcommand -f -a help -d 'print what a verb does'\n"
    for word in words {
      let shells = word == "--completions" ? " -x -a 'bash zsh fish'" : ""
      text += "complete -c goldwire -n __fish_use_subcommand -l \(word.dropFirst(2))\(shells)\n"
    }
    let names = Verbs.all.map { $0.name }.joined(separator: " ")
    text += "complete -c goldwire -n '__fish_seen_subcommand_from help' -f -a '\(names)'\n"
    for verb in Verbs.all {
      for entry in FlagHelp.entries(of: verb) {
        text += "complete -c goldwire -n '__fish_seen_subcommand_from \(verb.name)' -l \(entry.flag.name)"
        if let short = entry.flag.short { text += " -s \(short)" }
        if entry.flag.argument == .value { text += entry.takesFile ? " -r -F" : " -x" }
        text += entry.text.isEmpty ? "\n" : " -d '\(quoted(entry.text))'\n"
      }
    }
    return text
  }
}
