import { CodedError } from './coded-error.ts'

/** Longest template that is compiled, in UTF-16 units. */
const MAX_TEMPLATE_LENGTH = 4_096
/** Most expressions in one template; with it a match costs at most this many steps for each character. */
const MAX_EXPRESSIONS = 32
/** Longest URI that is matched; a longer one matches nothing. */
const MAX_URI_LENGTH = 65_536

/** The value of one variable: text, or the items of an exploded list. */
export type UriVariables = Readonly<Record<string, string | readonly string[]>>

/** The form of a variable in its template: `{a}`, `{+a}`, `{a*}` or `{?a}`. */
export type UriVariable = {
  readonly name: string
  readonly form: 'simple' | 'reserved' | 'list' | 'query'
}

/** A template that is not a RFC 6570 template, uses a form outside the subset, or misses a value. */
export class UriTemplateError extends CodedError<'invalid-template'> {
  override readonly name = 'UriTemplateError'

  constructor(message: string, options?: ErrorOptions) {
    super('invalid-template', message, options)
  }
}

export type UriTemplate = {
  readonly template: string
  readonly variables: readonly UriVariable[]
  /**
   * The URI for these values (RFC 6570, section 3). Query variables may be missing, the others may not: throws a
   * `UriTemplateError` that names the one.
   */
  expand(values: UriVariables): string
  /**
   * The values that a URI carries, percent-decoded, or undefined if it is not an expansion of this template. Needs
   * time linear in the length of the URI, whatever the URI is. Where several readings fit, variables further left
   * take as little as they can. Query variables may come in any order; those that are not there are left out.
   */
  match(uri: string): UriVariables | undefined
}

type Literal = { readonly type: 'literal'; readonly text: string }
type Hole = { readonly type: 'hole'; readonly name: string; readonly form: 'simple' | 'reserved' | 'list' }
type Part = Literal | Hole

/**
 * Compiles the subset `{a}`, `{+a}`, `{a*}` and, at the end, `{?a,b}` of RFC 6570. Expressions need something
 * between them, else no one could tell where one ends. Throws a `UriTemplateError` that says what is wrong.
 */
export function compileUriTemplate(template: string): UriTemplate {
  const { parts, query } = parse(template)
  const holes = parts.filter((part) => part.type === 'hole')
  const variables: UriVariable[] = [
    ...holes.map(({ name, form }) => ({ name, form })),
    ...query.map((name) => ({ name, form: 'query' as const })),
  ]
  const seen = new Set<string>()
  for (const { name } of variables) {
    if (seen.has(name)) throw new UriTemplateError(`${quoted(template)} uses the variable "${name}" twice.`)
    seen.add(name)
  }
  return {
    template,
    variables,
    expand: (values) => expand(template, parts, query, values),
    match: (uri) => match(parts, query, uri),
  }
}

function parse(template: string): { parts: readonly Part[]; query: readonly string[] } {
  if (template.length > MAX_TEMPLATE_LENGTH) {
    throw new UriTemplateError(`A URI template has at most ${MAX_TEMPLATE_LENGTH} characters.`)
  }
  const parts: Part[] = []
  let query: readonly string[] = []
  let at = 0
  let expressions = 0
  while (at < template.length) {
    const open = template.indexOf('{', at)
    const literal = template.slice(at, open === -1 ? undefined : open)
    if (/[\s{}]/.test(literal)) {
      throw new UriTemplateError(`${quoted(template)} has white space or a brace without its partner.`)
    }
    if (query.length > 0)
      throw new UriTemplateError(`${quoted(template)} goes on after {?…}, which must be its end.`)
    if (literal !== '') parts.push({ type: 'literal', text: encodeReserved(literal) })
    if (open === -1) break
    const close = template.indexOf('}', open)
    if (close === -1) throw new UriTemplateError(`${quoted(template)} has a "{" that is never closed.`)
    expressions += 1
    if (expressions > MAX_EXPRESSIONS) {
      throw new UriTemplateError(`A URI template has at most ${MAX_EXPRESSIONS} expressions.`)
    }
    const body = template.slice(open + 1, close)
    if (body.startsWith('?')) {
      query = body.slice(1).split(',')
      for (const name of query) checkName(template, body, name)
    } else {
      if (parts.at(-1)?.type === 'hole') {
        throw new UriTemplateError(`${quoted(template)} needs some text before {${body}}.`)
      }
      parts.push(hole(template, body))
    }
    at = close + 1
  }
  return { parts, query }
}

function hole(template: string, body: string): Hole {
  const reserved = body.startsWith('+')
  const list = body.endsWith('*')
  const name = body.slice(reserved ? 1 : 0, list ? -1 : undefined)
  if (reserved && list) throw unsupported(template, body)
  checkName(template, body, name)
  return { type: 'hole', name, form: reserved ? 'reserved' : list ? 'list' : 'simple' }
}

function checkName(template: string, body: string, name: string): void {
  if (!/^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/.test(name)) throw unsupported(template, body)
}

