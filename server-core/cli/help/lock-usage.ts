/** The help text of `patchbay lock`. */
export const LOCK_USAGE = `  patchbay lock -- node build/index.js
  patchbay lock --check -- node build/index.js
  patchbay lock --check --fail-on any --budget 4000 --url http://127.0.0.1:3000/mcp

Usage: patchbay lock [FILE] [options] SERVER

Writes what a server offers to FILE (mcp.lock.json): each tool, resource, template and prompt, its definition and two
hashes, of what programs read and of what people and models read. If the file exists, the server is compared with it:
  added      new
  loosened   changed, and whoever called it still can
  tightened  changed, and calls or readers of results may fail
  removed    gone
  renamed    the same by another name
  prose      only titles, descriptions, icons or _meta changed
tightened, removed and renamed break callers. It also shows how much of a model's context each tool takes.

  --check                compare, and never write
  --update               accept the differences: write the file again
  --fail-on CLASSES      the differences that fail: breaking (the default), any, or some of the names above; may be
                         repeated, or a list with commas
  --budget N             fail if all tools together take more than N tokens (estimated)
  --json                 JSON on a terminal too

SERVER is --url URL, --server NAME, --dir DIR or -- COMMAND [ARGS…]; see "patchbay help connecting".

Exit code 0: no failing difference, or accepted; 1: a difference that fails, or more tokens than the budget.`
