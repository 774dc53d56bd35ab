import { z } from 'zod'

const proofSchema = z.object({
  mutants: z.array(z.object({ id: z.string(), fault: z.string(), mayAlsoFire: z.array(z.string()) })),
  lawful: z.array(z.object({ revisions: z.string(), side: z.enum(['server', 'client']), what: z.string() })),
})

/** The faults that prove the checks, and the variants that no check may report. */
export type Proof = z.output<typeof proofSchema>

/** Loads the faults and the lawful variants of the catalogue. */
export async function loadProof(): Promise<Proof> {
  const data = await import('./proof.json', { with: { type: 'json' } })
  return proofSchema.parse(data.default)
}
