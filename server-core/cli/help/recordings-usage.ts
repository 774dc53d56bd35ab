/** Help of `patchbay recordings`. */
export const RECORDINGS_USAGE = `  patchbay recordings list
  patchbay recordings show calls.ndjson --search birds
  patchbay recordings export calls.ndjson --out calls.html
  patchbay recordings test calls.ndjson --out tests/calls.spec.ts -- node server.js

Usage: patchbay recordings list
       patchbay recordings show RECORDING [--search TEXT] [--method NAME] [--errors] [--limit N]
       patchbay recordings export RECORDING --out FILE [--format html|ndjson|har|curl|otlp]
       patchbay recordings test RECORDING [--out FILE] [--one-test] [--url URL | -- COMMAND …]
       patchbay recordings import FILE…
       patchbay recordings keep ID NAME [--into DIR]
       patchbay recordings delete ID…
       patchbay recordings verify RECORDING… [--repair]

RECORDING is a file, a folder of segments, or the id of a recording of the app, which "recordings list" prints.
The app records every connection; what is neither open nor kept is deleted when it is 30 days old or all take
more than 1 GiB.

  show: the newest rows of the timeline that match
  --search TEXT        with this text in the message or its answer
  --method NAME        of this method
  --errors             that failed
  --limit N            so many at most (200)

  export: writes one file; the format is that of its name unless told
  --out FILE, -o FILE  the file
  --format NAME        html: a page that works offline; ndjson: a recording in one file; har: HTTP requests as
                       HAR 1.2, WebSockets too; curl: HTTP requests as commands of a shell; otlp: spans of calls as
                       OTLP/JSON

  import: adds files to the recordings: NDJSON of Patchbay, HAR, OTLP/JSON, JSON lines of other tools, .http. What a
  format does not have is listed on stderr

  test: writes a file for Playwright Test with a test for each call, which expects what the server answered
  --out FILE, -o FILE  the file; the recording is copied beside it. Printed unless given
  --force              replace the file if it is there
  --one-test           all calls in one test, in their order
  --url URL, -- COMMAND …
                       the server under test; that of playwright.config.ts unless given

  keep: copies the recording to NAME.ndjson in this folder, and it is no longer deleted by itself
  --into DIR           the folder

  verify: reads every line; exit code 1 if something is missing or cannot be read
  --repair             add an end to a file whose process was ended

  --profile DIR        Patchbay's data folder
  --json               JSON on a terminal too`

/** Help of `patchbay show`. */
export const SHOW_USAGE = `  patchbay show calls.ndjson
  patchbay show calls.ndjson --out calls.html

Usage: patchbay show RECORDING [--out FILE]

Writes a recording as one HTML file, with its timeline, frames and a search, which works offline, and opens it in the
browser. RECORDING is a file, a folder of segments, or an id that "patchbay recordings list" prints.

  --out FILE, -o FILE    write the page to this file, and open no browser
  --profile DIR          Patchbay's data folder
  --json                 open no browser`
