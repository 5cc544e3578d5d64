/// The help of the command itself.
enum Help {
  static let overview = """
    goldwire records what a network client and its peer did, keeps it as a redacted trace,
    and replays the trace, in virtual time, against golden files.

    usage: goldwire VERB [ARGUMENTS]

      record   make a trace of a capture file or of a live interface
      import   make a trace of a HAR that a browser or a proxy wrote
      cut      take channels and a span of time out of a trace
      show     draw a trace as a time line
      diff     tell two traces, or two files of actions, apart
      test     hold a folder's traces against their golden files
      audit    find what a trace or a golden should not hold
      replay   feed a trace to a machine and print its actions
      conform  hold a recorded client against the machine
      sweep    ask a folder's traces at every point of a grid
      perturb  change a clean trace at random and hold rules
      serve    serve clients on 127.0.0.1 as a script or a trace says

      goldwire VERB --help    what a verb does, with an example
      goldwire --version      the version
      goldwire --man          the manual page, for man or mandoc
      goldwire --completions bash|zsh|fish
                              completion of verbs and flags, for a shell to source

    Every verb has --json. Files are named by -r and -w; '-' is standard input or output.
    Lengths of time carry a suffix: 250ms, 30s, 2m.

    exit status: 0 as expected, 1 differs, 2 wrong usage or bad input, 3 inconclusive

    example:
      goldwire record -i lo -w chat.jsonl 'tcp port 8080'
      goldwire show chat.jsonl

    """
}
