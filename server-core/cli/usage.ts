import { SUPPORTED } from '../protocol/revisions.ts'

export const COMMANDS = ['serve', 'list', 'call'] as const
export type CommandName = (typeof COMMANDS)[number]

const SERVER_OPTIONS = `Which server (one of):
  --url URL              a server behind an address
  --server NAME          a server stored in Patchbay, approved there
  -- COMMAND [ARGS…]     a command to start; typing it is your approval

  --header 'Name: value' sent with every request to --url; may be repeated
  --env NAME=value       a variable for COMMAND; may be repeated
  --cwd DIR              the folder COMMAND starts in
  --timeout MS           how long to wait for an answer (60000)
  --profile DIR          Patchbay's data folder, for --server
  --workspace DIR        the workspace that has the server, for --server
  --json                 JSON on a terminal too`

const EXIT_CODES = `Exit codes: 0 done, 2 wrong usage, 4 server not reachable, 5 error from the server or tool.`

/** Help texts, by command. */
export const USAGE: Readonly<Record<CommandName | 'all', string>> = {
  all: `Usage: patchbay COMMAND [options]

  serve    run the notes server, over stdio, HTTP or WebSocket
  list     list the tools, resources, templates and prompts of a server
  call     call a tool of a server

patchbay COMMAND --help says more, patchbay --version which version this is. ${EXIT_CODES}`,

  serve: `Usage: patchbay serve [--stdio] [--http] [--sse] [--ws] [--all] [options]

Runs the notes server: notes in memory, with tools, resources and a prompt.

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
  --workspace DIR      the folder whose patchbay.json has options (the present folder)

The member "serve" of patchbay.json has the same options: stdio, http, sse, ws, all, port, host, token,
allowHost, allowOrigin, revision, logLevel; and authorization: whose access tokens are taken. Flags win.
Addresses and the log are told on stderr.
`,

  list: `Usage: patchbay list [options] (--url URL | --server NAME | -- COMMAND…)

Lists what a server offers: {tools, resources, resourceTemplates, prompts}.

${SERVER_OPTIONS}

${EXIT_CODES}`,

  call: `Usage: patchbay call TOOL [ARGUMENTS] [options] (--url URL | --server NAME | -- COMMAND…)

Calls a tool and prints its result. ARGUMENTS is a JSON object, or - to read it from standard input.

${SERVER_OPTIONS}

${EXIT_CODES}`,
}
