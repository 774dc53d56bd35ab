import type { Catalogue } from '../catalogue/catalogue.ts'
import type { RunOptions } from '../run/run-options.ts'

/** The names of the suites. */
export const SUITES = ['ci', 'must', 'all', '2026.11'] as const
export type SuiteName = (typeof SUITES)[number]

/** Which checks a suite has, and whether a report gives it a score. */
export type Suite = Pick<RunOptions, 'only' | 'slow' | 'ends' | 'destructive'> & {
  readonly hasScore: boolean
}

/** The checks of a suite. `ci` has all but those that wait long, end the peer or may harm it. */
export async function suiteNamed(name: SuiteName, catalogue: Catalogue): Promise<Suite> {
  switch (name) {
    case 'ci':
      return { hasScore: false }
    case 'must':
      return {
        hasScore: false,
        only: (id) => ['critical', 'error'].includes(catalogue.checks.get(id)?.severity ?? ''),
      }
    case 'all':
      return { hasScore: false, slow: true, ends: true, destructive: true }
    case '2026.11': {
      const frozen = new Set((await import('./2026.11.json', { with: { type: 'json' } })).default)
      return { hasScore: true, only: (id) => frozen.has(id) }
    }
  }
}
