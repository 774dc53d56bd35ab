import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { exampleArguments } from '../../probe/example-arguments.ts'
import { describeOutcome, type Outcome } from '../../probe/outcome.ts'
import { mayCall } from '../../probe/permission.ts'

const isRefused = (outcome: Outcome) =>
  (outcome.type === 'error' && outcome.code === -32_602) ||
  (outcome.type === 'result' && outcome.result['isError'] === true)

/** Arguments that break `prefixItems` of a schema, and such that break `dependentRequired`. */
function breakingArguments(schema: JsonObject): readonly { what: string; args: JsonObject }[] {
  const valid = exampleArguments(schema)
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const tuples = Object.entries(properties).flatMap(([name, property]) => {
    const items = isJsonObject(property) ? property['prefixItems'] : undefined
    const [first] = Array.isArray(items) ? (items as unknown[]) : []
    if (!isJsonObject(first)) return []
    const wrong = first['type'] === 'string' ? 7 : 'patchbay'
    return [{ what: `${name}/prefixItems`, args: { ...valid, [name]: [wrong] } }]
  })
  const dependent = isJsonObject(schema['dependentRequired']) ? schema['dependentRequired'] : {}
  const pairs = Object.entries(dependent).flatMap(([name, needed]) => {
    if (!Array.isArray(needed) || needed.length === 0) return []
    const { [String(needed[0])]: _, ...rest } = valid
    const all = exampleArguments({ ...schema, required: [name] })
    return [{ what: `dependentRequired of ${name}`, args: { ...rest, ...all } }]
  })
  return [...tuples, ...pairs]
}

export const draft2020 = serverCheck(
  'json-schema.draft-2020.server',
  async (probe) => {
    const tool = probe.server.tools.find(
      (each) =>
        isJsonObject(each['inputSchema']) &&
        each['inputSchema']['$schema'] === undefined &&
        breakingArguments(each['inputSchema']).some(({ what }) => what.endsWith('prefixItems')) &&
        mayCall(probe.support.permission, each),
    )
    const schema = tool?.['inputSchema']
    if (tool === undefined || !isJsonObject(schema))
      return probe.notApplicable('no tool with prefixItems and without $schema was found')
    const connection = await probe.connect()
    for (const { what, args } of breakingArguments(schema)) {
      const outcome = await connection.call('tools/call', { name: tool['name'], arguments: args })
      probe.expect(isRefused(outcome), {
        expected: `arguments refused that break ${what}`,
        actual: describeOutcome(outcome),
        statement: 'json-schema.default-2020-12',
        frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
      })
    }
  },
  { title: 'Arguments are checked by draft 2020-12' },
)

const isUnknown = (dialect: unknown) => typeof dialect === 'string' && !/json-schema\.org/.test(dialect)

const MAX_PAGES = 20

/** The tools as they are listed now. */
async function listedTools(connection: ProbeConnection): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = []
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { tools, nextCursor } = await connection.request(
      'tools/list',
      cursor === undefined ? {} : { cursor },
    )
    if (Array.isArray(tools)) found.push(...(tools as unknown[]).filter(isJsonObject))
    if (typeof nextCursor !== 'string') break
    cursor = nextCursor
  }
  return found
}

export const unknownDialectServer = serverCheck(
  'json-schema.unknown-dialect',
  async (probe) => {
    probe.requireCapability('tools')
    const connection = await probe.connect()
    const tools = await listedTools(connection)
    const tool = tools.find(
      ({ inputSchema }) => isJsonObject(inputSchema) && isUnknown(inputSchema['$schema']),
    )
    if (tool === undefined) return probe.notApplicable('no tool with a schema of an unknown dialect')
    const args = exampleArguments(tool['inputSchema'])
    const outcome = await connection.call('tools/call', { name: tool['name'], arguments: args })
    const frame = outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent]
    probe.expect(outcome.type === 'error' || isRefused(outcome), {
      expected: 'an error for a schema of an unknown dialect',
      actual: describeOutcome(outcome),
      statement: 'json-schema.unsupported-dialect-error',
      frame,
    })
    const list = await connection.call('tools/list')
    probe.expect(list.type === 'result', {
      expected: 'the other tools to be listed',
      actual: describeOutcome(list),
      statement: 'json-schema.unsupported-dialect-error',
      frame: list.frame ?? list.sent,
    })
  },
  { title: 'Schemas of unknown dialects are refused' },
)

/** No message of a client carries a schema that a server has to read. */
const NO_SCHEMA = 'a client sends a server no schema'

export const refCanaryServer = serverCheck(
  'json-schema.ref-canary',
  (probe) => Promise.resolve(probe.notApplicable(NO_SCHEMA)),
  { title: 'References to the network are not followed' },
)

export const bombServer = serverCheck(
  'json-schema.bomb',
  (probe) => Promise.resolve(probe.notApplicable(NO_SCHEMA)),
  { title: 'Huge schemas do no harm' },
)
