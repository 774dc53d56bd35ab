import { z } from 'zod'

const positionSchema = z.object({ line: z.number(), character: z.number() })
const rangeSchema = z.object({ start: positionSchema, end: positionSchema })

const locationSchema = z.union([
  z.object({ uri: z.string(), range: rangeSchema }),
  z
    .object({ targetUri: z.string(), targetSelectionRange: rangeSchema })
    .transform(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange })),
])

/** Answer to `textDocument/definition` and `textDocument/references`. */
export const locationsSchema = z
  .union([z.array(locationSchema), locationSchema, z.null()])
  .transform((answer) => (answer === null ? [] : Array.isArray(answer) ? answer : [answer]))

const textEditSchema = z.object({ range: rangeSchema, newText: z.string() })
export type TextEdit = z.infer<typeof textEditSchema>

/** Answer to `textDocument/rename`: what changes in which file, by its URI. Files are neither made nor renamed by it. */
export const workspaceEditSchema = z
  .union([
    z.object({
      documentChanges: z.array(
        z.object({ textDocument: z.object({ uri: z.string() }), edits: z.array(textEditSchema) }),
      ),
    }),
    z.object({ changes: z.record(z.string(), z.array(textEditSchema)) }),
    z.null(),
  ])
  .transform((answer): Map<string, TextEdit[]> => {
    if (answer === null) return new Map()
    if ('changes' in answer) return new Map(Object.entries(answer.changes))
    const all = new Map<string, TextEdit[]>()
    for (const { textDocument, edits } of answer.documentChanges) {
      all.set(textDocument.uri, [...(all.get(textDocument.uri) ?? []), ...edits])
    }
    return all
  })
