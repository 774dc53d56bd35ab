import { z } from 'zod'
import { compositionMembers } from '../sources/config-data.ts'

const limit = z.number().int().positive().optional()

/** The members of `patchbay.config.ts` that are data; what is code stays in the Workers. */
export const configSchema = z.strictObject({
  ...compositionMembers,
  name: z.string().min(1).optional(),
  version: z.string().min(1).optional(),
  title: z.string().optional(),
  instructions: z.string().optional(),
  environment: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable'))
    .optional(),
  limits: z
    .strictObject({
      /** Megabytes of the heap of a Worker. */
      heapMegabytes: limit,
      /** Megabytes of all memory of a Worker, buffers included. */
      memoryMegabytes: limit,
      /** Milliseconds that a script may take to be loaded. */
      startMs: limit,
    })
    .optional(),
})

/** What `patchbay.config.ts` says beside code, parsed. */
export type ConfigData = z.infer<typeof configSchema>
