import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { CANARY } from './canary.ts'
import type { ProbeConnection } from './connection.ts'
import { exampleArguments } from './example-arguments.ts'
import { fixtureArguments } from './fixture-tools.ts'
import type { Outcome } from './outcome.ts'
import { mayCall } from './permission.ts'
import type { ServerProbe } from './server-probe.ts'
import { answerQuestion, tourCapabilities } from './tour-answers.ts'
import { elapsed } from './waits.ts'

const MAX_TOOLS = 60
const MAX_ITEMS = 5
const AT_ONCE = 4
const MAX_ROUNDS = 4
const LONGEST_MS = 15_000

/**
 * Uses a server as a client of all capabilities does: calls the tools that may be called, reads, gets, completes, and
 * answers questions. Judges nothing; what the server wrote is for passive checks.
 */
export async function tourServer(probe: ServerProbe): Promise<void> {
  const connection = await probe.connect({ capabilities: tourCapabilities(probe.cell.revision) })
  connection.inbox.onMessage(({ message }) => {
    if (typeof message['method'] !== 'string' || message['id'] === undefined) return
    const result = answerQuestion(message['method'], message['params'])
    const reply = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }
    void connection.send({ jsonrpc: '2.0', id: message['id'], ...reply }).catch(() => undefined)
  })
  const queue = requestsOf(probe)
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (connection.closedReason !== undefined) return
      await inRounds(connection, next.method, next.params)
    }
  }
  const workers = Promise.all(Array.from({ length: AT_ONCE }, worker))
  workers.catch(() => undefined)
  await Promise.race([workers, elapsed(LONGEST_MS)])
}

type Request = { readonly method: string; readonly params: JsonObject }

function requestsOf(probe: ServerProbe): Request[] {
  const { server, support, isModern } = probe
  const requests: Request[] = []
  if (!isModern && probe.declares('logging')) {
    requests.push({ method: 'logging/setLevel', params: { level: 'debug' } })
  }
  for (const [index, { name }] of server.prompts.slice(0, MAX_ITEMS).entries()) {
    const args = argumentNames(server.prompts[index]?.['arguments'])
    requests.push({
      method: 'prompts/get',
      params: {
        name,
        arguments: Object.fromEntries(
          args.map((arg) => [arg, /ur[il]/i.test(arg) ? 'https://example.com/' : 'example']),
        ),
      },
    })
    if (args[0] === undefined || !probe.declares('completions')) continue
    const params = { ref: { type: 'ref/prompt', name }, argument: { name: args[0], value: '' } }
    requests.push({ method: 'completion/complete', params })
  }
  for (const { uri } of server.resources.slice(0, MAX_ITEMS)) {
    requests.push({ method: 'resources/read', params: { uri } })
    if (isModern || !probe.declares('resources.subscribe')) continue
    requests.push({ method: 'resources/subscribe', params: { uri } })
  }
  if (probe.declares('resources')) {
    requests.push({ method: 'resources/read', params: { uri: 'patchbay://none' } })
  }
  if (isModern) {
    // One that ends at once, and one that stays.
    requests.push({ method: 'subscriptions/listen', params: { notifications: {} } })
    requests.push({ method: 'subscriptions/listen', params: { notifications: listenTo(probe) } })
  }
  const logging = probe.findFixture('logging')
  if (logging !== undefined) {
    const args = { ...logging.arguments, password: CANARY }
    const meta = isModern ? { _meta: { [MetaKey.logLevel]: 'debug' } } : {}
    requests.push({ method: 'tools/call', params: { name: logging.name, arguments: args, ...meta } })
  }
  for (const [index, tool] of server.tools.slice(0, MAX_TOOLS).entries()) {
    const { name } = tool
    if (typeof name !== 'string' || !mayCall(support.permission, tool)) continue
    const meta = { progressToken: `tour-${index}`, ...(isModern && { [MetaKey.logLevel]: 'debug' }) }
    const args = fixtureArguments(name) ?? exampleArguments(tool['inputSchema'])
    requests.push({ method: 'tools/call', params: { name, arguments: args, _meta: meta } })
  }
  const echo = probe.findFixture('echo')
  if (echo !== undefined) {
    const args = Object.keys(echo.arguments).map((name) => [name, 'é\u2028😀'] as const)
    requests.push({ method: 'tools/call', params: { name: echo.name, arguments: Object.fromEntries(args) } })
  }
  return requests
}

function listenTo(probe: ServerProbe): JsonObject {
  return {
    ...(probe.declares('tools.listChanged') && { toolsListChanged: true }),
    ...(probe.declares('prompts.listChanged') && { promptsListChanged: true }),
    ...(probe.declares('resources.listChanged') && { resourcesListChanged: true }),
  }
}

function argumentNames(declared: unknown): readonly string[] {
  if (!Array.isArray(declared)) return []
  return (declared as unknown[]).flatMap((each) =>
    isJsonObject(each) && typeof each['name'] === 'string' ? [each['name']] : [],
  )
}

/** Sends a request and, in 2026-07-28, the rounds that it asks for. */
async function inRounds(connection: ProbeConnection, method: string, params: JsonObject): Promise<void> {
  let answers: JsonObject = {}
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const outcome = await connection.call(method, { ...params, ...answers })
    const asked = questionsOf(outcome)
    if (asked === undefined) return
    answers = asked
  }
}

/** The answers to an `input_required` result; undefined for any other outcome. */
export function questionsOf(outcome: Outcome): JsonObject | undefined {
  if (outcome.type !== 'result' || outcome.result['resultType'] !== 'input_required') return undefined
  const { inputRequests, requestState } = outcome.result
  const asked = isJsonObject(inputRequests) ? Object.entries(inputRequests) : []
  const inputResponses = Object.fromEntries(
    asked.map(([key, question]) => {
      const known = isJsonObject(question) ? question : {}
      return [key, answerQuestion(String(known['method']), known['params']) ?? {}]
    }),
  )
  return {
    ...(asked.length > 0 && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
}
