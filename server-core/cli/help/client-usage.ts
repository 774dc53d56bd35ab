import type { ClientCommandName } from '../flags/command-names.ts'

type Help = {
  readonly examples: readonly string[]
  readonly line: string
  readonly about: string
  /** The command's own options. */
  readonly own?: string
}

/** What every one of these commands has. */
const COMMON = `  --json                 JSON on a terminal too
  --record FILE          record all that is sent and received in a new file
  --otlp URL             send spans of the calls to this OTLP collector, over HTTP as JSON
  --quiet, -q            only failures on stderr
  --timeout MS           how long connecting may take, and each answer (60000)

SERVER is --url URL, --server NAME, --dir DIR (the scripts of a workspace) or -- COMMAND [ARGS…].
"patchbay help connecting" has the options that go with it (--header, --env, --transport, --revision,
--cacert …), "patchbay help answering" those for requests of the server (--responder), "patchbay help
exit-codes" how it ends.`

function usage({ examples, line, about, own }: Help): string {
  return [
    ...examples.map((example) => `  ${example}`),
    '',
    `Usage: patchbay ${line} [options] SERVER`,
    '',
    about,
    '',
    ...(own === undefined ? [] : [own]),
    COMMON,
  ].join('\n')
}

/** Help texts of these commands. */
export const CLIENT_USAGE: Readonly<Record<ClientCommandName, string>> = {
  list: usage({
    examples: [
      'patchbay list -- npx -y @modelcontextprotocol/server-everything',
      'patchbay list tools --url http://127.0.0.1:3000/mcp',
    ],
    line: 'list [tools|resources|templates|prompts|tasks …]',
    about: `Lists what a server offers, or the lists that are named: each tool with its arguments. In a pipe it prints
{tools, resources, resourceTemplates, prompts} as JSON.`,
    own: `  --all                  every page (the default)
  --page                 the first page of each list, and where the next one begins
  --cursor TEXT          the page that begins there, of the one list that is named`,
  }),
  call: usage({
    examples: [
      'patchbay call get-sum --arg a=40 --arg b=2 -- npx -y @modelcontextprotocol/server-everything',
      `patchbay call echo '{"message":"hi"}' --url http://127.0.0.1:3000/mcp`,
    ],
    line: 'call TOOL [ARGUMENTS]',
    about: `Calls a tool and prints its result. ARGUMENTS is a JSON object, or - to read it from standard input, and is sent
as it is. Progress goes to stderr; Ctrl+C cancels the call.`,
    own: `  --arg NAME=value       one argument; may be repeated, and goes before ARGUMENTS. The tool's schema decides
                         whether it is a string, a number, JSON …
  --task                 run it as a task, if the server supports that, and wait for its end
  --log-level LEVEL      ask the server for log messages from this level on, and show them (warnings and
                         worse are shown without it)`,
  }),
  read: usage({
    examples: ['patchbay read file:///etc/hosts --server files'],
    line: 'read URI',
    about: 'Reads a resource and prints its contents.',
  }),
  get: usage({
    examples: ['patchbay get summarise --arg style=brief --server notes'],
    line: 'get PROMPT [ARGUMENTS]',
    about:
      'Gets a prompt and prints its messages. ARGUMENTS is a JSON object of strings, or - for standard input.',
    own: `  --arg NAME=value       one argument; may be repeated, and goes before ARGUMENTS`,
  }),
  complete: usage({
    examples: [
      'patchbay complete summarise style br --server notes',
      `patchbay complete 'file:///{path}' path src/ --server files`,
    ],
    line: 'complete PROMPT|TEMPLATE ARGUMENT [BEGINNING]',
    about: 'Asks for values of an argument of a prompt, or of a variable of a URI template, that begin so.',
    own: `  --arg NAME=value       another argument that has its value already; may be repeated`,
  }),
  subscribe: usage({
    examples: ['patchbay subscribe notes://index --count 3 --url ws://127.0.0.1:4040/ws'],
    line: 'subscribe URI…',
    about: 'Prints a line whenever one of the resources changes, until Ctrl+C.',
    own: `  --count N              end after N lines`,
  }),
  ping: usage({
    examples: ['patchbay ping --url http://127.0.0.1:3000/mcp'],
    line: 'ping',
    about: 'Measures how long connecting takes, and each ping.',
    own: `  --count N              how many pings (3)`,
  }),
  discover: usage({
    examples: ['patchbay discover --url https://mcp.example/mcp'],
    line: 'discover',
    about: `Shows how a server was found and what was agreed on: each step with its reason, transport, revision, its name,
capabilities and instructions.`,
  }),
  types: usage({
    examples: ['patchbay types -- node build/index.js > tools.d.ts'],
    line: 'types',
    about: `Prints a TypeScript declaration of the server's tools, by which the compiler checks mcp.callTool('NAME', …) in
tests with mcp-patchbay/test.`,
  }),
  raw: usage({
    examples: [
      `patchbay raw '{"jsonrpc":"2.0","id":1,"method":"ping"}' --server files`,
      'patchbay raw - --bare -- node server.js < handshake.json',
    ],
    line: 'raw DATA',
    about: `Sends DATA as it is, JSON or anything else (- reads it from standard input), after connecting, and prints all that
comes back until its ids are answered or the time is over.`,
    own: `  --wait MS              how long to wait (10000; 1000 if DATA has no id that is answered)
  --bare                 no handshake: DATA is the first thing that the server gets`,
  }),
}
