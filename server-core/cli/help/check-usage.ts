/** The help text of `patchbay check`. */
export const CHECK_USAGE = `  patchbay check -- npx -y some-mcp-server
  patchbay check --json --call-read-only --url http://127.0.0.1:3000/mcp

Usage: patchbay check [options] SERVER

Examines a server: every revision and transport that it supports against the statements of the specification. No tool
is called without permission.

  --grep TEXT            only checks whose id, title or statements contain it
  --call TOOL            this tool may be called; may be given several times
  --call-read-only       tools with readOnlyHint may be called
  --slow                 also checks that wait for more than 5 seconds
  --ends                 also checks that end or restart the server
  --destructive          also checks that flood or may crash the server
  --repeat N             run each check N times; results that differ are flaky
  --seed N               repeat the random choices of a run
  --parallel N           checks at once (8)
  --json                 one JSON document: summary, and checks with their findings

SERVER is --url URL, --server NAME or -- COMMAND [ARGS…]; see "patchbay help connecting". Exit code 1: a check failed.`
