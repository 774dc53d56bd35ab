import { ExactNumber, stringifyExact } from '../../server-core/protocol/exact-json.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'

/** A container of nothing but scalars stays on one line up to this many characters. */
const SHORT = 56

/**
 * JSON text for reading and editing: two spaces a level, short containers of scalars on one line, numbers exact
 * to the digit.
 */
export function printJson(value: unknown): string {
  return print(value, '', true)
}

function print(value: unknown, indent: string, isRoot: boolean): string {
  if (Array.isArray(value))
    return printList(
      '[',
      ']',
      value.map((item) => ['', item] as const),
      indent,
      isRoot,
    )
  if (isJsonObject(value) && !(value instanceof ExactNumber)) {
    const members = Object.entries(value).map(
      ([name, member]) => [`${JSON.stringify(name)}: `, member] as const,
    )
    return printList('{', '}', members, indent, isRoot)
  }
  return stringifyExact(value)
}

function printList(
  open: string,
  close: string,
  members: readonly (readonly [label: string, value: unknown])[],
  indent: string,
  isRoot: boolean,
): string {
  if (members.length === 0) return `${open}${close}`
  if (!isRoot && members.length <= 12 && members.every(([, value]) => isScalar(value))) {
    const line = members.map(([label, value]) => `${label}${stringifyExact(value)}`).join(', ')
    if (line.length <= SHORT) return open === '{' ? `{ ${line} }` : `[${line}]`
  }
  const inner = `${indent}  `
  const lines = members.map(([label, value]) => `${inner}${label}${print(value, inner, false)}`)
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof ExactNumber
}
