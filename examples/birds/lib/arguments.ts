import { z } from 'patchbay'
import { OTHER, UNKNOWN } from './expert.ts'
import { KNOWLEDGE } from './knowledge.ts'

/** Facts as arguments: one for each attribute of the rules, none of them needed. */
export const facts = z
  .object(
    Object.fromEntries(
      Object.entries(KNOWLEDGE.attributes).map(([attribute, { question, values }]) => [
        attribute,
        z
          .enum([...Object.keys(values), OTHER, UNKNOWN])
          .optional()
          .describe(question),
      ]),
    ),
  )
  .describe('What is known of the bird; other: none of these, unknown: nobody saw it')

/** Facts that were given. */
export function given(asked: z.infer<typeof facts>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
