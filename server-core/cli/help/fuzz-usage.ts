/** The help text of `patchbay fuzz`. */
export const FUZZ_USAGE = `  patchbay fuzz --call-read-only -- node build/index.js
  patchbay fuzz --call forecast --runs 500 --seed 1 --url http://127.0.0.1:3000/mcp

Usage: patchbay fuzz --call TOOL | --call-read-only [options] SERVER

Calls tools with values made from their input schemas: valid ones at the edges, invalid ones with one fault each, then
values by chance. A tool fails if the server crashes, does not answer in time, answers valid input with a protocol
error, accepts invalid input or refuses it without saying why, or sends results that do not match the output schema.
Input that fails is made as small as it can be, with a command that repeats it.

  --call TOOL            this tool may be called; may be given several times
  --call-read-only       tools with readOnlyHint may be called
  --runs N               cases of each tool (100)
  --seed N               repeat the cases of a run
  --duration MS          milliseconds for the whole run (60000)
  --answer-timeout MS    milliseconds for one answer (5000)
  --input JSON           only these arguments, for one tool
  --json                 JSON on a terminal too

SERVER is --url URL, --server NAME, --dir DIR or -- COMMAND [ARGS…]; see "patchbay help connecting". Questions of the
server are declined, unless --responder answers them.

Exit code 0: nothing was found; 1: something was found.`
