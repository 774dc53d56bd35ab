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
