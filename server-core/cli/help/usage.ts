import { SUPPORTED } from '../../protocol/revisions.ts'
import { CHECK_USAGE, EXAM_USAGE } from './check-usage.ts'
import { CLIENT_USAGE } from './client-usage.ts'
import type { CommandName } from '../flags/command-names.ts'
import { IMPORT_USAGE, MCP_USAGE } from './mcp-usage.ts'
import { DOCTOR_USAGE } from './doctor-usage.ts'
import { FUZZ_USAGE } from './fuzz-usage.ts'
import { LOAD_USAGE } from './load-usage.ts'
import { LOCK_USAGE } from './lock-usage.ts'
import { DIFF_USAGE } from './diff-usage.ts'
import { DESKTOP_USAGE, OPEN_USAGE } from './open-usage.ts'
import { PROXY_USAGE } from './proxy-usage.ts'
import { REPLAY_USAGE } from './replay-usage.ts'
import { RECORDINGS_USAGE, SHOW_USAGE } from './recordings-usage.ts'
import { SERVERS_USAGE } from './servers-usage.ts'
import { TAP_USAGE } from './tap-usage.ts'
import { TOPIC_USAGE, TOPICS, type Topic } from './topics-usage.ts'

/** How what serves is stopped. */
const STOPPING = `SIGTERM and SIGINT stop it: requests in flight get 5 seconds to finish, further ones are refused; the exit
code is 0. A second signal ends it at once.`

