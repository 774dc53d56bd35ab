/** The help text of `patchbay load`. */
export const LOAD_USAGE = `  patchbay load echo '{"message":"x"}' -- node build/index.js
  patchbay load forecast '{"city":"Oslo"}' --clients 4 --in-flight 8 --max-p95 50 --url http://127.0.0.1:3000/mcp
  patchbay load echo '{"message":"x"}' --against 'node old/index.js' --max-ratio 1.2 -- node build/index.js

Usage: patchbay load TOOL [ARGUMENTS] | --list FILE [options] SERVER

Calls a tool again and again and prints how long answers take: percentiles, each with the interval in which 95 of 100
such runs would have it, a histogram, and errors by kind.

  --list FILE            several calls, in turn: a JSON array of { "tool": NAME, "arguments": {} }
  --calls N              calls in all (1000)
  --duration MS          milliseconds for all of them (30000)
  --clients N            connections (1)
  --in-flight N          calls of each at once (1)
  --rate N               calls per second; time counts from when a call should have begun
  --warm-up N            calls before, which do not count (20)
  --against CMD|URL      measure this server too, in turn with the other
  --max-p95 MS           fail if 95 of 100 answers do not come within MS milliseconds
  --max-ratio N          fail if the median is more than N times that of --against
  --max-errors N         fail if more calls fail (0)
  --json                 JSON on a terminal too

SERVER is --url URL, --server NAME, --dir DIR or -- COMMAND [ARGS…]; see "patchbay help connecting". Questions of the
server are declined, unless --responder answers them.

Exit code 0: each limit is kept, or there is no decision: it lies within the interval, or the machine is too noisy;
1: a limit is broken.`
