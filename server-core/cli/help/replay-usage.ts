/** Help of `patchbay replay`. */
export const REPLAY_USAGE = `  patchbay replay before.ndjson -- node build/index.js
  patchbay replay before.ndjson --url http://127.0.0.1:3000/mcp --times 2
  patchbay replay before.ndjson --clients 8 --times 20 --revision 2026-07-28 -- node build/index.js

Usage: patchbay replay RECORDING [options] SERVER

Sends the requests of a recording to a server again, as concurrently as they were sent, and compares the answers with
the recorded ones as "patchbay diff" does. Tools are called again. Identifiers and cursors that the server returned and
the client sent back are replaced by those of this time. What the server asks is answered as it was answered;
--responder says who answers other questions. A recording is a file, a folder of segments, or an id that
"patchbay recordings list" prints. The revision is the recorded one unless --revision names another.

  --times N            replay N times, each over a new connection; what differs between the first two replays
                       varies by itself: it does not count, and is listed
  --clients N          replay over N connections at the same time
  --sequential         each request after the answer to the one before
  --speed FACTOR       keep the recorded times, divided by this (as fast as possible without it)
  --ignore POINTER     leave out what this JSON pointer names (* any step, ** any number of steps), or a member of this
                       name anywhere; may be repeated. Calls have /params, /result and /error
  --exact              count times, identifiers and ports that differ too
  --json               JSON on a terminal too
  --record FILE        record the replay in a new file
  --timeout MS         how long connecting may take, and each answer (60000)

SERVER is --url URL, --server NAME, --dir DIR (the scripts of a workspace) or -- COMMAND [ARGS…].
"patchbay help connecting" has the options that go with it.

Exit code 1 if an answer differs or does not come, or the server asks what the recording has no answer to.`