/** Help texts, by command and topic. */
export const USAGE: Readonly<Record<CommandName | Topic | 'open' | 'all', string>> = {
  all: `  patchbay list -- npx -y some-mcp-server
  patchbay call get-sum --arg a=40 --arg b=2 --url http://127.0.0.1:3000/mcp
  patchbay init my-tools && patchbay serve my-tools --trust --all
  patchbay node build/index.js

Usage: patchbay [COMMAND] [options]

Without a command, the window opens in the browser; a program or an address opens it with that server
(patchbay help open).

Use a server:
  list       tools with their arguments, resources, templates and prompts
  call       call a tool
  read       read a resource
  get        get a prompt
  complete   complete an argument of a prompt or a URI template
  subscribe  watch resources for changes
  ping       measure how long it takes to answer
  discover   show what it speaks, and how that was found
  raw        send anything and show what comes back

Examine a server or a client:
  check      run the conformance checks of servers
  exam       run the conformance checks of clients
  lock       write what a server offers to a file, and find what changed
  fuzz       call tools with values at the edges of their schemas
  load       measure how long calls take
  test       run the tests of this folder with Playwright Test
  types      print the TypeScript types of a server's tools

Serve:
  init       create a workspace: a folder of tools, resources and prompts
  serve      serve a workspace over stdio, HTTP or WebSocket
  proxy      serve another server, or several as one

The window:
  desktop    open it on the desktop, in Electron
  doctor     check this installation and show what is missing

Stored servers and other clients:
  servers    list, add, approve and remove stored servers
  import     store the servers that other clients have
  mcp        have other clients start Patchbay: install, uninstall, undo, status, test

Recordings:
  recordings list, show, export, import, keep, delete and verify recordings, and make tests of them
  show       show a recording as a page in the browser
  replay     send the requests of a recording again and compare the answers
  diff       compare two recordings, or two JSON files
  tap        forward between a client and a server, and record what passes

patchbay COMMAND --help describes a command, patchbay help TOPIC one of ${TOPICS.join(', ')};
patchbay --version prints the version.`,

  init: `  patchbay init my-tools
  patchbay serve my-tools --trust --all

Usage: patchbay init [DIR] [--tests]

Creates a workspace in a folder (this one if none is named): a configuration, a tool, a resource, a prompt, and the
types of what they import, for any editor. Existing files stay as they are.

  --tests  write a configuration and a first test for Playwright Test instead, for a server of yours`,

  test: `  patchbay test -- node build/index.js
  patchbay test tests/forecast.spec.ts --revision 2025-11-25 --revision 2026-07-28

Usage: patchbay test [FILES] [options] [-- COMMAND [ARGS…]]

Runs the tests of this folder with the Playwright Test of your project: with your playwright.config, or with a
ready-made configuration that finds all *.spec and *.test files.

  -- COMMAND           the server under test, for tests that name none
  --url URL            the same, for a server that runs already
  --revision VERSION   run each test with this revision; may be repeated
  --transport NAME     run each test over stdio, http, sse, websocket or memory; may be repeated

Playwright's own options --grep, --project, --reporter, --retries, --workers, --timeout, --shard, --config, --ui,
--list, --last-failed and --update-snapshots are passed on. The exit code is 1 if a test failed.`,

  serve: `  patchbay serve my-tools --trust --all
  patchbay serve my-tools --stdio

Usage: patchbay serve [DIR] [--trust] [--stdio] [--http] [--sse] [--ws] [--all] [options]
       patchbay serve --replay RECORDING [--match NAME] [--once] [--latency N] [--else SERVER] [options]

Serves the workspace DIR: every tool, resource and prompt in its files, each loaded again when it is saved. Without a
folder it serves the built-in notes: notes in memory, with tools, resources and a prompt.

  --trust              for this run, trust DIR (or the present folder): run its scripts, and use all options
                       of its patchbay.json
  --replay RECORDING   serve what a recorded server answered, in any revision and over any transport
  --match NAME         which recorded call answers: exact (the same arguments, the default), shape (arguments of
                       the same types) or target (the same tool, URI or prompt)
  --once               give each recorded answer once; else the last one to a call is repeated
  --latency N          wait as long as the recorded server did, times N (0, the default, does not wait)
  --else SERVER        send what the recording has no answer for to this server: its URL, or its command in quotes
  --profile DIR        the data folder, which stores the folders that are trusted
  --off                start switched off: clients get HTTP 503 until "enabled" of "serve" in its
                       patchbay.json is set; it is followed while the server runs

How clients reach it (any of them together; what listens shares one port):
  --stdio              over standard input and output (the default when input is a pipe or a file)
  --http               over Streamable HTTP, at /mcp (the default on a terminal)
  --sse                over HTTP+SSE, at /sse, for clients of 2024-11-05
  --ws                 over WebSocket, at /ws
  --all                all four

  --port N             the port to listen on (0: any free one, the default)
  --host HOST          the address to listen on (127.0.0.1); beyond this machine a token is required,
                       from a flag or a variable
  --token [NAME:]TOKEN clients must send it as "Authorization: Bearer TOKEN"; may be repeated, and each is a
                       caller of its own, whose NAME handlers and the log know; one token alone has no name.
                       Every user of this machine can
                       read it in the list of processes: rather use --token-file, or set the variable
                       PATCHBAY_TOKEN (one token) or PATCHBAY_TOKENS (NAME:TOKEN,NAME:TOKEN)
  --token-file FILE    the same from a file, one [NAME:]TOKEN a line; may be repeated
  --session-ttl N      seconds after which a session that nobody uses ends (3600; 604800 at most)
  --allow-host NAME    a further name by which clients address it; may be repeated
  --allow-origin URL   the origin of web pages that may connect; may be repeated
  --revision VERSION   speak only this revision of MCP; may be repeated, or a list with commas
                       (${SUPPORTED.join(', ')})
  --log-level LEVEL    what to log on stderr: debug, info (the default), warning or error
  --workspace DIR      use all options of the patchbay.json in this folder
  --faults FILE        make the faults that this JSON says, on purpose, so that clients can be tested
  --record FILE        record all messages of clients in a new file, secrets masked; a file that is there
                       stays, and the new one gets a number (calls.ndjson, calls-2.ndjson)

The member "serve" of patchbay.json has the same options: stdio, http, sse, ws, all, port, host, token,
tokens ({ "NAME": "TOKEN" }), sessionTtl, enabled, allowHost, allowOrigin, revision, logLevel, record; and
authorization: whose access tokens are accepted. Flags win. Its member "faults" is what --faults reads from a
file. The file of the present folder may only restrict (revision, logLevel, enabled or a transport set to
false) unless the folder is trusted.
Addresses and the log go to stderr, with the file and the members that it sets.
${STOPPING}`,

  proxy: `${PROXY_USAGE}
${STOPPING}`,
  mcp: MCP_USAGE,
  recordings: RECORDINGS_USAGE,
  show: SHOW_USAGE,
  replay: REPLAY_USAGE,
  diff: DIFF_USAGE,
  tap: TAP_USAGE,
  import: IMPORT_USAGE,
  servers: SERVERS_USAGE,
  open: OPEN_USAGE,
  desktop: DESKTOP_USAGE,
  doctor: DOCTOR_USAGE,

  check: CHECK_USAGE,
  exam: EXAM_USAGE,
  lock: LOCK_USAGE,
  fuzz: FUZZ_USAGE,
  load: LOAD_USAGE,

  ...CLIENT_USAGE,
  ...TOPIC_USAGE,
}
