import type { JsonObject } from '../../server-core/protocol/json.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import { modern } from '../../server-core/server/interop/http-raw.test-support.ts'
import type { Random } from '../random.ts'
import type { Attack, AttackReport } from './attack.ts'
import { serveGuarded, type GuardedServer, type PrincipalName } from './principals.ts'

const CAPABILITIES = { elicitation: {} }
const EMPTY_FORM = { type: 'object', properties: {} } as const
const ACCEPTED = { sure: { action: 'accept', content: {} } }
/** What a state that is not accepted is answered with (2026-07-28: multi round-trip requests). */
const INVALID_PARAMS = -32602

/** One retry: who sends what, with which state. */
type Retry = {
  readonly caller: PrincipalName
  readonly method: string
  readonly params: JsonObject
  readonly requestState: unknown
}

/** What an attacker makes of a retry that would be accepted. `other` is the state of another run. */
type Forge = (good: Retry & { readonly requestState: string }, random: Random, other: string) => Retry

function changedBytes(state: string, change: (bytes: Buffer) => Buffer): string {
  return change(Buffer.from(state, 'base64url')).toString('base64url')
}

const FORGERIES: Readonly<Record<string, Forge>> = {
  'a flipped bit': (good, random) => ({
    ...good,
    requestState: changedBytes(good.requestState, (bytes) => {
      const place = random.below(bytes.length)
      bytes[place] = (bytes[place] ?? 0) ^ (1 << random.below(8))
      return bytes
    }),
  }),
  'another character': (good, random) => {
    const place = random.below(good.requestState.length)
    const was = good.requestState[place]
    const now = random.pick(['A', 'z', '-', '_', '=', '+', '/', ' ', '\u00e9'])
    return {
      ...good,
      requestState: `${good.requestState.slice(0, place)}${now === was ? 'B' : now}${good.requestState.slice(place + 1)}`,
    }
  },
  'a truncated state': (good, random) => ({
    ...good,
    requestState: good.requestState.slice(0, random.below(good.requestState.length)),
  }),
  'a longer state': (good, random) => ({
    ...good,
    requestState: random.pick([
      `${good.requestState}=`,
      `${good.requestState}A`,
      ` ${good.requestState}`,
      `${good.requestState}\n`,
      good.requestState + good.requestState,
    ]),
  }),
  'bytes of two states': (good, random, other) => ({
    ...good,
    requestState: changedBytes(good.requestState, (bytes) => {
      const cut = 1 + random.below(bytes.length - 1)
      return Buffer.concat([bytes.subarray(0, cut), Buffer.from(other, 'base64url').subarray(cut)])
    }),
  }),
  'random bytes': (good, random) => ({
    ...good,
    requestState: random.bytes(random.below(200)).toString('base64url'),
  }),
  'another type': (good, random) => ({
    ...good,
    requestState: random.pick([null, 0, true, [good.requestState], { state: good.requestState }]),
  }),
  'the same state, of another user': (good) => ({ ...good, caller: 'bob' }),
  'the same state, of another client': (good) => ({ ...good, caller: 'otherApp' }),
  'the same state, for another tool': (good) => ({ ...good, params: { ...good.params, name: 'other' } }),
  'the same state, for another method': (good) => ({ ...good, method: 'prompts/get' }),
  'the same state, with other arguments': (good, random) => ({
    ...good,
    params: { ...good.params, arguments: { number: `${random.below(1_000_000)}.5` } },
  }),
  'the same state, without arguments': (good) => ({ ...good, params: { name: good.params['name'] } }),
}
const KINDS = Object.keys(FORGERIES) as [string, ...string[]]

/** Changes the sealed state of waiting calls, and sends it from elsewhere. Only the retry that was meant may go on. */
export const requestState: Attack = {
  name: 'request-state',
  rounds: { smoke: 40, full: 4_000 },
  run: attack,
}

async function attack(random: Random, rounds: number): Promise<AttackReport> {
  const findings: string[] = []
  const finished: number[] = []
  const registry = registryOf(finished)
  const server = await serveGuarded(registry)
  let forged = 0
  try {
    let other = await begin(server, 'alice', -1)
    for (let round = 0; round < rounds; round += 1) {
      const state = await begin(server, 'alice', round)
      const good = {
        caller: 'alice',
        method: 'tools/call',
        params: { name: 'ask', arguments: { number: String(round) } },
        requestState: state,
      } as const
      const kinds = [random.pick(KINDS), random.pick(KINDS), random.pick(KINDS)]
      for (const kind of kinds) {
        const retry = FORGERIES[kind]?.(good, random, other)
        if (retry === undefined || sameRetry(retry, good)) continue
        forged += 1
        const answer = await send(server, retry)
        const code = (answer['error'] as { readonly code?: number } | undefined)?.code
        const isRefused = code === INVALID_PARAMS || code === -32600
        if (!isRefused || finished.length > 0) {
          findings.push(`round ${round}, ${kind}: ${JSON.stringify(answer)}, ${finished.length} runs went on`)
          finished.splice(0)
        }
      }
      // The run is as it was; its retry goes on once, however often it is sent.
      const answers = await Promise.all([send(server, good), send(server, good)])
      for (const answer of answers) {
        if (!JSON.stringify(answer['result'] ?? {}).includes(`finished ${round}`))
          findings.push(`round ${round}: the retry that was meant got ${JSON.stringify(answer)}`)
      }
      if (finished.splice(0).join() !== String(round))
        findings.push(`round ${round}: the run did not go on exactly once`)
      other = state
    }
  } finally {
    await server.close()
  }
  return { what: `${forged} forged retries of ${rounds} waiting calls`, findings }
}

function registryOf(finished: number[]): Registry {
  const registry = new Registry()
  for (const name of ['ask', 'other']) {
    registry.addTool({
      name,
      input: { type: 'object', properties: { number: { type: 'string' } } },
      run: async ({ number }, ctx) => {
        await ctx.elicit('Sure?', EMPTY_FORM, { key: 'sure' })
        finished.push(Number(number))
        return `finished ${String(number)}`
      },
    })
  }
  registry.addPrompt({
    name: 'ask',
    arguments: [{ name: 'number' }],
    get: async (_args, ctx) => {
      await ctx.elicit('Sure?', EMPTY_FORM, { key: 'sure' })
      finished.push(-1)
      return 'finished'
    },
  })
  return registry
}

/** Calls the tool, which asks. Returns the sealed state of its answer. */
async function begin(server: GuardedServer, caller: PrincipalName, number: number): Promise<string> {
  const params = { name: 'ask', arguments: { number: String(number) } }
  const call = { headers: server.as(caller), capabilities: CAPABILITIES }
  const { result } = await (await modern(server.mcp, 'tools/call', params, call)).body()
  const { requestState: state } = (result ?? {}) as { readonly requestState?: unknown }
  if (typeof state !== 'string') throw new Error(`no requestState came: ${JSON.stringify(result)}`)
  return state
}

async function send(server: GuardedServer, retry: Retry): Promise<JsonObject> {
  const params = { ...retry.params, requestState: retry.requestState, inputResponses: ACCEPTED }
  const call = { headers: server.as(retry.caller), capabilities: CAPABILITIES }
  return (await modern(server.mcp, retry.method, params, call)).body()
}

function sameRetry(one: Retry, other: Retry): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
