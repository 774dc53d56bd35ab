import { BearerTokens } from '../../server-core/listener/bearer-token.ts'
import type { Attack } from './attack.ts'

/** Comparisons that are timed together, because the clock is coarser than one. */
const TIMED_TOGETHER = 200
/** A difference of means is a finding if Welch's t is above this in both halves of the samples. */
const MOST_T = 10
/** Below so many samples of each kind, a run shows only that the attack works. */
const LEAST_SAMPLES = 1_000

/**
 * Times the refusal of tokens that are wrong in their first character, in their last one, or entirely. The order is random, so
 * that a machine that becomes slower meets each kind alike. The time must not depend on where a token is wrong.
 */
export const tokenTiming: Attack = {
  name: 'token-timing',
  rounds: { smoke: 60, full: 12_000 },
  run: (random, rounds) => {
    const token = random.bytes(32).toString('base64url')
    const tokens = [{ token }]
    const bearer = new BearerTokens(() => tokens)
    const guesses = [differing(token, 0), differing(token, token.length - 1), differing(token, undefined)]
    const halves = [guesses.map((): number[] => []), guesses.map((): number[] => [])]
    for (let round = 0; round < rounds; round += 1) {
      const kind = random.below(guesses.length)
      const authorization = `Bearer ${guesses[kind] ?? ''}`
      const since = process.hrtime.bigint()
      for (let call = 0; call < TIMED_TOGETHER; call += 1) bearer.admit(authorization)
      const took = Number(process.hrtime.bigint() - since) / TIMED_TOGETHER
      halves[round < rounds / 2 ? 0 : 1]?.[kind]?.push(took)
    }
    const scores = halves.map((samples) => {
      const [first = [], last = [], all = []] = samples.map(withoutOutliers)
      return [welch(first, last), welch(first, all)]
    })
    const findings = [0, 1]
      .filter((pair) => scores.every((of) => Math.abs(of[pair] ?? 0) > MOST_T))
      .map(
        (pair) =>
          `tokens wrong in the first character and ${pair === 0 ? 'the last one' : 'all'} differ in time`,
      )
    const medians = guesses.map((_, kind) =>
      median(halves.flatMap((samples) => samples[kind] ?? [])).toFixed(0),
    )
    const what = `${rounds * TIMED_TOGETHER} wrong tokens refused, medians ${medians.join(', ')} ns (wrong in the first character, the last, all), Welch's t ${scores.map((of) => of.map((t) => t.toFixed(1)).join(' and ')).join('; ')}`
    return Promise.resolve({ what, findings: rounds / guesses.length / 2 < LEAST_SAMPLES ? [] : findings })
  },
}

/** The token with another character at that place, or at all places. */
function differing(token: string, place: number | undefined): string {
  const other = (character: string): string => (character === 'A' ? 'B' : 'A')
  return Array.from(token, (character, index) =>
    place === undefined || index === place ? other(character) : character,
  ).join('')
}

/** The lower nine tenths: what is above was interrupted. */
function withoutOutliers(samples: readonly number[]): number[] {
  return samples.toSorted((a, b) => a - b).slice(0, Math.ceil(samples.length * 0.9))
}

function median(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
}

/** Welch's t of two samples: the difference of their means in standard errors. */
function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [moments(one), moments(other)]
  const error = Math.sqrt(a.variance / one.length + b.variance / other.length)
  return error > 0 ? (a.mean - b.mean) / error : 0
}

function moments(samples: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / Math.max(1, samples.length)
  const squares = samples.reduce((sum, sample) => sum + (sample - mean) ** 2, 0)
  return { mean, variance: squares / Math.max(1, samples.length - 1) }
}
