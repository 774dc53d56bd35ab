import { decision, type Decision } from './decision.ts'
import type { Stored } from './decision-files.ts'

/** A decision that is complete; members that are given take the place of its own. */
export function sample(fields: Partial<Decision> & { readonly id: string }): Decision {
  return decision.parse({
    decision: `Decision ${fields.id}`,
    confidence: 0.8,
    category: 'architecture',
    stakes: 'medium',
    status: fields.outcome === undefined ? 'pending' : 'reviewed',
    date: '2026-06-01T12:00:00.000Z',
    review_by: '2026-06-15T12:00:00.000Z',
    ...fields,
  })
}

/** As the files would give them. */
export function stored(...decisions: readonly Decision[]): readonly Stored[] {
  return decisions.map((one) => ({ decision: one, file: `${one.id}.yaml` }))
}
