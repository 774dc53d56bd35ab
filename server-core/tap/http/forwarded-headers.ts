/** Headers that belong to one connection and not to the message (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'te', 'trailer'])

/** Name and value by turns, as they came: their order, case and repetition stay. */
export type RawHeaders = readonly string[]

/**
 * The headers of a request as the server gets them: `Host` is the server's own, and those of the connection are left out.
 * `upgrade` keeps what a WebSocket needs, and leaves out extensions, so that its messages can be read.
 */
export function requestHeaders(headers: RawHeaders, host: string, upgrade = false): string[] {
  return changed(headers, (name, value) => {
    if (name === 'host') return host
    if (upgrade && (name === 'connection' || name === 'upgrade')) return value
    if (upgrade && name === 'sec-websocket-extensions') return undefined
    return OF_CONNECTION.has(name) ? undefined : value
  })
}

/** The headers of an answer as the client gets them. `rewrite` changes values, `without` leaves a header out. */
export function responseHeaders(
  headers: RawHeaders,
  rewrite: (value: string) => string = (value) => value,
  without: readonly string[] = [],
): string[] {
  return changed(headers, (name, value) => {
    if (OF_CONNECTION.has(name) || name === 'transfer-encoding' || without.includes(name)) return undefined
    return name === 'www-authenticate' || name === 'location' ? rewrite(value) : value
  })
}

/** Headers by their names in lower case, for recordings. Values of the same name are joined. */
export function joinedHeaders(headers: RawHeaders): Record<string, string> {
  const joined = new Map<string, string>()
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name, value] = [(headers[at] ?? '').toLowerCase(), headers[at + 1] ?? '']
    const present = joined.get(name)
    joined.set(name, present === undefined ? value : `${present}, ${value}`)
  }
  return Object.fromEntries(joined)
}

function changed(headers: RawHeaders, change: (name: string, value: string) => string | undefined): string[] {
  const result: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name, value] = [headers[at] ?? '', headers[at + 1] ?? '']
    const after = change(name.toLowerCase(), value)
    if (after !== undefined) result.push(name, after)
  }
  return result
}
