import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { useJsonSchemaConverter, type JsonSchemaConverter } from '../../registry/standard-schema.ts'

const VALIBOT = '@valibot/to-json-schema'

/** Has Valibot's schemas written by the converter that the workspace has installed; it is loaded with the first of them. */
export function useWorkspaceConverters(folder: string): void {
  let convert: JsonSchemaConverter | undefined
  useJsonSchemaConverter('valibot', (schema, side) => {
    convert ??= converterIn(folder)
    return convert?.(schema, side)
  })
}

/** Undefined where it is not installed: the error of the schema says so. */
function converterIn(folder: string): JsonSchemaConverter | undefined {
  // Node remembers what it did not find, and this process outlives an installation.
  if (!isInstalled(folder)) return undefined
  const { toJsonSchema } = createRequire(path.join(folder, 'patchbay.config.ts'))(VALIBOT) as {
    readonly toJsonSchema: (schema: unknown, options: Readonly<Record<string, unknown>>) => unknown
  }
  return (schema, side) => toJsonSchema(schema, { typeMode: side, target: 'draft-2020-12' })
}

function isInstalled(folder: string): boolean {
  if (existsSync(path.join(folder, 'node_modules', VALIBOT))) return true
  const above = path.dirname(folder)
  return above !== folder && isInstalled(above)
}
