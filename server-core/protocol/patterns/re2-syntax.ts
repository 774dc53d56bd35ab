/** White space of JavaScript, as ranges of code points. RE2's `\s` knows ASCII only. */
const SPACES: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
const LAST = 0x10ffff
const ANY = `[${written(0)}-${written(LAST)}]`
const NOTHING = `[^${written(0)}-${written(LAST)}]`
const DOT = `[^${[0x0a, 0x0d, 0x2028, 0x2029].map(written).join('')}]`
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 }
/** Classes that mean the same in both. Of properties those of one or two letters: general categories. */
const SAME_CLASS = /[dDwW]|[pP]\{[CLMNPSZ][a-z]?\}/y
const CODE = /u\{([\da-fA-F]+)\}|u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|u([\da-f]{4})|x([\da-f]{2})/iy
const CONTROL_LETTER = /c([a-zA-Z])/y
/** Non-capturing, or named: what a group captures does not change whether a text matches. */
const GROUP = /\(\?:|\(\?<[^=!][^>]*>|\((?!\?)/y

type Range = readonly [first: number, last: number]

/**
 * Translates a pattern from JavaScript's syntax (flag `u`) to RE2's, for a test of whether a text matches.
 *
 * @param source a valid pattern
 * @returns undefined for what RE2 cannot express (look-around, back-references) or would match in another way
 */
export function toRe2(source: string): string | undefined {
  let translated = ''
  for (let at = 0; at < source.length;) {
    const char = source.charAt(at)
    if (char === '\\') {
      const piece = source[at + 1] === 'b' ? { text: '\\b', end: at + 2 } : atom(source, at)
      if (piece === undefined) return undefined
      translated += piece.text
      at = piece.end
    } else if (char === '(') {
      const end = endOf(GROUP, source, at)
      if (end === undefined) return undefined
      translated += '(?:'
      at = end
    } else if (char === '[') {
      const piece = characterClass(source, at)
      if (piece === undefined) return undefined
      translated += piece.text
      at = piece.end
    } else if (char === '.') {
      translated += DOT
      at += 1
    } else if ('^$|)*+?{},0123456789'.includes(char)) {
      translated += char
      at += 1
    } else {
      const code = source.codePointAt(at) ?? 0
      if (isSurrogate(code)) return undefined
      translated += written(code)
      at += code > 0xffff ? 2 : 1
    }
  }
  return translated
}

type Piece = { readonly text: string; readonly end: number }

/** One escape that stands for a character or a set of them. */
function atom(source: string, at: number): Piece | undefined {
  const char = source.charAt(at + 1)
  if (char === 's') return { text: `[${ranges(SPACES)}]`, end: at + 2 }
  if (char === 'S') return { text: `[^${ranges(SPACES)}]`, end: at + 2 }
  const end = endOf(SAME_CLASS, source, at + 1)
  if (end !== undefined) return { text: source.slice(at, end), end }
  const escaped = escapedCode(source, at)
  return escaped === undefined ? undefined : { text: written(escaped.code), end: escaped.end }
}

function characterClass(source: string, start: number): Piece | undefined {
  const isNegated = source[start + 1] === '^'
  let text = isNegated ? '[^' : '['
  let at = start + (isNegated ? 2 : 1)
  if (source[at] === ']') return { text: isNegated ? ANY : NOTHING, end: at + 1 }
  // A hyphen between two characters makes a range; beside a set it is a character.
  let isAfterCharacter = false
  while (at < source.length && source[at] !== ']') {
    const char = source.charAt(at)
    const next = source[at + 1]
    if (char === '-' && isAfterCharacter && next !== ']') {
      text += '-'
      at += 1
      isAfterCharacter = false
    } else if (char === '\\' && (next === 's' || next === 'S')) {
      text += ranges(next === 's' ? SPACES : complement(SPACES))
      at += 2
      isAfterCharacter = false
    } else {
      const set = char === '\\' ? endOf(SAME_CLASS, source, at + 1) : undefined
      if (set !== undefined) {
        text += source.slice(at, set)
        at = set
        isAfterCharacter = false
      } else {
        const found = char === '\\' ? escapedCode(source, at) : plainCode(source, at)
        if (found === undefined) return undefined
        text += written(found.code)
        at = found.end
        isAfterCharacter = !text.endsWith(`-${written(found.code)}`)
      }
    }
  }
  return { text: `${text}]`, end: at + 1 }
}

type Code = { readonly code: number; readonly end: number }

function plainCode(source: string, at: number): Code | undefined {
  const code = source.codePointAt(at) ?? 0
  return isSurrogate(code) ? undefined : { code, end: at + (code > 0xffff ? 2 : 1) }
}

function escapedCode(source: string, at: number): Code | undefined {
  const char = source.charAt(at + 1)
  if (char === 'b') return { code: 8, end: at + 2 }
  const control = Object.hasOwn(CONTROLS, char) ? CONTROLS[char] : undefined
  if (control !== undefined) return { code: control, end: at + 2 }
  CONTROL_LETTER.lastIndex = at + 1
  const letter = CONTROL_LETTER.exec(source)?.[1]
  if (letter !== undefined) return { code: (letter.codePointAt(0) ?? 0) % 32, end: at + 3 }
  CODE.lastIndex = at + 1
  const [all, point, high, low, four, two] = CODE.exec(source) ?? []
  if (all !== undefined) {
    const hex = point ?? four ?? two
    const code =
      hex === undefined
        ? String.fromCharCode(parseInt(high ?? '', 16), parseInt(low ?? '', 16)).codePointAt(0)
        : parseInt(hex, 16)
    return code === undefined || isSurrogate(code) ? undefined : { code, end: at + 1 + all.length }
  }
  // Other letters and digits: back-references, properties that RE2 does not know, and `\B`, which JavaScript also
  // finds between the halves of a surrogate pair.
  return /[a-zA-Z\d]/.test(char) ? undefined : plainCode(source, at + 1)
}

function endOf(sticky: RegExp, source: string, at: number): number | undefined {
  sticky.lastIndex = at
  return sticky.test(source) ? sticky.lastIndex : undefined
}

function complement(of: readonly Range[]): Range[] {
  const edges = [...of.map(([first, last]) => ({ before: first - 1, after: last + 1 })), undefined]
  let from = 0
  return edges.map((edge) => {
    const range: Range = [from, edge?.before ?? LAST]
    from = edge?.after ?? LAST
    return range
  })
}

function ranges(of: readonly Range[]): string {
  return of.map(([first, last]) => `${written(first)}-${written(last)}`).join('')
}

function written(code: number): string {
  return `\\x{${code.toString(16)}}`
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}
