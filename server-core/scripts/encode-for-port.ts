import { deserialize, serialize } from 'node:v8'

/** A message as it passes through the process of the Workers, which need not take it apart. */
export type PortEncoded = string | Uint8Array

/** Characters of texts, and values, of what goes as one text; V8's own format is quicker for more. */
const MOST = 65_536
const DEEPEST = 100
// A script may replace these in its Worker.
const { stringify, parse } = JSON

/**
 * Makes a text of plain JSON of some size, and of everything else what V8 serializes.
 *
 * @throws Error if the message holds something that cannot be copied, such as a function
 */
export function encodeForPort(message: unknown): PortEncoded {
  return typeof message === 'object' && left(message, MOST, 0) >= 0 ? stringify(message) : serialize(message)
}

/** Returns what was packed. @throws Error if that cannot be read, which only a script can have sent */
export function decodeFromPort(message: PortEncoded): unknown {
  return typeof message === 'string' ? parse(message) : deserialize(message)
}

/** Whether a value is of the kind that `packed` returns. */
export function isPortEncoded(value: unknown): value is PortEncoded {
  return typeof value === 'string' || value instanceof Uint8Array
}

/** Bytes of a packed message, at most. */
export function portEncodedBytes(message: PortEncoded): number {
  return typeof message === 'string' ? message.length * 2 : message.byteLength
}

/** What is left of a budget after a value; less than nothing if it is too much, or no plain JSON. */
function left(value: unknown, budget: number, depth: number): number {
  switch (typeof value) {
    case 'string':
      return budget - value.length - 1
    case 'number':
      return Number.isFinite(value) ? budget - 1 : -1
    case 'boolean':
      return budget - 1
    case 'object':
      break
    default:
      return -1
  }
  if (value === null) return budget - 1
  if (depth >= DEEPEST || budget < 0) return -1
  let rest = budget - 1
  if (Array.isArray(value)) {
    // By number: a hole is not JSON.
    for (let index = 0; index < value.length && rest >= 0; index += 1)
      rest = left(value[index], rest, depth + 1)
    return rest
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return -1
  for (const [name, member] of Object.entries(value)) {
    rest = left(member, rest - name.length, depth + 1)
    if (rest < 0) return -1
  }
  return rest
}
