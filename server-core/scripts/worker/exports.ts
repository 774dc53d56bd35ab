import path from 'node:path'
import { Defined, type Written } from '../authoring/defined.ts'
import { isConfigFile } from '../config-files.ts'
import { ScriptError } from '../script-error.ts'
import type { Places } from './places.ts'

export type NamedDefinition = {
  readonly name: string
  readonly found: Defined & { readonly written: Exclude<Written, { readonly kind: 'config' }> }
}

/**
 * The definitions that a script exports, each with its name: its own, else that of the file for the default export and
 * that of the export for the others. Throws a `ScriptError` if there is none, or an invalid default export.
 */
export function namedDefinitions(
  exports: Readonly<Record<string, unknown>>,
  file: string,
  places: Places,
): readonly NamedDefinition[] {
  const ofFile = path.posix.parse(file).name
  const named: NamedDefinition[] = []
  const add = (found: Defined, standard: string | undefined) => {
    const { written, place } = found
    if (written.kind === 'config') {
      const message = `${file} exports a configuration; only patchbay.config.ts may.`
      throw new ScriptError('definition', message, { at: places.of(place) })
    }
    const name: unknown = written.definition.name ?? standard
    if (typeof name !== 'string' || name === '') {
      const message = `A ${written.kind} in a list of ${file} needs a member "name".`
      throw new ScriptError('definition', message, { at: places.of(place) })
    }
    named.push({ name, found: found as NamedDefinition['found'] })
  }
  for (const [exported, value] of Object.entries(exports)) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    const isList = Array.isArray(value)
    for (const item of list) {
      if (item instanceof Defined) add(item, isList ? undefined : exported === 'default' ? ofFile : exported)
      else if (exported === 'default')
        throw none(file, isList ? 'a list with an invalid definition' : kindOf(value))
    }
  }
  if (named.length === 0 && !isConfigFile(file)) throw none(file, 'nothing that is one')
  return named
}

function none(file: string, came: string): ScriptError {
  return new ScriptError(
    'definition',
    `${file} must export a tool, resource, template or prompt made with 'patchbay', such as export default tool({ … }); it exports ${came}.`,
  )
}

function kindOf(value: unknown): string {
  return value === null
    ? 'null'
    : `a default that is ${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`
}
