import { Redaction } from '../../capture/redaction.ts'
import type { RecordingView } from '../../recordings/recording-view.ts'
import type { RedactionRule } from '../../recordings/store/recording-settings.ts'
import { withRules } from '../../recordings/store/redaction-rules.ts'

/** Frames that are read, the newest ones. */
const MOST_FRAMES = 5_000
const BATCH = 500
/** Values that are listed. */
const MOST_VALUES = 50
/** Characters of a value that are shown. */
const SHOWN = 6
const TOKENS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['API key', /\bsk-[\w-]{16,}/g],
  ['GitHub token', /\bgh[pousr]_[A-Za-z0-9]{30,}/g],
  ['Slack token', /\bxox[abprs]-[\w-]{10,}/g],
  ['AWS access key', /\bAKIA[0-9A-Z]{16}\b/g],
  ['JSON web token', /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g],
  ['random text', /\b[A-Za-z0-9+/_-]{32,200}\b/g],
]
/** Bits for each character, from which on a text counts as random. */
const RANDOM_BITS = 4.3

/** What rules would mask in a recording, and what looks like a secret and would stay. */
export type RedactionPreview = {
  readonly frames: number
  /** Frames in which the rules mask something. */
  readonly masked: number
  /** The start of each value, and what it looks like. */
  readonly uncovered: { readonly start: string; readonly length: number; readonly kind: string }[]
}

/** Applies rules to the newest frames of a recording, without changing it. @throws RangeError for a rule that cannot be used */
export async function previewRedaction(
  view: RecordingView,
  rules: readonly RedactionRule[],
): Promise<RedactionPreview> {
  const masks = withRules(new Redaction(), rules)
  const uncovered = new Map<string, RedactionPreview['uncovered'][number]>()
  const first = Math.max(0, view.frames - MOST_FRAMES)
  let masked = 0
  for (let from = first; from < view.frames; from += BATCH) {
    const count = Math.min(BATCH, view.frames - from)
    for (const { bytes } of await view.read(Array.from({ length: count }, (_, place) => from + place))) {
      const after = masks.bytes(bytes)
      if (!Buffer.from(after).equals(bytes)) masked += 1
      for (const [kind, pattern] of TOKENS)
        for (const [value] of Buffer.from(after).toString().matchAll(pattern)) {
          if (kind === 'random text' && (bitsOf(value) < RANDOM_BITS || isKnown(value))) continue
          if (uncovered.size < MOST_VALUES && !uncovered.has(value))
            uncovered.set(value, { start: value.slice(0, SHOWN), length: value.length, kind })
        }
    }
  }
  return { frames: view.frames - first, masked, uncovered: [...uncovered.values()] }
}

/** Identifiers that are random, and no secrets. */
function isKnown(value: string): boolean {
  return (
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ||
    TOKENS.some(([kind, pattern]) => kind !== 'random text' && new RegExp(pattern.source).test(value))
  )
}

/** Shannon's entropy of the characters of a text. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length
    return sum - share * Math.log2(share)
  }, 0)
}
