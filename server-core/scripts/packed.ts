/** Characters of texts, and values, of what goes as one text; more is quicker to clone. */
const MOST = 65_536
const DEEPEST = 100

/**
 * Makes of a message what is quick to pass on: plain JSON of some size goes as its text, which the process between the
 * host and a Worker need not take apart. What only a clone can carry stays as it is.
 */
export function packed(message: unknown): unknown {
  return typeof message === 'object' && left(message, MOST, 0) >= 0 ? JSON.stringify(message) : message
}

/** What was packed. A text that is no JSON, which only a script can have sent, is given as it is. */
export function unpacked(message: unknown): unknown {
  if (typeof message !== 'string') return message
  try {
    return JSON.parse(message)
  } catch {
    return message
  }
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
    // By number: a hole is no JSON.
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
