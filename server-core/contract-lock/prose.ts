import { pointerStep } from '../protocol/json-pointer.ts'
import { isJsonObject } from '../protocol/json.ts'

/** Members that people and models read, and that change nothing for a program. */
const PROSE = new Set(['title', 'description', 'icons', '_meta', '$comment', 'examples'])
/** Members whose own members are named by the author of a schema. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'])
/** Members that hold values, not schemas. */
const VALUES = new Set(['const', 'enum', 'default'])

/** A text, or another value that only people and models read, at its place. */
export type Prose = { readonly pointer: string; readonly value: unknown }

/** A definition without its prose. */
export function withoutProse(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || !PROSE.has(name))
      .map(([name, member]) => [
        name,
        !isMap && VALUES.has(name) ? member : withoutProse(member, !isMap && MAPS.has(name)),
      ]),
  )
}

/** The prose of a definition. */
export function proseOf(value: unknown, pointer = '', isMap = false): readonly Prose[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => proseOf(item, `${pointer}/${index}`))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const place = `${pointer}/${pointerStep(name)}`
    if (!isMap && PROSE.has(name)) return [{ pointer: place, value: member }]
    return !isMap && VALUES.has(name) ? [] : proseOf(member, place, !isMap && MAPS.has(name))
  })
}
