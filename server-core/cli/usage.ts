import { SUPPORTED } from '../protocol/revisions.ts'
import { CLIENT_USAGE } from './client-usage.ts'
import type { CommandName } from './command-names.ts'
import { EXIT_CODES } from './exit-code.ts'
import { IMPORT_USAGE, MCP_USAGE } from './mcp-usage.ts'
import { PROXY_USAGE } from './proxy-usage.ts'

/** Help texts, by command. */
export const USAGE: Readonly<Record<CommandName | 'all', string>> = {
  all: `Usage: patchbay COMMAND [options]

  init       make a workspace: a folder of tools, resources and prompts
  serve      serve a workspace, over stdio, HTTP or WebSocket
  proxy      serve another server on, or several as one
  mcp        have other clients start Patchbay: install, uninstall, undo, status, test
  import     store the servers that other clients have

  list       list the tools, resources, templates and prompts of a server
  call       call a tool of a server
  read       read a resource of a server
  get        get a prompt of a server
  complete   ask for values of an argument of a prompt or a URI template
  subscribe  tell when resources change
  ping       tell how long a server takes to answer
  discover   tell what a server speaks and how that was found
  raw        send anything to a server and show what comes back

patchbay COMMAND --help says more, patchbay --version which version this is.
${EXIT_CODES}`,

  init: `Usage: patchbay init [DIR]

Makes a workspace of a folder (the present one if none is named): a configuration, a tool, a resource, a prompt, and the
types of what they import, for any editor. No file that is there is touched.`,

  serve: `Usage: patchbay serve [DIR] [--trust] [--stdio] [--http] [--sse] [--ws] [--all] [options]

Serves the workspace DIR: every tool, resource and prompt in its files, each loaded again when it is saved. Without a folder
it serves the built-in notes: notes in memory, with tools, resources and a prompt.

  --trust              run what is in DIR, though nobody said yet that it is trusted; holds for this run
  --profile DIR        the data folder, which says what is trusted

How clients reach it (any of them together; what listens shares one port):
  --stdio              over standard input and output (the default when input is a pipe or a file)
  --http               over Streamable HTTP, at /mcp (the default on a terminal)
  --sse                over HTTP+SSE, at /sse, for clients of 2024-11-05
  --ws                 over WebSocket, at /ws
  --all                all four

  --port N             the port to listen on (0: any free one, the default)
  --host HOST          the address to listen on (127.0.0.1); beyond this machine a token is required
  --token TOKEN        clients must send it as "Authorization: Bearer TOKEN". Every user of this machine
                       can read it in the list of processes: rather set the variable PATCHBAY_TOKEN
  --allow-host NAME    a further name by which clients address it; may be repeated
  --allow-origin URL   the origin of web pages that may connect; may be repeated
  --revision VERSION   speak only this revision of MCP; may be repeated, or a list with commas
                       (${SUPPORTED.join(', ')})
  --log-level LEVEL    what to tell on stderr: debug, info (the default), warning or error
  --workspace DIR      the folder whose patchbay.json has options (DIR, or else the present folder)
  --faults FILE        make the faults that this JSON says, on purpose, so that clients can be tested
  --record FILE        record all that clients say and hear in a new file, secrets masked; a file that is there
                       stays, and the new one gets a number (calls.ndjson, calls-2.ndjson)

The member "serve" of patchbay.json has the same options: stdio, http, sse, ws, all, port, host, token,
allowHost, allowOrigin, revision, logLevel, record; and authorization: whose access tokens are taken. Flags
win.
Its member "faults" is what --faults reads from a file.
Addresses and the log are told on stderr.`,

  proxy: PROXY_USAGE,
  mcp: MCP_USAGE,
  import: IMPORT_USAGE,

  ...CLIENT_USAGE,
}
