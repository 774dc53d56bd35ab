import { z } from 'zod'
import type { ArgumentsState } from './arguments-state.ts'
import type { Body, Draft, JsonBody } from './draft.ts'

// What was typed, as it is stored. JSON leaves out members that are undefined; the transforms put them back.

const text = z.string()

const jsonBodySchema: z.ZodType<JsonBody> = z.object({
  type: z.literal('json'),
  text,
  kept: z.object({ value: z.unknown() }).exactOptional(),
})

const draftSchema: z.ZodType<Draft> = z.lazy(() =>
  z.object({
    presence: z.enum(['set', 'left-out', 'null']),
    body: bodySchema,
    misfit: jsonBodySchema.exactOptional(),
  }),
)

const bodySchema: z.ZodType<Body> = z.lazy(() =>
  z.union([
    z.object({ type: z.literal('text'), text, fileName: text.exactOptional() }),
    z.object({ type: z.literal('number'), text, kept: text.exactOptional() }),
    z.object({ type: z.literal('boolean'), value: z.boolean() }),
    z
      .object({ type: z.literal('option'), index: z.number().optional() })
      .transform(({ type, index }) => ({ type, index })),
    z.object({ type: z.literal('fixed') }),
    z.object({ type: z.literal('choices'), chosen: z.array(z.number()) }),
    z.object({
      type: z.literal('object'),
      members: z.map(text, draftSchema),
      pairs: z.array(
        z
          .object({ id: text, key: text.optional(), draft: draftSchema })
          .transform(({ id, key, draft }) => ({ id, key, draft })),
      ),
    }),
    z.object({ type: z.literal('list'), items: z.array(z.object({ id: text, draft: draftSchema })) }),
    z.object({ type: z.literal('variant'), chosen: z.number(), drafts: z.map(z.number(), draftSchema) }),
    jsonBodySchema,
  ]),
)

export const argumentsStateSchema: z.ZodType<ArgumentsState> = z.object({
  draft: draftSchema,
  typed: text.exactOptional(),
  problem: z
    .object({ message: text, offset: z.number(), line: z.number(), column: z.number() })
    .exactOptional(),
  setAside: text.exactOptional(),
})
