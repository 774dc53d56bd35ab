import { stringifyExact } from '../../server-core/protocol/exact-json.ts'
import { variableOf } from './command.ts'
import { callOf, type CopiedCall, type CopiedExchange, type CopiedServer } from './copied-exchange.ts'

const PACKAGE = '@modelcontextprotocol/sdk'

/** Methods that the client of the SDK has a function for. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  'tools/call': 'callTool',
  'tools/list': 'listTools',
  'resources/read': 'readResource',
  'resources/list': 'listResources',
  'resources/templates/list': 'listResourceTemplates',
  'prompts/get': 'getPrompt',
  'prompts/list': 'listPrompts',
  'completion/complete': 'complete',
}

/** The exchange as a program with the official TypeScript SDK; undefined if it is not one message. */
export function typescriptOf(exchange: CopiedExchange): string | undefined {
  const call = callOf(exchange)
  if (call === undefined) return undefined
  const { imports, create } = transportOf(exchange.server)
  const sent = sendingOf(call)
  return `${[`import { Client } from '${PACKAGE}/client/index.js'`, ...imports, ...sent.imports].join('\n')}

const client = new Client({ name: 'example', version: '1.0.0' })
await client.connect(
${indented(create, 2)},
)
${sent.lines.join('\n')}
await client.close()
`
}

function sendingOf({ method, params, isRequest }: CopiedCall): { imports: string[]; lines: string[] } {
  const print = 'console.log(JSON.stringify(result, undefined, 2))'
  if (method === 'initialize' || method === 'server/discover')
    return { imports: [], lines: ['console.log(client.getServerVersion(), client.getServerCapabilities())'] }
  if (method === 'ping') return { imports: [], lines: ['const result = await client.ping()', print] }
  if (!isRequest)
    return {
      imports: [],
      lines:
        method === 'notifications/initialized'
          ? []
          : [`await client.notification(${literal({ method, params })})`],
    }
  const known = FUNCTIONS[method]
  if (known !== undefined)
    return { imports: [], lines: [`const result = await client.${known}(${literal(params)})`, print] }
  return {
    imports: [`import { ResultSchema } from '${PACKAGE}/types.js'`],
    lines: [`const result = await client.request(${literal({ method, params })}, ResultSchema)`, print],
  }
}

function transportOf(server: CopiedServer): { imports: string[]; create: string } {
  if (server.type === 'url') {
    const url = `new URL(${literal(server.url)})`
    const headers = headersOf(server)
    const init = headers === undefined ? '' : `, {\n  requestInit: { headers: ${headers} },\n}`
    switch (server.transport) {
      case 'http':
        return {
          imports: [`import { StreamableHTTPClientTransport } from '${PACKAGE}/client/streamableHttp.js'`],
          create: `new StreamableHTTPClientTransport(${url}${init})`,
        }
      case 'sse':
        return {
          imports: [`import { SSEClientTransport } from '${PACKAGE}/client/sse.js'`],
          create: `new SSEClientTransport(${url}${init})`,
        }
      case 'websocket':
        return {
          imports: [`import { WebSocketClientTransport } from '${PACKAGE}/client/websocket.js'`],
          create: `new WebSocketClientTransport(${url})`,
        }
    }
  }
  const { command, args, cwd, env, secrets } =
    server.type === 'command'
      ? server
      : { command: 'COMMAND', args: [], cwd: undefined, env: {}, secrets: [] }
  const variables = [
    ...Object.entries(env).map(([name, value]) => `${literal(name)}: ${literal(value)}`),
    ...secrets.map((name) => `${literal(name)}: process.env[${literal(variableOf(name))}] ?? ''`),
  ]
  const members = [
    `command: ${literal(command)}`,
    `args: ${literal([...args])}`,
    ...(cwd === undefined ? [] : [`cwd: ${literal(cwd)}`]),
    ...(variables.length === 0 ? [] : [`env: { ${variables.join(', ')} }`]),
  ]
  return {
    imports: [`import { StdioClientTransport } from '${PACKAGE}/client/stdio.js'`],
    create: `new StdioClientTransport({\n${members.map((member) => `  ${member},`).join('\n')}\n})`,
  }
}

function headersOf({ headers, secrets }: Extract<CopiedServer, { type: 'url' }>): string | undefined {
  const all = [
    ...Object.entries(headers).map(([name, value]) => `${literal(name)}: ${literal(value)}`),
    ...secrets.map((name) => `${literal(name)}: process.env[${literal(variableOf(name))}] ?? ''`),
  ]
  return all.length === 0 ? undefined : `{ ${all.join(', ')} }`
}

/** A JSON value as an expression. A separator that ends lines in other places is escaped. */
function literal(value: unknown): string {
  return stringifyExact(value, typeof value === 'object' ? 2 : undefined)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
}

function indented(text: string, spaces: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(spaces))
}
