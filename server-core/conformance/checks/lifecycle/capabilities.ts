import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck, passiveCheck, serverCheck } from '../../check.ts'
import { exampleArguments } from '../../probe/example-arguments.ts'
import { fixtureArguments } from '../../probe/fixture-tools.ts'
import { describeOutcome } from '../../probe/outcome.ts'
import { mayCall } from '../../probe/permission.ts'
import type { Examination, FindingInput } from '../../examination.ts'
import { ownCapabilities, seenCapabilities } from '../lists/own-capabilities.ts'

/** Until 2025-03-26 the demand is a SHOULD. */
function report(examination: Examination, finding: FindingInput): void {
  const isOld = examination.cell.revision <= '2025-03-26'
  const statement = isOld ? 'lifecycle.capabilities.respect' : 'lifecycle.capabilities.respect-must'
  if (isOld) examination.warn({ statement, ...finding })
  else examination.fail({ statement, ...finding })
}

/** Requests for which a server needs a capability of the client. */
const ASKING: readonly unknown[] = ['roots/list', 'sampling/createMessage', 'elicitation/create', 'tasks/get']
const MOST_TOOLS = 60
const AT_ONCE = 4

export const serverUses = serverCheck(
  'lifecycle.capabilities.server-uses',
  async (probe) => {
    const connection = await probe.connect({ capabilities: {} })
    const { tools } = probe.server
    const queue = tools.filter((tool) => mayCall(probe.support.permission, tool)).slice(0, MOST_TOOLS)
    if (queue.length === 0) return probe.notApplicable('no tool may be called')
    const worker = async (): Promise<void> => {
      for (let tool = queue.shift(); tool !== undefined; tool = queue.shift()) {
        if (connection.closedReason !== undefined) return
        const name = String(tool['name'])
        const args = fixtureArguments(name) ?? exampleArguments(tool['inputSchema'])
        await connection.call('tools/call', { name, arguments: args })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    for (const { message, frame } of connection.received) {
      if (!('id' in message) || !ASKING.includes(message['method'])) continue
      report(probe, {
        expected: 'no request that needs a capability of the client, which declared none',
        actual: String(message['method']),
        member: '/method',
        frame,
      })
    }
  },
  { title: 'Servers use declared capabilities alone' },
)

export const clientUses = clientCheck(
  'lifecycle.capabilities.client-uses',
  async (exam) => {
    exam.content.capabilities = { tools: {} }
    const client = await exam.client()
    if (client.step === undefined) await exam.run()
    else {
      await exam.connect()
      await exam.step({ type: 'list', list: 'tools' })
      await exam.step({ type: 'call', tool: 'echo' })
    }
    if (exam.isModern && exam.messagesOf('server/discover').length === 0)
      return exam.inconclusive('the client never asked what the server declares')
    for (const { message, frame } of exam.received) {
      const { method } = message
      if (typeof method !== 'string') continue
      if (!/^(prompts|resources|completion|logging|subscriptions)\//.test(method)) continue
      report(exam, {
        expected: 'requests of tools alone, which is all that the server declares',
        actual: method,
        member: '/method',
        frame,
      })
    }
  },
  { title: 'Clients use declared capabilities alone' },
)

type Feature = {
  readonly capability: string
  readonly method: string
  readonly params?: JsonObject
  readonly since?: string
  readonly until?: string
}

const FEATURES: readonly Feature[] = [
  { capability: 'tools', method: 'tools/list' },
  { capability: 'resources', method: 'resources/list' },
  { capability: 'prompts', method: 'prompts/list' },
  {
    capability: 'completions',
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'patchbay' }, argument: { name: 'a', value: '' } },
    since: '2025-03-26',
  },
  { capability: 'logging', method: 'logging/setLevel', params: { level: 'info' }, until: '2025-11-25' },
  { capability: 'tasks', method: 'tasks/list', since: '2025-11-25', until: '2025-11-25' },
]

export const undeclaredMethod = serverCheck(
  'lifecycle.capabilities.undeclared-method',
  async (probe) => {
    const connection = await probe.connect()
    const declared = await ownCapabilities(connection)
    const undeclared = FEATURES.filter(
      ({ capability, since = '', until = '9' }) =>
        declared[capability] === undefined && probe.cell.revision >= since && probe.cell.revision <= until,
    )
    if (undeclared.length === 0) return probe.notApplicable('the server declares every feature')
    for (const { method, params, capability } of undeclared) {
      const outcome = await connection.call(method, params)
      if (outcome.type === 'error' && outcome.code === -32_601) continue
      const finding: FindingInput = {
        expected: `error -32601 for ${method}, as ${capability} is not declared`,
        actual: describeOutcome(outcome),
        statement: 'lifecycle.capabilities.respect',
        frame: outcome.frame ?? outcome.sent,
      }
      // A list without entries tells nothing.
      const isEmpty =
        outcome.type === 'result' &&
        Object.values(outcome.result).some((value) => Array.isArray(value) && value.length === 0)
      if (isEmpty) probe.inform(finding)
      else if (outcome.type === 'result' || outcome.type === 'error') probe.warn(finding)
      else probe.fail(finding)
    }
  },
  { title: 'Methods of undeclared features are refused' },
)

/** The capability that a notification of the server needs, as a path. */
const NOTICES: Readonly<Record<string, readonly [string, string?]>> = {
  'notifications/tools/list_changed': ['tools', 'listChanged'],
  'notifications/prompts/list_changed': ['prompts', 'listChanged'],
  'notifications/resources/list_changed': ['resources', 'listChanged'],
  'notifications/resources/updated': ['resources', 'subscribe'],
  'notifications/message': ['logging'],
}

export const undeclaredNotices = passiveCheck(
  'lifecycle.capabilities.no-undeclared-notices',
  (transcript) => {
    for (const { message, frame, pointer } of transcript.examined(
      ({ message: { method } }) => typeof method === 'string' && Object.hasOwn(NOTICES, method),
    )) {
      const [feature, member] = NOTICES[String(message['method'])] ?? ['']
      const declared = seenCapabilities(transcript, frame.connection.number)
      if (declared === undefined) continue
      const value = declared[feature]
      const isDeclared =
        value !== undefined && (member === undefined || (isJsonObject(value) && value[member] === true))
      if (isDeclared) continue
      report(transcript, {
        expected: `no notification without the capability ${[feature, member].filter(Boolean).join('.')}`,
        actual: String(message['method']),
        member: `${pointer}/method`,
        frame,
      })
    }
  },
  { title: 'Notifications have their capability' },
)
