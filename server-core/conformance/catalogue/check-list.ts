import { z } from 'zod'
import { SUPPORTED } from '../../protocol/revisions.ts'
import { WIRE_TRANSPORTS } from '../../protocol/transport-kind.ts'
import type { Check } from '../check.ts'
import type { Catalogue } from './catalogue.ts'

const rowSchema = z.object({
  id: z.string(),
  title: z.string(),
  severity: z.enum(['critical', 'error', 'warning', 'info']),
  revisions: z.array(z.enum(SUPPORTED)),
  transports: z.array(z.enum(WIRE_TRANSPORTS)),
  /** It reads frames of the other checks. */
  passive: z.literal(true).optional(),
  slow: z.literal(true).optional(),
  ends: z.literal(true).optional(),
  destructive: z.literal(true).optional(),
  /** It belongs to the frozen suite 2026.11. */
  frozen: z.literal(true).optional(),
})

/** What is known of a check of servers without the catalogue and the code of the checks. */
export type ListedCheck = z.infer<typeof rowSchema>

/** Reads the list in `server-checks.json`. */
export function parseCheckList(value: unknown): readonly ListedCheck[] {
  return z.array(rowSchema).parse(value)
}

/** The list of all checks of servers, in the order of the catalogue. `npm run checks:pages` writes it. */
export function checkList(
  { checks: entries }: Catalogue,
  checks: readonly Check[],
  frozen: readonly string[],
): readonly ListedCheck[] {
  return [...entries.values()].flatMap((entry): ListedCheck[] => {
    const check = checks.find(({ id, type }) => id === entry.id && type !== 'client')
    if (check === undefined || !entry.sides.includes('server')) return []
    return [
      {
        id: entry.id,
        title: check.title ?? entry.title,
        severity: entry.severity,
        revisions: [...entry.revisions],
        transports: [...entry.transports],
        ...(check.type === 'passive' && { passive: true }),
        ...(check.slow === true && { slow: true }),
        ...(check.ends === true && { ends: true }),
        ...(entry.destructive && { destructive: true }),
        ...(frozen.includes(entry.id) && { frozen: true }),
      },
    ]
  })
}
