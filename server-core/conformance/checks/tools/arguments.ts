import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { exampleArguments } from '../../probe/example-arguments.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import { mayCall } from '../../probe/permission.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { isToolError } from './calls.ts'

/** One wrong set of arguments of a tool, and how grave it is if the tool runs with them. */
type WrongArguments = {
  readonly what: string
  readonly arguments: JsonObject
  readonly severity: 'error' | 'warning'
}

const MAX_TOOLS = 60

export const validatesArguments = serverCheck(
  'tools.server.validates-arguments',
  async (probe) => {
    const tools = probe.server.tools.filter(
      (tool) => mayCall(probe.support.permission, tool) && wrongArguments(tool['inputSchema']).length > 0,
    )
    if (tools.length === 0) probe.notApplicable('no tool with arguments may be called')
    const connection = await probe.connect()
    for (const tool of tools.slice(0, MAX_TOOLS)) {
      const { execution } = tool
      if (isJsonObject(execution) && execution['taskSupport'] === 'required') continue
      for (const wrong of wrongArguments(tool['inputSchema'])) {
        const outcome = await connection.call('tools/call', {
          name: tool['name'],
          arguments: wrong.arguments,
        })
        if (outcome.type === 'closed' && connection.closedReason !== undefined) {
          report(probe, tool, wrong, outcome, 'error')
          return
        }
        judge(probe, tool, wrong, outcome)
      }
    }
  },
  { title: 'Arguments are validated against the input schema' },
)

function judge(probe: ServerProbe, tool: JsonObject, wrong: WrongArguments, outcome: Outcome): void {
  if (isToolError(outcome)) return
  if (outcome.type === 'result') report(probe, tool, wrong, outcome, wrong.severity)
  else if (outcome.type !== 'error') report(probe, tool, wrong, outcome, 'error')
  else if (outcome.code === -32603)
    report(probe, tool, wrong, outcome, 'warning', 'tools.error-bad-arguments')
  else if (outcome.code === -32602 && probe.cell.revision >= '2025-11-25')
    report(probe, tool, wrong, outcome, 'warning', 'tools.error-bad-arguments')
}

function report(
  probe: ServerProbe,
  tool: JsonObject,
  { what, arguments: args }: WrongArguments,
  outcome: Outcome,
  severity: 'error' | 'warning',
  statement = 'tools.validate-inputs',
): void {
  const form = probe.cell.revision >= '2025-11-25' ? 'a result with isError' : 'isError or error -32602'
  probe.fail({
    severity,
    statement,
    expected: `${String(tool['name'])} refuses ${what} (${shortJson(args)}) by ${form}`,
    actual: describeOutcome(outcome),
    member: outcome.type === 'error' ? '/error/code' : '/result',
    frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
  })
}

/** Arguments with one fault each: a required one missing, of another type, null, and one that is forbidden. */
function wrongArguments(schema: unknown): readonly WrongArguments[] {
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return []
  const { properties, required } = schema
  const right = exampleArguments(schema)
  const wrong: WrongArguments[] = []
  const needed = (Array.isArray(required) ? (required as unknown[]) : []).find(
    (name) => typeof name === 'string',
  )
  if (typeof needed === 'string') {
    const { [needed]: _, ...rest } = right
    wrong.push({ what: `arguments without "${needed}"`, arguments: rest, severity: 'error' })
  }
  const typed = Object.entries(properties).find(
    ([, each]) => isJsonObject(each) && typeof each['type'] === 'string',
  )
  if (typed !== undefined) {
    const [name, property] = typed
    const type = isJsonObject(property) ? property['type'] : undefined
    const other = type === 'string' ? 12_345 : 'patchbay'
    wrong.push(
      { what: `"${name}" of another type`, arguments: { ...right, [name]: other }, severity: 'warning' },
      { what: `"${name}" null`, arguments: { ...right, [name]: null }, severity: 'warning' },
    )
  }
  if (schema['additionalProperties'] === false)
    wrong.push({
      what: 'an argument that is not allowed',
      arguments: { ...right, patchbay_extra: 1 },
      severity: 'error',
    })
  return wrong
}
