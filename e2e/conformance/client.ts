import { connect, type Connection } from '../../server-core/client/connect.ts'
import { withElicitationDefaults } from '../../server-core/client/answers/elicitation-defaults.ts'
import type { Responders } from '../../server-core/client/responders.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { revisionRow } from '../../server-core/protocol/revisions.ts'
import { authorizationFor } from './client-authorization.ts'
import { httpTransport } from '../../server-core/transports/http/http-client.ts'

/** A scenario that takes longer hangs: the suite itself would wait for ever. */
const LONGEST_MS = 50_000

type Scenario = {
  /** What this client answers in the scenario; only that is declared. */
  readonly responders?: Responders
  readonly run: (connection: Connection, context: JsonObject) => Promise<void>
}

const accept = (content: JsonObject) => () => Promise.resolve({ action: 'accept', content })
const sampled = { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'none' }

const call = async (connection: Connection, name: unknown, args: unknown = {}): Promise<JsonObject> =>
  (await connection.request('tools/call', { name, arguments: args })).result

const listTools = async (connection: Connection): Promise<void> => {
  await connection.listTools()
}

/** What the client does in each scenario, by name; those of a family by its prefix. */
const SCENARIOS: ReadonlyMap<string, Scenario> = new Map<string, Scenario>([
  ['initialize', { run: listTools }],
  ['json-schema-ref-no-deref', { run: listTools }],
  [
    'request-metadata',
    {
      responders: {
        elicitation: { form: accept({}) },
        sampling: { answer: () => Promise.resolve(sampled) },
        roots: () => Promise.resolve({ roots: [] }),
      },
      run: listTools,
    },
  ],
  [
    'tools_call',
    {
      run: async (connection) => {
        await connection.listTools()
        await call(connection, 'add_numbers', { a: 40, b: 2 })
      },
    },
  ],
  [
    'elicitation-sep1034-client-defaults',
    {
      responders: {
        elicitation: {
          form: ({ requestedSchema }) =>
            Promise.resolve({ action: 'accept', content: withElicitationDefaults(requestedSchema, {}) }),
        },
      },
      run: async (connection) => {
        await call(connection, 'test_client_elicitation_defaults')
      },
    },
  ],
  [
    'sse-retry',
    {
      run: async (connection) => {
        await call(connection, 'test_reconnection')
      },
    },
  ],
  [
    'sep-2322-client-request-state',
    {
      responders: { elicitation: { form: accept({ confirmed: true }) } },
      run: async (connection) => {
        await connection.listTools()
        for (const name of ['echo_state', 'no_state', 'unrelated', 'no_result_type'])
          await call(connection, `test_mrtr_${name}`)
      },
    },
  ],
  [
    'http-standard-headers',
    {
      run: async (connection) => {
        for (const { name } of (await connection.listTools()).items) await call(connection, name)
        for (const { uri } of (await connection.listResources()).items)
          await connection.request('resources/read', { uri })
        for (const { name } of (await connection.listPrompts()).items)
          await connection.request('prompts/get', { name })
      },
    },
  ],
  [
    'http-custom-headers',
    {
      run: async (connection, { toolCalls }) => {
        await connection.listTools()
        for (const each of Array.isArray(toolCalls) ? (toolCalls as unknown[]) : []) {
          if (isJsonObject(each)) await call(connection, each['name'], each['arguments'])
        }
      },
    },
  ],
  [
    'http-invalid-tool-headers',
    {
      run: async (connection) => {
        for (const { name } of (await connection.listTools()).items) await call(connection, name)
      },
    },
  ],
  [
    'json-schema-2020-12-preservation',
    {
      run: async (connection) => {
        const { items } = await connection.listTools()
        const tool = items.find(({ name }) => name === 'json_schema_2020_12_tool')
        await call(connection, 'json_schema_echo', { schema: tool?.['inputSchema'] })
      },
    },
  ],
  [
    'auth/',
    {
      run: async (connection) => {
        await connection.listTools()
        await call(connection, 'test-tool')
      },
    },
  ],
])

/**
 * The fixture client of the official conformance suite: `conformance:client -- URL`, driven by
 * `MCP_CONFORMANCE_SCENARIO`, `MCP_CONFORMANCE_PROTOCOL_VERSION` and, for some scenarios, `MCP_CONFORMANCE_CONTEXT`.
 */
async function main(): Promise<void> {
  const url = process.argv.at(-1) ?? ''
  const {
    MCP_CONFORMANCE_SCENARIO: name,
    MCP_CONFORMANCE_PROTOCOL_VERSION: version,
    MCP_CONFORMANCE_CONTEXT: text,
  } = process.env
  if (name === undefined || !/^https?:/.test(url)) {
    throw new RangeError(
      'expected a URL as the last argument and MCP_CONFORMANCE_SCENARIO in the environment',
    )
  }
  const scenario = SCENARIOS.get(name) ?? SCENARIOS.get(name.replace(/\/.*/, '/'))
  if (scenario === undefined) throw new RangeError(`the scenario ${name} is not known to this client`)
  const row = version === undefined ? undefined : revisionRow(version)
  if (version !== undefined && row === undefined)
    throw new RangeError(`revision ${version} is not spoken by this client`)
  const context: unknown = text === undefined ? {} : JSON.parse(text)
  const authorization = name.startsWith('auth/')
    ? await authorizationFor(name, url, isJsonObject(context) ? context : {})
    : undefined
  const connection = await connect({
    open: () => httpTransport({ url, ...(authorization === undefined ? {} : { authorization }) }),
    identity: { name: 'patchbay-conformance', version: '1.0.0' },
    protocol: row?.revision ?? 'auto',
    ...(scenario.responders === undefined ? {} : { responders: scenario.responders }),
  })
  try {
    await scenario.run(connection, isJsonObject(context) ? context : {})
  } finally {
    await connection.close()
    await authorization?.close()
  }
}

const limit = setTimeout(() => {
  process.stderr.write(`given up after ${LONGEST_MS} ms\n`)
  process.exit(1)
}, LONGEST_MS)
try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`)
  process.exitCode = 1
} finally {
  clearTimeout(limit)
}
