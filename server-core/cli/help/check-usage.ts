/** The flags of a run, which `check` and `exam` have both. */
const RUN_FLAGS = `  --grep TEXT            only checks whose id, title or statements contain it
  --suite NAME           ci (the default), must: only MUSTs, all: also checks that wait long, end the server or may
                         harm it, 2026.11: a frozen list with a score
  --again REPORT         only what failed in a report that --report json=REPORT wrote
  --slow                 also checks that wait for more than 5 seconds
  --ends                 also checks that end or restart it
  --destructive          also checks that flood it or may crash it
  --repeat N             run each check N times; results that differ are flaky
  --seed N               repeat the random choices of a run
  --parallel N           checks at once (8)
  --timeout MS           milliseconds for the whole run (900000); what has not ended by then is inconclusive

Results:
  --report FORMAT=FILE   write a report: html, junit, sarif, json, tap or github (annotations); may be repeated, or a
                         list with commas; without =FILE a usual name, tap and github on stdout
  --only-failed          show and report failures alone
  --baseline FILE        expected failures: they do not fail the run, new ones do, fixed ones are shown
  --update-baseline      write the failures of this run to that file
  --json                 one JSON document: summary, and checks with their findings`

/** The help text of `patchbay check`. */
export const CHECK_USAGE = `  patchbay check -- npx -y some-mcp-server
  patchbay check --call-read-only --report html,junit --url http://127.0.0.1:3000/mcp

Usage: patchbay check [options] SERVER

Examines a server: every revision and transport that it supports against the statements of the specification. No tool
is called without permission.

  --call TOOL            this tool may be called; may be given several times
  --call-read-only       tools with readOnlyHint may be called
${RUN_FLAGS}

SERVER is --url URL, --server NAME or -- COMMAND [ARGS…]; see "patchbay help connecting".

Exit code 0: no check failed, or only expected ones; 1: a check failed; 2: the command line is wrong; 3: the server
requires authorization; 4: it cannot be examined.`

/** The help text of `patchbay exam`. */
export const EXAM_USAGE = `  patchbay exam -- node my-client.js
  patchbay exam --report html -- my-client --connect {url}

Usage: patchbay exam [options] [-- CLIENT [ARGS…]]

Examines a client: it is started for each check and connects to a server that says what the check wants.

  {url}                  in the arguments of the client: the address of the server, over Streamable HTTP
  {config}               a file that names the server over stdio, as "mcpServers" of many clients
  {command}              the command line of the server over stdio, as one argument
                         with none of them, the words of that command line follow the arguments of the client

Without a client it prints an address, waits until one has connected, and examines the messages of that visit alone.
The visit ends with Ctrl+C, or when nothing came for 10 seconds.

  --transport NAME       with {url}, or without a client: http (the default), sse or websocket
  --revision VERSION     the revision of the server; all of them if a client is started, else 2025-11-25
${RUN_FLAGS}

Exit code 0: no check failed, or only expected ones; 1: a check failed; 2: the command line is wrong; 4: the client
never connected.`
