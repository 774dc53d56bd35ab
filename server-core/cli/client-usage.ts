import { SUPPORTED } from '../protocol/revisions.ts'
import type { ClientCommandName } from './command-names.ts'
import { EXIT_CODES } from './exit-code.ts'

/** What a command line for one server ends with. */
const SERVER = '(--url URL | --server NAME | -- COMMAND…)'

const SERVER_OPTIONS = `Which server (one of):
  --url URL              a server behind an address: http, https, ws or wss
  --server NAME          a server stored in Patchbay, approved there
  -- COMMAND [ARGS…]     a command to start; typing it is your approval

  --transport NAME       auto (the default), http, sse, websocket or stdio
  --revision VERSION     speak only this revision of MCP (${SUPPORTED.join(', ')})
  --header 'Name: value' sent with every request to --url; may be repeated
  --authorize            open the browser when the server asks for authorization, without asking first
  --env NAME=value       a variable for COMMAND; may be repeated
  --cwd DIR              the folder COMMAND starts in
  --profile DIR          Patchbay's data folder, where stored servers, tokens and model endpoints are
  --workspace DIR        the workspace that has the server, for --server

  --responder KIND=RULE  who answers what the server asks; may be repeated. KIND is sampling, elicitation
                         (or elicitation-form, elicitation-url) or roots. RULE is ask (you, on a terminal; it
                         is declined where there is none), decline, never, fixed:JSON, template:JSON (@FILE in
                         place of JSON), script:FILE, model:ENDPOINT[/MODEL], wait:MS:RULE; for roots also a
                         folder. Unless told: what is stored for --server, else ask, and no roots
  --log-level LEVEL      ask the server for its log messages from this level on
  --timeout MS           how long to wait for an answer (60000)
  --json                 JSON on a terminal too`

const usage = (line: string, about: string, own = ''): string =>
  `Usage: patchbay ${line} [options] ${SERVER}

${about}

${own === '' ? '' : `${own}\n\n`}${SERVER_OPTIONS}

${EXIT_CODES}`

const ARG = `  --arg NAME=value       one argument; may be repeated, and goes before the JSON`

/** Help texts of these commands. */
export const CLIENT_USAGE: Readonly<Record<ClientCommandName, string>> = {
  list: usage(
    'list [tools|resources|templates|prompts|tasks …]',
    'Lists what a server offers: {tools, resources, resourceTemplates, prompts}, or the lists that are named.',
    `  --all                  every page (the default)
  --page                 the first page of each list, and where the next one begins
  --cursor TEXT          the page that begins there, of the one list that is named`,
  ),
  call: usage(
    'call TOOL [ARGUMENTS]',
    `Calls a tool and prints its result. ARGUMENTS is a JSON object, or - to read it from standard input. Progress and
log messages are told on stderr; Ctrl+C cancels the call.`,
    `${ARG}; what the
                         tool's schema says of it decides whether it is a text, a number, JSON …
  --task                 run it as a task, if the server does that, and wait for its end`,
  ),
  read: usage('read URI', 'Reads a resource and prints its contents.'),
  get: usage(
    'get PROMPT [ARGUMENTS]',
    'Gets a prompt and prints its messages. ARGUMENTS is a JSON object of texts, or - for standard input.',
    ARG,
  ),
  complete: usage(
    'complete PROMPT|TEMPLATE ARGUMENT [BEGINNING]',
    'Asks for values of an argument of a prompt, or of a variable of a URI template, that begin so.',
    `  --arg NAME=value       another argument that has its value already; may be repeated`,
  ),
  subscribe: usage(
    'subscribe URI…',
    'Prints a line whenever one of the resources changes, until Ctrl+C.',
    `  --count N              end after N lines`,
  ),
  ping: usage(
    'ping',
    'Tells how long connecting took, and how long a sign of life.',
    `  --count N              how many (3)`,
  ),
  discover: usage(
    'discover',
    `Tells how a server was found and what was agreed on: each step with its reason, transport, revision, who it is, what
it can do, and its instructions.`,
  ),
  raw: usage(
    'raw DATA',
    `Sends DATA as it is, JSON or anything else (- reads it from standard input), once a connection stands, and prints all
that comes until the answers to its ids are there, or the time is over.`,
    `  --wait MS              how long to wait (10000; 1000 if DATA has no id that is answered)
  --bare                 no handshake: DATA is the first that the server gets`,
  ),
}