function unsupported(template: string, body: string): UriTemplateError {
  return new UriTemplateError(
    `${quoted(template)} holds {${body}}; understood are {name}, {+name}, {name*} and {?name,name}.`,
  )
}

function expand(
  template: string,
  parts: readonly Part[],
  query: readonly string[],
  values: UriVariables,
): string {
  let uri = ''
  for (const part of parts) {
    if (part.type === 'literal') {
      uri += part.text
      continue
    }
    const value = Object.hasOwn(values, part.name) ? values[part.name] : undefined
    if (value === undefined || value.length === 0) {
      throw new UriTemplateError(`${quoted(template)} needs a value for "${part.name}".`)
    }
    const encode = part.form === 'reserved' ? encodeReserved : encodeUnreserved
    uri += typeof value === 'string' ? encode(value) : value.map(encode).join(',')
  }
  let separator = '?'
  for (const name of query) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) continue
    const text = typeof value === 'string' ? encodeUnreserved(value) : value.map(encodeUnreserved).join(',')
    uri += `${separator}${name}=${text}`
    separator = '&'
  }
  return uri
}

function match(parts: readonly Part[], query: readonly string[], uri: string): UriVariables | undefined {
  if (uri.length > MAX_URI_LENGTH) return undefined
  const mark = query.length > 0 ? uri.indexOf('?') : -1
  const path = mark === -1 ? uri : uri.slice(0, mark)
  const texts = matchParts(parts, path)
  if (texts === undefined) return undefined
  const values: [string, string | readonly string[]][] = []
  for (const [hole, text] of texts) {
    const items = (hole.form === 'list' ? text.split(',') : [text]).map(decode)
    if (!items.every((item) => item !== undefined)) return undefined
    const [first = ''] = items
    values.push([hole.name, hole.form === 'list' ? items : first])
  }
  if (mark !== -1) {
    const pairs = matchQuery(query, uri.slice(mark + 1))
    if (pairs === undefined) return undefined
    values.push(...pairs)
  }
  return Object.fromEntries(values)
}

/**
 * Finds what each hole stands for. `fits[k * width + i]` says whether the parts from k on can make up the path
 * from i on; it is filled from the end, so each cell is decided once and no reading is tried twice.
 */
function matchParts(parts: readonly Part[], path: string): [Hole, string][] | undefined {
  const [first] = parts
  if (first?.type === 'literal' && !path.startsWith(first.text)) return undefined
  const width = path.length + 1
  const fits = new Uint8Array((parts.length + 1) * width)
  fits[parts.length * width + path.length] = 1
  for (let k = parts.length - 1; k >= 0; k -= 1) {
    const part = parts[k]
    if (part === undefined) continue
    const row = k * width
    const next = row + width
    if (part.type === 'literal') {
      const length = part.text.length
      for (let i = path.length - length; i >= 0; i -= 1) {
        if (fits[next + i + length] === 1 && path.startsWith(part.text, i)) fits[row + i] = 1
      }
    } else {
      for (let i = path.length - 1; i >= 0; i -= 1) {
        const continues = fits[next + i + 1] === 1 || fits[row + i + 1] === 1
        if (continues && mayStandIn(part, path.charCodeAt(i))) fits[row + i] = 1
      }
    }
  }
  if (fits[0] !== 1) return undefined
  const found: [Hole, string][] = []
  let at = 0
  for (const [k, part] of parts.entries()) {
    if (part.type === 'literal') {
      at += part.text.length
      continue
    }
    let end = at + 1
    while (fits[(k + 1) * width + end] !== 1) end += 1
    found.push([part, path.slice(at, end)])
    at = end
  }
  return found
}

const SLASH = 0x2f
const QUESTION_MARK = 0x3f
const HASH = 0x23

/** Reserved holes take anything but white space; the others end at `/`, `?` and `#`. */
function mayStandIn(hole: Hole, code: number): boolean {
  if (code <= 0x20) return false
  return hole.form === 'reserved' || (code !== SLASH && code !== QUESTION_MARK && code !== HASH)
}

function matchQuery(names: readonly string[], text: string): [string, string][] | undefined {
  const found = new Map<string, string>()
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    const name = equals === -1 ? pair : pair.slice(0, equals)
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1))
    if (value === undefined || !names.includes(name) || found.has(name)) return undefined
    found.set(name, value)
  }
  return [...found]
}

function encodeUnreserved(text: string): string {
  if (!text.isWellFormed()) throw new UriTemplateError('A value holds half of a surrogate pair.')
  return encodeURIComponent(text).replace(/[!'()*]/g, percent)
}

/** Keeps reserved characters and percent-triplets as they are (RFC 6570, section 3.2.3). */
function encodeReserved(text: string): string {
  if (!text.isWellFormed()) throw new UriTemplateError('A value holds half of a surrogate pair.')
  return text.replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/gu, (found) =>
    found.length === 3 && found.startsWith('%') ? found : encodeURIComponent(found),
  )
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Undefined if a percent-triplet is broken or is not UTF-8. */
function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function quoted(template: string): string {
  return `The URI template "${template.length > 200 ? `${template.slice(0, 200)}…` : template}"`
}
