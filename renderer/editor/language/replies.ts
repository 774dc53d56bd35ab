import { z } from 'zod'

const positionSchema = z.object({ line: z.number(), character: z.number() })
const rangeSchema = z.object({ start: positionSchema, end: positionSchema })

const textEditSchema = z.object({ range: rangeSchema, newText: z.string() })
const documentationSchema = z.union([
  z.string(),
  z.object({ kind: z.enum(['markdown', 'plaintext']), value: z.string() }),
])
export type Documentation = z.infer<typeof documentationSchema>

/** One thing that may be put in; members that are not read here go back to the server when more is asked of it. */
export const completionItemSchema = z.looseObject({
  label: z.string(),
  kind: z.number().optional(),
  detail: z.string().optional(),
  labelDetails: z.object({ detail: z.string().optional(), description: z.string().optional() }).optional(),
  documentation: documentationSchema.optional(),
  sortText: z.string().optional(),
  filterText: z.string().optional(),
  insertText: z.string().optional(),
  insertTextFormat: z.number().optional(),
  textEdit: z
    .object({
      newText: z.string(),
      range: rangeSchema.optional(),
      insert: rangeSchema.optional(),
      replace: rangeSchema.optional(),
    })
    .optional(),
  additionalTextEdits: z.array(textEditSchema).optional(),
  commitCharacters: z.array(z.string()).optional(),
})
export type CompletionItem = z.infer<typeof completionItemSchema>

const completionListSchema = z.object({
  isIncomplete: z.boolean().optional(),
  itemDefaults: z
    .object({
      editRange: z.union([rangeSchema, z.object({ insert: rangeSchema, replace: rangeSchema })]).optional(),
      commitCharacters: z.array(z.string()).optional(),
    })
    .optional(),
  items: z.array(completionItemSchema),
})

/** Answer to `textDocument/completion`. */
export const completionsSchema = z
  .union([completionListSchema, z.array(completionItemSchema), z.null()])
  .transform((answer) => (Array.isArray(answer) ? { items: answer } : answer))
export type Completions = z.infer<typeof completionListSchema>

/** Answer to `textDocument/diagnostic`. */
export const diagnosticReportSchema = z.object({
  items: z
    .array(
      z.object({
        range: rangeSchema,
        severity: z.number().optional(),
        code: z.union([z.string(), z.number()]).optional(),
        source: z.string().optional(),
        message: z.string(),
        tags: z.array(z.number()).optional(),
      }),
    )
    .optional(),
})
