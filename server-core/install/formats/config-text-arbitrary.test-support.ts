import fc from 'fast-check'

/** How a text is laid out, and a stream of yes and no for what people do here and there. */
export type Manner = {
  readonly lineEnd: string
  readonly unit: string
  readonly trailingCommas: boolean
  readonly comments: boolean
  readonly probabilities: readonly boolean[]
}

/** Manners of writing. */
export const manners: fc.Arbitrary<Manner> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n'),
  unit: fc.constantFrom('  ', '    ', '\t', ' '),
  trailingCommas: fc.boolean(),
  comments: fc.boolean(),
  probabilities: fc.array(fc.boolean(), { minLength: 8, maxLength: 40 }),
})

/** Names as servers and settings have them, some of them awkward. */
export const names = fc.oneof(
  fc.constantFrom('docs', 'my server', 'a.b', 'ä#1', '//x', 'it"s', "it's", 'yes', '0', 'c:d', 'servers'),
  fc
    .string({ minLength: 1, maxLength: 8 })
    .filter((name) => name !== '__proto__' && !/[\uD800-\uDFFF]/.test(name)),
)

const scalars = fc.oneof(
  fc.string({ maxLength: 12 }).filter((text) => !/[\uD800-\uDFFF]/.test(text)),
  fc.constantFrom('/* no comment */', '// neither', '# nor this', '{', '[x]', ' padded ', 'a\nb', 'a\tb', ''),
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.boolean(),
)

/** Entries and settings: maps of texts, numbers, lists and maps. */
export const settings = fc.dictionary(
  names,
  fc.oneof(
    scalars,
    fc.array(scalars, { maxLength: 3 }),
    fc.dictionary(names, scalars, { maxKeys: 3, noNullPrototype: true }),
  ),
  { maxKeys: 4, noNullPrototype: true },
)

/** A file of a client: settings, and servers at a path, which may be missing. */
export function configs(
  path: readonly string[],
): fc.Arbitrary<{ readonly value: Record<string, unknown>; readonly servers: number }> {
  const [first = '', second] = path
  const servers = fc.dictionary(names, settings, { maxKeys: 3, noNullPrototype: true })
  return fc
    .record({ before: settings, after: settings, servers: fc.option(servers, { nil: undefined }) })
    .map(({ before, after, servers: there }) => {
      const value: Record<string, unknown> = { ...before }
      for (const step of path) Reflect.deleteProperty(value, step)
      if (there !== undefined) value[first] = second === undefined ? there : { [second]: there }
      for (const [name, item] of Object.entries(after)) if (name !== first) value[name] = item
      return { value, servers: Object.keys(there ?? {}).length }
    })
}

/** As JSON5 may have names and texts. */
export const JSON5_QUOTES: Quotes = {
  name: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON5_QUOTES.text(name)),
  text: (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
}

type Quotes = { readonly name: (name: string) => string; readonly text: (text: string) => string }
const JSON_QUOTES: Quotes = { name: (name) => JSON.stringify(name), text: (text) => JSON.stringify(text) }

/** JSON text of a value, with the comments and commas of a manner. */
export function jsonText(value: unknown, manner: Manner, quotes = JSON_QUOTES): string {
  let at = 0
  const probability = () =>
    manner.comments && manner.probabilities[(at += 1) % manner.probabilities.length] === true
  const write = (item: unknown, indent: string): string => {
    if (typeof item === 'string') return quotes.text(item)
    if (typeof item !== 'object' || item === null) return JSON.stringify(item)
    const isList = Array.isArray(item)
    const [open, close] = isList ? ['[', ']'] : ['{', '}']
    const inner = indent + manner.unit
    const members = isList
      ? item.map((each) => write(each, inner))
      : Object.entries(item).map(([name, each]) => `${quotes.name(name)}: ${write(each, inner)}`)
    if (members.length === 0) return `${open}${close}`
    const lines = members.map((member, index) => {
      const comma = index < members.length - 1 || manner.trailingCommas ? ',' : ''
      const above = probability() ? `${inner}// above, with "quotes", {${manner.lineEnd}` : ''
      const beside = probability() ? ' // beside, ]' : probability() ? ' /* beside } */' : ''
      return `${above}${inner}${member}${comma}${beside}`
    })
    const below = probability() ? `${manner.lineEnd}${inner}/* below */` : ''
    return [open, ...lines].join(manner.lineEnd) + below + manner.lineEnd + indent + close
  }
  return write(value, '') + (probability() ? manner.lineEnd : '')
}
