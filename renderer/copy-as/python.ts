import { ExactNumber } from '../../server-core/protocol/exact-json.ts'
import { variableOf } from './command.ts'
import { callOf, textOf, type CopiedCall, type CopiedExchange, type CopiedServer } from './copied-exchange.ts'

/** The exchange as a program with the official Python SDK; undefined if it is not one message. */
export function pythonOf(exchange: CopiedExchange): string | undefined {
  const call = callOf(exchange)
  if (call === undefined) return undefined
  const { imports, open, streams } = transportOf(exchange.server)
  const sent = sendingOf(call)
  return `${['import asyncio', ...(open.includes('os.environ') ? ['import os'] : []), '', ...sent.imports, 'from mcp import ClientSession', ...imports].join('\n')}


async def main():
    async with ${open} as (${streams}):
        async with ClientSession(read, write) as session:
            ${sent.usesHandshake ? 'server = ' : ''}await session.initialize()
${sent.lines.map((line) => `            ${line}`).join('\n')}


asyncio.run(main())
`
}

type Sending = { readonly imports: string[]; readonly lines: string[]; readonly usesHandshake?: true }

function sendingOf({ method, params, isRequest }: CopiedCall): Sending {
  const print = 'print(result.model_dump_json(indent=2, by_alias=True))'
  const result = (expression: string, imports: string[] = []): Sending => ({
    imports,
    lines: [`result = await session.${expression}`, print],
  })
  const name = literal(textOf(params['name']))
  const given = params['arguments'] === undefined ? '' : `, ${literal(params['arguments'])}`
  const uri = `AnyUrl(${literal(textOf(params['uri']))})`
  switch (method) {
    case 'initialize':
    case 'server/discover':
      return {
        imports: [],
        usesHandshake: true,
        lines: ['print(server.model_dump_json(indent=2, by_alias=True))'],
      }
    case 'tools/call':
      return result(`call_tool(${name}${given})`)
    case 'prompts/get':
      return result(`get_prompt(${name}${given})`)
    case 'resources/read':
      return result(`read_resource(${uri})`, ['from pydantic import AnyUrl'])
    case 'tools/list':
      return result('list_tools()')
    case 'resources/list':
      return result('list_resources()')
    case 'resources/templates/list':
      return result('list_resource_templates()')
    case 'prompts/list':
      return result('list_prompts()')
    case 'ping':
      return result('send_ping()')
    default: {
      const imports = ['import mcp.types as types']
      const message = `method=${literal(method)}, params=${literal(params)}`
      return isRequest
        ? result(`send_request(types.Request(${message}), types.Result)`, imports)
        : { imports, lines: [`await session.send_notification(types.Notification(${message}))`] }
    }
  }
}

function transportOf(server: CopiedServer): { imports: string[]; open: string; streams: string } {
  if (server.type === 'url') {
    const headers = dictionary(server.headers, server.secrets)
    const more = headers === undefined ? '' : `, headers=${headers}`
    const url = literal(server.url)
    switch (server.transport) {
      case 'http':
        return {
          imports: ['from mcp.client.streamable_http import streamablehttp_client'],
          open: `streamablehttp_client(${url}${more})`,
          streams: 'read, write, _',
        }
      case 'sse':
        return {
          imports: ['from mcp.client.sse import sse_client'],
          open: `sse_client(${url}${more})`,
          streams: 'read, write',
        }
      case 'websocket':
        return {
          imports: ['from mcp.client.websocket import websocket_client'],
          open: `websocket_client(${url})`,
          streams: 'read, write',
        }
    }
  }
  const { command, args, cwd, env, secrets } =
    server.type === 'command'
      ? server
      : { command: 'COMMAND', args: [], cwd: undefined, env: {}, secrets: [] }
  const variables = dictionary(env, secrets)
  const members = [
    `command=${literal(command)}`,
    `args=${literal(args)}`,
    ...(cwd === undefined ? [] : [`cwd=${literal(cwd)}`]),
    ...(variables === undefined ? [] : [`env=${variables}`]),
  ]
  return {
    imports: ['from mcp import StdioServerParameters', 'from mcp.client.stdio import stdio_client'],
    open: `stdio_client(StdioServerParameters(${members.join(', ')}))`,
    streams: 'read, write',
  }
}

function dictionary(known: Readonly<Record<string, string>>, secrets: readonly string[]): string | undefined {
  const all = [
    ...Object.entries(known).map(([name, value]) => `${literal(name)}: ${literal(value)}`),
    ...secrets.map((name) => `${literal(name)}: os.environ[${literal(variableOf(name))}]`),
  ]
  return all.length === 0 ? undefined : `{${all.join(', ')}}`
}

/** A JSON value as an expression of Python. A string of JSON is one of Python, but for lone surrogates. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value instanceof ExactNumber) return value.source
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${literal(member)}`)
    .join(', ')}}`
}
