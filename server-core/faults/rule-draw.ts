import { malformed, withWrongId } from './broken-bytes.ts'
import { seededRandom } from './seeded-random.ts'
import type { FaultKind, FaultRule } from './fault-settings.ts'
import { canBeMade } from './fault-table.ts'
import { plain, type FaultPlace, type FaultPlan } from './fault-plan.ts'

/** What is known of a message that is about to be sent. */
export type Outgoing = FaultPlace & {
  readonly bytes: Uint8Array
  /** How many messages of the connection, or of the reply, went before it. */
  readonly index: number
  /** Nothing follows that could overtake it, or it is what overtakes another. */
  readonly keepsPlace: boolean
}

/** One rule that holds, with how often it had the occasion. */
export class RuleDraw {
  readonly rule: FaultRule
  readonly #seed: number
  #occasions = 0

  constructor(rule: FaultRule, seed: number) {
    this.rule = rule
    this.#seed = seed
  }

  /** Whether the rule makes its fault there now; each call is an occasion. */
  triggers({ transport, tool }: FaultPlace): boolean {
    const { id, where, kind, probability = 1 } = this.rule
    if (where.transport !== undefined && where.transport !== transport) return false
    if (where.tool !== undefined && where.tool !== tool) return false
    if (!canBeMade(kind, transport)) return false
    const occasion = this.#occasions
    this.#occasions += 1
    return probability >= 1 || seededRandom(this.#seed, id, occasion) < probability
  }

  /** A number from 0 to below 1 that belongs to the occasion just drawn. */
  share(): number {
    return seededRandom(this.#seed, `${this.rule.id}/share`, this.#occasions)
  }
}

/** Faults of messages; the others are of requests and sessions. */
const OF_MESSAGES: ReadonlySet<FaultKind> = new Set([
  'delay',
  'drop',
  'duplicate',
  'reorder',
  'cut',
  'malformed',
  'wrong-id',
  'stall',
  'close',
  'stderr-flood',
])

export function isOfMessages(draw: RuleDraw): boolean {
  return OF_MESSAGES.has(draw.rule.kind)
}

/** What the rules make of a message; undefined if nothing. `made` learns of each fault. */
export function planOf(
  draws: readonly RuleDraw[],
  outgoing: Outgoing,
  made: (rule: FaultRule, note: string) => void,
): FaultPlan | undefined {
  let plan: FaultPlan | undefined
  for (const draw of draws) {
    if (!triggers(draw, outgoing)) continue
    const changed = changedBy(draw, plan ?? plain(outgoing.bytes))
    if (changed === undefined) continue
    const note = changed.notes.at(-1)
    if (note !== undefined) made(draw.rule, note)
    plan = changed
  }
  return plan
}

function triggers(draw: RuleDraw, { index, keepsPlace, ...place }: Outgoing): boolean {
  const { rule } = draw
  if (rule.kind === 'close' && index < rule.after) return false
  if (rule.kind === 'reorder' && keepsPlace) return false
  return draw.triggers(place)
}

/** The plan with one fault more; undefined if the message gives no occasion for it after all. */
function changedBy(draw: RuleDraw, plan: FaultPlan): FaultPlan | undefined {
  const { rule } = draw
  const with_ = (change: Partial<FaultPlan>, note: string): FaultPlan => ({
    ...plan,
    ...change,
    notes: [...plan.notes, `${rule.kind}: ${note}`],
  })
  switch (rule.kind) {
    case 'delay': {
      const delayMs = rule.ms + Math.floor(draw.share() * ((rule.jitterMs ?? 0) + 1))
      const alone = rule.where.tool !== undefined
      return with_({ holding: { ...plan.holding, delayMs, alone } }, `held back for ${delayMs} ms`)
    }
    case 'drop':
      return with_({ copies: 0 }, 'not sent')
    case 'duplicate':
      return with_({ copies: 2 }, 'sent twice')
    case 'reorder':
      return with_(
        { holding: { ...plan.holding, overtakenBy: rule.count } },
        rule.count === 1 ? 'the next message goes first' : `the next ${rule.count} messages go first`,
      )
    case 'cut':
      return with_({ end: 'cut' }, 'broken off in the middle')
    case 'malformed':
      return with_({ bytes: malformed(plan.bytes, rule.how) }, MALFORMED[rule.how])
    case 'wrong-id': {
      const bytes = withWrongId(plan.bytes)
      return bytes === undefined ? undefined : with_({ bytes }, 'answered under another id')
    }
    case 'stall': {
      const ms = rule.ms ?? Infinity
      const note = ms === Infinity ? 'nothing is sent until the fault is off' : `nothing is sent for ${ms} ms`
      return with_({ holding: { ...plan.holding, stall: { ms, by: rule.id } } }, note)
    }
    case 'close':
      return with_({ end: 'close' }, 'the connection was closed instead')
    case 'stderr-flood':
      return with_({ flood: plan.flood + rule.bytes }, `${rule.bytes} bytes on standard error`)
    case 'status':
    case 'session-loss':
      return undefined
  }
}

const MALFORMED = {
  truncate: 'the last quarter of the JSON is missing',
  'not-json': 'HTML in its place',
  'invalid-utf8': 'bytes in it that are not UTF-8',
} as const
