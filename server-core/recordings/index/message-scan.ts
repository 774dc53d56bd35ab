const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const SPACE = 0x20
/** Longer methods, ids and targets are not looked at. */
const LONGEST_TEXT = 2_000
const TOOL_ERROR = Buffer.from('"isError":true')

/** What an index needs to know of a message. */
export type MessageFacts = {
  method: string | undefined
  /** The id as it is written, with its quotes if it has any. */
  id: string | undefined
  /** The tool, prompt or URI that a request is about. */
  target: string | undefined
  isAnswer: boolean
  isError: boolean
}

/**
 * Finds method, id and target of a JSON-RPC message without parsing all of it. Of bytes that are something else it
 * finds less, and never throws.
 */
export function scanMessage(bytes: Buffer): MessageFacts {
  const facts: MessageFacts = {
    method: undefined,
    id: undefined,
    target: undefined,
    isAnswer: false,
    isError: false,
  }
  eachMember(bytes, 0, (key, start, end) => {
    switch (key) {
      case 'method':
        facts.method = textAt(bytes, start, end)
        break
      case 'id':
        if (end - start <= LONGEST_TEXT) facts.id = bytes.toString('latin1', start, end)
        break
      case 'error':
        facts.isAnswer = true
        facts.isError = true
        break
      case 'result': {
        facts.isAnswer = true
        const at = bytes.indexOf(TOOL_ERROR, start)
        facts.isError = at !== -1 && at < end
        break
      }
      case 'params':
        facts.target = targetOf(bytes, start)
        break
    }
  })
  if (facts.method !== undefined) facts.isAnswer = false
  return facts
}

function targetOf(bytes: Buffer, start: number): string | undefined {
  let target: string | undefined
  eachMember(bytes, start, (key, from, to) => {
    if (key === 'name' || key === 'uri') target ??= textAt(bytes, from, to)
  })
  return target
}

/** Calls back with each member of the object that begins at `start`, and where its value is. */
function eachMember(
  bytes: Buffer,
  start: number,
  member: (key: string, start: number, end: number) => void,
): void {
  let at = skipSpace(bytes, start)
  if (bytes[at] !== OPEN_BRACE) return
  at += 1
  for (;;) {
    at = skipSpace(bytes, at)
    if (bytes[at] !== QUOTE) return
    const keyEnd = stringEnd(bytes, at)
    const key = keyEnd - at <= 16 ? bytes.toString('latin1', at + 1, keyEnd - 1) : ''
    at = skipSpace(bytes, keyEnd)
    if (bytes[at] !== COLON) return
    at = skipSpace(bytes, at + 1)
    const end = valueEnd(bytes, at)
    if (end > bytes.length) return
    member(key, at, end)
    at = skipSpace(bytes, end)
    if (bytes[at] !== COMMA) return
    at += 1
  }
}

function textAt(bytes: Buffer, start: number, end: number): string | undefined {
  if (bytes[start] !== QUOTE || end - start > LONGEST_TEXT) return undefined
  const text = bytes.toString('utf8', start + 1, end - 1)
  if (!text.includes('\\')) return text
  try {
    const value: unknown = JSON.parse(`"${text}"`)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start
  while ((bytes[at] ?? SPACE + 1) <= SPACE) at += 1
  return at
}

/** Where the string that begins at `start` ends, behind its quote. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return bytes.length + 1
}

/** Where the value that begins at `start` ends. */
function valueEnd(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length;) {
    switch (bytes[at]) {
      case QUOTE:
        at = stringEnd(bytes, at)
        if (depth === 0) return at
        continue
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth === 0) return at
        depth -= 1
        if (depth === 0) return at + 1
        break
      case COMMA:
        if (depth === 0) return at
        break
      default:
    }
    at += 1
  }
  return bytes.length + 1
}
