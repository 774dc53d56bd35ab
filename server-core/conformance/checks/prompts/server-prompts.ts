import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { compareWithLists } from '../lists/capability-check.ts'
import { OUTSIDE } from '../resources/traversal.ts'
import { blockFaults, blocksOf } from '../tools/content-blocks.ts'

export const promptsCapability = serverCheck(
  'prompts.server.capability',
  (probe) => compareWithLists(probe, 'prompts'),
  { title: 'The capability prompts agrees with prompts/list' },
)

export const unknownPrompt = serverCheck(
  'prompts.server.unknown',
  async (probe) => {
    probe.requireCapability('prompts')
    const connection = await probe.connect()
    const outcome = await connection.call('prompts/get', { name: 'patchbay_unknown_prompt' })
    judgeRefused(probe, outcome, 'an unknown prompt')
  },
  { title: 'Unknown prompts are refused with -32602' },
)

function judgeRefused(probe: ServerProbe, outcome: Outcome, what: string): void {
  probe.expect(outcome.type === 'error' && outcome.code === -32602, {
    severity: 'warning',
    expected: `error -32602 for ${what}`,
    actual: describeOutcome(outcome),
    member: outcome.type === 'error' ? '/error/code' : '/result',
    frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
  })
}

/** The names of the arguments of a prompt. */
function argumentsOf(prompt: JsonObject, { required = false } = {}): readonly string[] {
  const list: unknown[] = Array.isArray(prompt['arguments']) ? prompt['arguments'] : []
  return list
    .filter(isJsonObject)
    .filter((each) => !required || each['required'] === true)
    .map(({ name }) => String(name))
}

/** The same text for every argument of a prompt. */
function filledWith(prompt: JsonObject, value: unknown): JsonObject {
  return Object.fromEntries(argumentsOf(prompt).map((name) => [name, value]))
}

export const missingArgument = serverCheck(
  'prompts.server.missing-argument',
  async (probe) => {
    const prompt = probe.server.prompts.find((each) => argumentsOf(each, { required: true }).length > 0)
    if (prompt === undefined) return probe.notApplicable('no prompt has a required argument')
    const connection = await probe.connect()
    const { name } = prompt
    judgeRefused(probe, await connection.call('prompts/get', { name }), 'a missing argument')
    const outcome = await connection.call('prompts/get', { name, arguments: filledWith(prompt, 42) })
    const isUndefined = outcome.type === 'result' && /undefined/.test(JSON.stringify(outcome.result))
    const isOtherError = outcome.type !== 'result' && !(outcome.type === 'error' && outcome.code === -32602)
    if (isUndefined || isOtherError) judgeRefused(probe, outcome, 'a number as an argument')
  },
  { title: 'Missing arguments of a prompt are refused' },
)

/** What no prompt says by itself: the product that a template engine would put in place of the expression. */
const PRODUCT = '9399220'
const INJECTIONS = [
  '../../../../../../../../etc/passwd',
  '{{4699610*2}}',
  '${4699610*2} #{4699610*2} <%= 4699610*2 %>',
  `"'\`;--<!--`,
  'x'.repeat(100_000),
]
const TRACE = /\n\s+at .+:\d+|Traceback \(most recent call last\)/

export const promptInjection = serverCheck(
  'prompts.server.injection',
  async (probe) => {
    const prompt = probe.server.prompts.find((each) => argumentsOf(each).length > 0)
    if (prompt === undefined) return probe.notApplicable('no prompt has arguments')
    const connection = await probe.connect()
    for (const value of INJECTIONS) {
      const params = { name: prompt['name'], arguments: filledWith(prompt, value) }
      const outcome = await connection.call('prompts/get', params)
      const report = (expected: string, actual: string, member: string) => {
        probe.fail({ expected, actual, member, frame: outcome.frame ?? outcome.sent })
      }
      if (outcome.type === 'result') {
        const text = JSON.stringify(outcome.result)
        if (text.includes(PRODUCT))
          report('the text literally', 'a template that was evaluated', '/result/messages')
        if (OUTSIDE.test(text)) report('the text literally', 'a file of the system', '/result/messages')
      } else if (outcome.type === 'error') {
        if (TRACE.test(JSON.stringify(outcome.message).replaceAll('\\n', '\n')))
          report('a refusal without a trace', shortJson(outcome.text), '/error/message')
      } else if (outcome.type !== 'http') {
        report('the text literally, or a refusal', describeOutcome(outcome), '')
        if (connection.closedReason !== undefined) return
      }
    }
  },
  { title: 'Arguments of prompts are inserted literally' },
)

/** The first revision that allows a kind of block in a prompt. */
const KINDS: Readonly<Record<string, string>> = {
  text: '2024-11-05',
  image: '2024-11-05',
  resource: '2024-11-05',
  audio: '2025-03-26',
  resource_link: '2025-06-18',
}

export const getPrompts = serverCheck(
  'prompts.server.get',
  async (probe) => {
    const { prompts } = probe.server
    if (prompts.length === 0) probe.notApplicable('the server lists no prompts')
    const connection = await probe.connect()
    let got = 0
    for (const prompt of prompts.slice(0, 50)) {
      const params = { name: prompt['name'], arguments: filledWith(prompt, 'example') }
      const outcome = await connection.call('prompts/get', params)
      if (outcome.type !== 'result' || outcome.result['resultType'] === 'input_required') continue
      got += 1
      judgeMessages(probe, outcome.result, outcome.frame)
    }
    if (got === 0) probe.inconclusive('no prompt was given with example arguments')
  },
  { title: 'Prompts have valid messages' },
)

function judgeMessages(probe: ServerProbe, result: JsonObject, frame: CapturedFrame): void {
  const { messages } = result
  if (!Array.isArray(messages)) {
    probe.fail({
      expected: 'a list of messages',
      actual: shortJson(messages),
      member: '/result/messages',
      frame,
    })
    return
  }
  for (const [index, message] of (messages as unknown[]).entries()) {
    const member = `/result/messages/${index}`
    const role = isJsonObject(message) ? message['role'] : undefined
    const content = isJsonObject(message) ? message['content'] : undefined
    if (role !== 'user' && role !== 'assistant')
      probe.fail({
        expected: 'the role user or assistant',
        actual: shortJson(role),
        member: `${member}/role`,
        frame,
      })
    const kind = isJsonObject(content) ? content['type'] : undefined
    const since = typeof kind === 'string' ? KINDS[kind] : undefined
    if (since === undefined || since > probe.cell.revision)
      probe.fail({
        expected: 'a content block of the revision',
        actual: shortJson(kind ?? content),
        member: `${member}/content`,
        frame,
      })
  }
  for (const { block, pointer } of blocksOf('prompts/get', result)) {
    for (const { statement, expected, actual, member, isRemark } of blockFaults(block)) {
      if (isRemark === true || !probe.entry.statements.includes(statement)) continue
      probe.fail({ statement, expected, actual, member: `/result${pointer}${member}`, frame })
    }
  }
}
