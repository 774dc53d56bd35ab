import type { Random } from '../random.ts'

/** What an attack did, in words, and each case in which Patchbay did not hold. */
export type AttackReport = { readonly what: string; readonly findings: string[] }

/** One kind of attack, repeated with different random values. */
export type Attack = {
  readonly name: string
  readonly rounds: {
    /** Rounds in `npm test`. */
    readonly smoke: number
    /** Rounds in `npm run soak`. */
    readonly full: number
  }
  readonly run: (random: Random, rounds: number) => Promise<AttackReport>
}
