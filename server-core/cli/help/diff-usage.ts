/** Help of `patchbay diff`. */
export const DIFF_USAGE = `  patchbay diff before.ndjson after.ndjson
  patchbay diff before.ndjson after.ndjson --ignore /result/content/*/text --method tools/call
  patchbay diff tools-1.json tools-2.json

Usage: patchbay diff BEFORE AFTER [options]

Compares two recordings call by call, or two files of JSON. Calls that ask the same belong together, whatever their
order; items of a list belong together by their name, URI or id. Times, identifiers, loopback ports, cursors and
tokens differ from run to run and do not count. A recording is a file, a folder of segments, or an id that
"patchbay recordings list" prints; what ends in .json is read as JSON.

  --ignore POINTER     leave out what this JSON pointer names (* any step, ** any number of steps), or a member of this
                       name anywhere; may be repeated. Calls have /params, /result and /error
  --method NAME        only calls of this method
  --exact              count what differs from run to run too
  --profile DIR        Patchbay's data folder
  --json               JSON on a terminal too

Exit code 1 if something differs.`
