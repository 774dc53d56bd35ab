import { randomUUID } from 'node:crypto'
import type { Context } from 'patchbay'
import { z } from 'patchbay'
import type { Deliberation } from './decision.ts'

/** Milliseconds after which what was looked up belongs to no decision any more. */
const FORGET_MS = 60 * 60 * 1000
/** What one decision carries at most; the oldest goes first. */
const MAX_ENTRIES = 200

const entry = z.object({
  kind: z.enum(['query', 'check', 'thought']),
  text: z.string(),
  at: z.number(),
})
type Entry = z.infer<typeof entry>

/** Who deliberates, as far as calls tell. */
export type Deliberator = Pick<Context, 'sessionId' | 'principal' | 'clientInfo' | 'store'>

/**
 * What a session looked up and thought since its last decision. It is kept by the host, so it survives a reload of the
 * scripts, and each entry under a key of its own, so that calls at the same time lose nothing.
 *
 * A session is one of the protocol where there is one. Otherwise (2026-07-28, or one process for one client) it is what the client
 * says it is; several agents behind one client differ by `agent_id`.
 */
export class Trace {
  readonly #store: Context['store']
  readonly #prefix: string

  constructor({ sessionId, principal, clientInfo, store }: Deliberator, agent: string | undefined) {
    const named = clientInfo?.['name']
    const client = typeof named === 'string' ? named : 'a client'
    const who = [sessionId ?? principal?.subject ?? client, agent ?? ''].map(encodeURIComponent)
    this.#store = store
    this.#prefix = `trace/${who.join('/')}/`
  }

  /** Adds what was done; `now` in milliseconds. */
  async add(kind: Entry['kind'], text: string, now: number): Promise<void> {
    await this.#store.set(`${this.#prefix}${now}-${randomUUID()}`, { kind, text, at: now } satisfies Entry)
  }

  /** All that was added, as a decision keeps it; it is forgotten here. Undefined if there is nothing. */
  async take(now: number): Promise<Deliberation | undefined> {
    await this.#forgetOld(now)
    const keys = (await this.#store.keys()).filter((key) => key.startsWith(this.#prefix))
    const entries: Entry[] = []
    for (const key of keys) {
      const parsed = entry.safeParse(await this.#store.get(key))
      await this.#store.delete(key)
      if (parsed.success) entries.push(parsed.data)
    }
    if (entries.length === 0) return undefined
    return deliberationOf(entries.sort((a, b) => a.at - b.at).slice(-MAX_ENTRIES), now)
  }

  /** Of all sessions: what nobody came back for. */
  async #forgetOld(now: number): Promise<void> {
    for (const key of await this.#store.keys()) {
      const at = /^trace\/.*\/(\d+)-[^/]+$/.exec(key)?.[1]
      if (at !== undefined && now - Number(at) > FORGET_MS) await this.#store.delete(key)
    }
  }
}

/** Inputs are what was looked up, steps what was thought, each with the inputs that were known by then. */
function deliberationOf(entries: readonly Entry[], now: number): Deliberation {
  const inputs: Deliberation['inputs'] = []
  const steps: Deliberation['steps'] = []
  for (const { kind, text, at } of entries) {
    const time = new Date(at).toISOString()
    if (kind === 'thought') {
      const used = inputs.map(({ id }) => id)
      steps.push({ step: steps.length + 1, thought: text, at: time, inputs_used: used })
    } else {
      const source = kind === 'query' ? 'query_decisions' : 'check_action'
      inputs.push({ id: `i${inputs.length + 1}`, source, text, at: time })
    }
  }
  return { inputs, steps, total_duration_ms: Math.max(0, now - (entries[0]?.at ?? now)) }
}

/** A deliberation with one more thought, which came after the decision. */
export function withThought(before: Deliberation | undefined, thought: string, now: number): Deliberation {
  const {
    inputs,
    steps,
    total_duration_ms: duration,
  } = before ?? { inputs: [], steps: [], total_duration_ms: 0 }
  const used = inputs.map(({ id }) => id)
  const added = { step: steps.length + 1, thought, at: new Date(now).toISOString(), inputs_used: used }
  return { inputs, steps: [...steps, added], total_duration_ms: duration }
}
