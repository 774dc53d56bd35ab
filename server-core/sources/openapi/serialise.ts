/** The form of a parameter's value in a request (OpenAPI 3.1, Parameter Object: style values). */
export type Style = 'matrix' | 'label' | 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'

export type Serialisation = {
  readonly name: string
  readonly style: Style
  readonly explode: boolean
  /** Of queries: what RFC 6570 reserves stays as it is. */
  readonly allowReserved: boolean
}

/** A value as the styles see it: RFC 6570 knows texts, lists and pairs; what is undefined (null) is left out. */
type Shape =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'pairs'; readonly pairs: readonly (readonly [string, string])[] }

type Encode = (text: string) => string

const JOINTS: ReadonlyMap<Style, string> = new Map([
  ['spaceDelimited', '%20'],
  ['pipeDelimited', '%7C'],
])

const RESERVED_KEPT = /%[0-9A-Fa-f]{2}|[:/?#[\]@!$&'()*+,;=]/g

/** Percent-encodes all but unreserved characters (RFC 3986, section 2.3). A lone surrogate becomes U+FFFD. */
export function encodeValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Percent-encodes all but unreserved and reserved characters and what is percent-encoded already. */
function encodeReserved(text: string): string {
  let encoded = ''
  let at = 0
  for (const match of text.matchAll(RESERVED_KEPT)) {
    encoded += encodeValue(text.slice(at, match.index)) + match[0]
    at = match.index + match[0].length
  }
  return encoded + encodeValue(text.slice(at))
}

/** What replaces the parameter in the path; undefined for an invalid value. */
export function pathText(as: Serialisation, value: unknown): string | undefined {
  const shape = shapeOf(value)
  if (shape === undefined) return undefined
  const { style, name } = as
  if (style === 'label') return labelled(as, shape)
  if (style === 'matrix') return matrix(encodeValue(name), as.explode, shape)
  return simple(as.explode, shape, encodeValue)
}

/** The value of a header. It is not percent-encoded (OpenAPI 3.1, appendix D). */
export function headerText(as: Serialisation, value: unknown): string | undefined {
  const shape = shapeOf(value)
  return shape === undefined ? undefined : simple(as.explode, shape, (text) => text)
}

/** The `name=value` parts of a query; none for an invalid value, an empty list or an empty object. */
export function queryParts(as: Serialisation, value: unknown): readonly string[] {
  const encode = as.allowReserved ? encodeReserved : encodeValue
  if (as.style === 'deepObject' && isObject(value)) {
    return deep(encodeValue(as.name), value, as.allowReserved ? (text) => encodeReserved(text) : encodeValue)
  }
  const shape = shapeOf(value)
  if (shape === undefined) return []
  const name = encodeValue(as.name)
  if (as.explode || as.style === 'deepObject') return exploded(name, shape, encode)
  const text = joined(shape, JOINTS.get(as.style) ?? ',', encode)
  return text === undefined ? [] : [`${name}=${text}`]
}

/** The `name=value` parts of the Cookie header. */
export function cookieParts(as: Serialisation, value: unknown): readonly string[] {
  const shape = shapeOf(value)
  if (shape === undefined) return []
  const name = encodeValue(as.name)
  if (as.explode) return exploded(name, shape, encodeValue)
  const text = joined(shape, ',', encodeValue)
  return text === undefined ? [] : [`${name}=${text}`]
}

function simple(explode: boolean, shape: Shape, encode: Encode): string {
  if (shape.type === 'pairs' && explode) {
    return shape.pairs.map(([key, text]) => `${encode(key)}=${encode(text)}`).join(',')
  }
  return joined(shape, ',', encode) ?? ''
}

function labelled({ explode }: Serialisation, shape: Shape): string {
  if (shape.type === 'text') return `.${encodeValue(shape.text)}`
  const parts =
    shape.type === 'list'
      ? shape.items.map(encodeValue)
      : shape.pairs.map(([key, text]) => `${encodeValue(key)}${explode ? '=' : ','}${encodeValue(text)}`)
  return parts.length === 0 ? '' : `.${parts.join(explode ? '.' : ',')}`
}

function matrix(name: string, explode: boolean, shape: Shape): string {
  const part = (key: string, text: string) => (text === '' ? `;${key}` : `;${key}=${text}`)
  if (shape.type === 'text') return part(name, encodeValue(shape.text))
  if (!explode) {
    const text = joined(shape, ',', encodeValue)
    return text === undefined ? '' : part(name, text)
  }
  if (shape.type === 'list') return shape.items.map((item) => part(name, encodeValue(item))).join('')
  return shape.pairs.map(([key, text]) => part(encodeValue(key), encodeValue(text))).join('')
}

function exploded(name: string, shape: Shape, encode: Encode): readonly string[] {
  switch (shape.type) {
    case 'text':
      return [`${name}=${encode(shape.text)}`]
    case 'list':
      return shape.items.map((item) => `${name}=${encode(item)}`)
    case 'pairs':
      return shape.pairs.map(([key, text]) => `${encodeValue(key)}=${encode(text)}`)
  }
}

function joined(shape: Shape, between: string, encode: Encode): string | undefined {
  if (shape.type === 'text') return encode(shape.text)
  const parts = shape.type === 'list' ? shape.items : shape.pairs.flat()
  return parts.length === 0 ? undefined : parts.map(encode).join(between)
}

/** `name[key]=value`, deeper objects with more brackets, items of lists each for themselves. */
function deep(name: string, value: object, encode: Encode): readonly string[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const inner = `${name}%5B${encodeValue(key)}%5D`
    if (isObject(member)) return deep(inner, member, encode)
    const shape = shapeOf(member)
    return shape === undefined || shape.type === 'pairs' ? [] : exploded(inner, shape, encode)
  })
}

function shapeOf(value: unknown): Shape | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return { type: 'list', items: value.filter(isDefined).map(textOf) }
  if (!isObject(value)) return { type: 'text', text: textOf(value) }
  const pairs = Object.entries(value).filter(([, member]) => isDefined(member))
  return { type: 'pairs', pairs: pairs.map(([key, member]) => [key, textOf(member)]) }
}

/** What lies deeper than the styles reach goes as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
