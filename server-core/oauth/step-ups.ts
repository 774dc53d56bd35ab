import type { Challenge } from './challenge.ts'
import { OAuthError } from './oauth-error.ts'
import { scopesOf } from './scopes.ts'

/** How often the same missing scopes are asked for. */
const MOST = 2

/** Counts how often scopes were asked for that a server misses (specification: Step-Up Authorization Flow). */
export class StepUps {
  readonly #tries = new Map<string, number>()

  /** Throws an `OAuthError` (`scope`) if asking for what the challenge names would not help. */
  check(challenge: Challenge, granted: readonly string[]): void {
    const missing = missingIn(challenge, granted)
    const tries = this.#tries.get(keyOf(missing)) ?? 0
    if (missing.length > 0 && tries < MOST) return
    const why =
      missing.length === 0
        ? 'the token has all of them, so asking again would not help'
        : `${missing.join(' ')} was asked for ${tries} times and not granted`
    const asked = challenge.scope ?? 'none'
    throw new OAuthError('scope', `The server wants more scopes (it names ${asked}), and ${why}.`)
  }

  /** The user is asked for them now. */
  count(challenge: Challenge, granted: readonly string[]): void {
    const key = keyOf(missingIn(challenge, granted))
    this.#tries.set(key, (this.#tries.get(key) ?? 0) + 1)
  }

  clear(): void {
    this.#tries.clear()
  }
}

function missingIn({ scope }: Challenge, granted: readonly string[]): readonly string[] {
  return scopesOf(scope).filter((each) => !granted.includes(each))
}

function keyOf(scopes: readonly string[]): string {
  return scopes.toSorted().join(' ')
}
