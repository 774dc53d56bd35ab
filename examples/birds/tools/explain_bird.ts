import { tool, z } from 'patchbay'
import { facts as factsArgument, given } from '../lib/arguments.ts'
import { Expert } from '../lib/expert.ts'
import { KNOWLEDGE } from '../lib/knowledge.ts'

const expert = new Expert(KNOWLEDGE)
const named = z.record(z.string(), z.string())

export default tool({
  title: 'Explain a bird',
  description: 'Says by what a bird is known, rule by rule, and how far what was seen fits.',
  input: z.object({
    bird: z.enum(KNOWLEDGE.birds.map(({ id }) => id)).describe('Id of the bird'),
    facts: factsArgument.prefault({}),
  }),
  output: z.object({
    bird: z.string(),
    verdict: z.enum(['fits', 'may fit', 'does not fit']),
    ways: z.array(z.object({ rules: z.array(z.string()), holds: named, missing: named, against: named })),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ bird, facts }) {
    const known = given(facts)
    const ways = expert.proofsOf(bird).map(({ needs, steps }) => {
      const sorted = { holds: {}, missing: {}, against: {} } as Record<
        'holds' | 'missing' | 'against',
        Record<string, string>
      >
      for (const [attribute, value] of Object.entries(needs)) {
        const seen = known[attribute]
        const pile =
          seen === value ? 'holds' : seen === undefined || seen === 'unknown' ? 'missing' : 'against'
        sorted[pile][attribute] = value
      }
      return { rules: [...steps], ...sorted }
    })
    const open = ways.filter(({ against }) => Object.keys(against).length === 0)
    const fits = open.some(({ missing }) => Object.keys(missing).length === 0)
    return {
      bird,
      verdict: fits ? ('fits' as const) : open.length > 0 ? ('may fit' as const) : ('does not fit' as const),
      ways,
    }
  },
})
