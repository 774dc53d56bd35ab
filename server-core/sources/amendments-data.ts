import { z } from 'zod'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'

export const amendmentSchema = z.looseObject({
  enabled: z.boolean().optional(),
  name: z
    .string()
    .min(1)
    .max(1_000)
    .regex(/^\S(?:.*\S)?$/, 'expected a name without white space around it')
    .optional(),
  title: z.string().max(DEFAULT_LIMITS.amendmentCharacters).optional(),
  description: z.string().max(DEFAULT_LIMITS.amendmentCharacters).optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
})

/** The member `amendments` of `patchbay.json`: by `tool:NAME`, `resource:URI`, `template:TEMPLATE`, `prompt:NAME`. */
export const amendmentsSchema = z.record(
  z
    .string()
    .regex(
      /^(tool|resource|template|prompt):./s,
      'expected tool:, resource:, template: or prompt: and a name',
    ),
  amendmentSchema,
)
