import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { OutputChecker } from '../../../client/output-check.ts'
import { serverCheck } from '../../check.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import { UNKNOWN_TOOL } from '../../probe/permission.ts'
import { compareWithLists } from '../lists/capability-check.ts'

export const toolsCapability = serverCheck(
  'tools.server.capability',
  (probe) => compareWithLists(probe, 'tools'),
  { title: 'The capability tools agrees with tools/list' },
)

/** A result that says that the tool failed. */
export function isToolError(outcome: Outcome): boolean {
  return outcome.type === 'result' && outcome.result['isError'] === true
}

export const toolNameCase = serverCheck(
  'tools.server.name-case',
  async (probe) => {
    const { name, arguments: args } = probe.fixture('simple')
    const swapped = name.replaceAll(/./gsu, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    )
    const isListed = probe.server.tools.some((tool) => tool['name'] === swapped)
    if (swapped === name || isListed) probe.inconclusive(`no other case of ${name} is free`)
    const connection = await probe.connect()
    const outcome = await connection.call('tools/call', { name: swapped, arguments: args })
    probe.expect(outcome.type === 'error' || isToolError(outcome), {
      severity: 'warning',
      expected: `${swapped} unknown, as only ${name} is listed`,
      actual: describeOutcome(outcome),
      member: '/result',
      frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
    })
  },
  { title: 'Tool names are case-sensitive' },
)

export const unknownTool = serverCheck(
  'tools.server.unknown',
  async (probe) => {
    probe.requireCapability('tools')
    const connection = await probe.connect()
    const outcome = await connection.call('tools/call', { name: UNKNOWN_TOOL, arguments: {} })
    probe.expect(outcome.type === 'error' && outcome.code === -32602, {
      severity: 'warning',
      expected: 'error -32602 for an unknown tool',
      actual: describeOutcome(outcome),
      member: outcome.type === 'error' ? '/error/code' : '/result',
      frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
    })
  },
  { title: 'Unknown tools are refused with -32602' },
)

export const executionError = serverCheck(
  'tools.server.execution-error',
  async (probe) => {
    const { name, arguments: args } = probe.fixture('failing')
    const connection = await probe.connect()
    const outcome = await connection.call('tools/call', { name, arguments: args })
    const content: unknown[] =
      outcome.type === 'result' && Array.isArray(outcome.result['content']) ? outcome.result['content'] : []
    const hasText = content.some((block) => isJsonObject(block) && block['type'] === 'text')
    probe.expect(isToolError(outcome) && hasText, {
      severity: 'warning',
      expected: 'a result with isError true and a text',
      actual: describeOutcome(outcome),
      member: outcome.type === 'error' ? '/error' : '/result/isError',
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'Failures of a tool are results with isError' },
)

export const outputSchema = serverCheck(
  'tools.server.output-schema',
  async (probe) => {
    const { name, arguments: args, tool } = probe.fixture('output-schema')
    const schema = tool['outputSchema']
    if (!isJsonObject(schema)) probe.notApplicable(`the tool ${name} has no output schema`)
    const connection = await probe.connect()
    const outcome = await connection.call('tools/call', { name, arguments: args })
    if (outcome.type !== 'result') return probe.inconclusive(`${name}: ${describeOutcome(outcome)}`)
    const { result, frame } = outcome
    if (result['isError'] === true) probe.inconclusive(`${name} failed: ${shortJson(result['content'])}`)
    const structured = result['structuredContent']
    const mustBeObject = probe.cell.revision < '2026-07-28'
    if ('structuredContent' in result && mustBeObject && !isJsonObject(structured)) {
      probe.fail({
        expected: 'structured content that is an object',
        actual: shortJson(structured),
        member: '/result/structuredContent',
        statement: 'tools.structured-content-object',
        frame,
      })
    }
    const checked = await new OutputChecker().check(schema as JsonObject, result)
    if (checked.state === 'not-checked') probe.inconclusive(checked.reason)
    if (checked.state !== 'differs') return
    const [first] = checked.findings
    probe.fail({
      expected: 'structured content that fits the output schema',
      actual: first === undefined ? shortJson(structured) : `${first.path} ${first.message}`.trim(),
      member: `/result/structuredContent${first?.path ?? ''}`,
      frame,
    })
  },
  { title: 'Structured content fits the output schema' },
)
