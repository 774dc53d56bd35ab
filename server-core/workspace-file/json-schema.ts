import { z } from 'zod'
import { ACCEPTS_TEXT } from '../sources/config-data.ts'
import { workspaceFileSchema } from './workspace-file-schema.ts'

/**
 * Returns the JSON Schema (2020-12) of `patchbay.json` as an author writes it: members with a default are optional.
 */
export function workspaceFileJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(workspaceFileSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => acceptText(jsonSchema),
  })
  return { title: 'patchbay.json', description: 'A workspace of Patchbay.', ...schema }
}

/** Zod cannot tell what a preprocessing function accepts. */
function acceptText(schema: Record<string, unknown>): void {
  const { [ACCEPTS_TEXT]: acceptsText, ...object } = schema
  if (acceptsText !== true) return
  for (const name of Object.keys(schema)) Reflect.deleteProperty(schema, name)
  schema['anyOf'] = [{ type: 'string' }, object]
}
