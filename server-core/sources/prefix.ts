const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*:(?:\/\/)?)/

/**
 * Puts a prefix before the names of a source and takes it off again: `name` → `prefix.name`, `notes://all` →
 * `notes://prefix/all`, `urn:a` → `urn:prefix/a`. What goes in comes out as it was.
 */
export class Prefix {
  readonly text: string
  readonly #separator: string

  constructor(text: string, separator: '.' | '_' = '.') {
    this.text = text
    this.#separator = separator
  }

  name(own: string): string {
    return `${this.text}${this.#separator}${own}`
  }

  /** Of a URI or a URI template; undefined if it does not begin with a scheme. */
  uri(own: string): string | undefined {
    const scheme = SCHEME.exec(own)?.[1]
    return scheme === undefined ? undefined : `${scheme}${this.text}/${own.slice(scheme.length)}`
  }

  /** The URI as its source has it; undefined if it is not of this source. */
  ownUri(uri: string): string | undefined {
    const scheme = SCHEME.exec(uri)?.[1]
    const between = `${this.text}/`
    if (scheme === undefined || !uri.startsWith(between, scheme.length)) return undefined
    const own = `${scheme}${uri.slice(scheme.length + between.length)}`
    // "urn:birds/" before "//x" reads as another scheme part than it was made of.
    return this.uri(own) === uri ? own : undefined
  }
}
