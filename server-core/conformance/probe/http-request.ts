/** An HTTP request as it is written, byte for byte. */
export type RawHttpRequest = {
  readonly method: string
  readonly url: string
  /** Headers in this order; Host, Content-Length and Connection are added unless given. Null leaves one out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>
  readonly body?: string | Uint8Array
  /** Sends the body in chunks (Transfer-Encoding: chunked), cut at these offsets. */
  readonly chunksAt?: readonly number[]
  /** Replaces the whole head; it must end with an empty line. */
  readonly head?: string | Uint8Array
}

/** The bytes of a request, as pieces that are written one after the other. */
export function requestPieces(request: RawHttpRequest): readonly Buffer[] {
  const body = bodyOf(request)
  const head = request.head ?? headOf(request, body)
  const first = Buffer.from(head)
  if (request.chunksAt === undefined) return [Buffer.concat([first, body])]
  const pieces: Buffer[] = [first]
  const cuts = [0, ...request.chunksAt, body.length]
  for (let index = 1; index < cuts.length; index += 1) {
    const piece = body.subarray(cuts[index - 1], cuts[index])
    if (piece.length === 0) continue
    pieces.push(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]))
  }
  return [...pieces, Buffer.from('0\r\n\r\n')]
}

function bodyOf({ body }: RawHttpRequest): Buffer {
  return body === undefined ? Buffer.alloc(0) : Buffer.from(body)
}

function headOf({ method, url, headers = {}, body, chunksAt }: RawHttpRequest, bytes: Buffer): string {
  const target = new URL(url)
  const lines = [`${method} ${target.pathname}${target.search} HTTP/1.1`]
  const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const own: Record<string, string> = { host: target.host }
  if (chunksAt !== undefined) own['transfer-encoding'] = 'chunked'
  else if (body !== undefined || method === 'POST') own['content-length'] = String(bytes.length)
  own['connection'] = 'close'
  for (const [name, value] of Object.entries(own)) if (!named.has(name)) lines.push(`${name}: ${value}`)
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) continue
    for (const each of typeof value === 'string' ? [value] : value) lines.push(`${name}: ${each}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
