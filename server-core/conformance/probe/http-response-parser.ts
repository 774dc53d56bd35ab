/** The head of a response. */
export type ResponseHead = {
  readonly status: number
  readonly reason: string
  readonly version: string
  /** Names in lower case; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Every header line as it came. */
  readonly lines: readonly (readonly [name: string, value: string])[]
}

export type ResponseListener = {
  readonly head: (head: ResponseHead) => void
  readonly body: (bytes: Buffer) => void
  readonly end: () => void
  /** The bytes are not HTTP. */
  readonly invalid: (reason: string) => void
}

const HEAD_END = Buffer.from('\r\n\r\n')
const MAX_HEAD = 256 * 1024

type State =
  | { readonly type: 'head' }
  | { readonly type: 'length'; left: number }
  | { readonly type: 'until-close' }
  | { readonly type: 'chunk-size' }
  | { readonly type: 'chunk'; left: number }
  | { readonly type: 'trailer' }
  | { readonly type: 'done' }

/** Parses one HTTP/1.1 response from pieces that are cut anywhere. */
export class ResponseParser {
  readonly #listener: ResponseListener
  readonly #isHead: boolean
  #rest: Buffer = Buffer.alloc(0)
  #state: State = { type: 'head' }

  /** `isHead`: the request was a HEAD, so that there is no body. */
  constructor(listener: ResponseListener, isHead = false) {
    this.#listener = listener
    this.#isHead = isHead
  }

  push(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    while (this.#step()) continue
  }

  /** The connection ended. */
  close(): void {
    if (this.#state.type === 'done') return
    if (this.#state.type === 'until-close') this.#end()
    else if (this.#state.type === 'head')
      this.#listener.invalid(this.#rest.length === 0 ? 'no response' : 'the head of the response breaks off')
    else this.#listener.invalid('the body of the response breaks off')
    this.#state = { type: 'done' }
  }

  #step(): boolean {
    const state = this.#state
    switch (state.type) {
      case 'head':
        return this.#head()
      case 'length':
      case 'chunk': {
        if (this.#rest.length === 0) return false
        const piece = this.#rest.subarray(0, state.left)
        this.#rest = this.#rest.subarray(piece.length)
        state.left -= piece.length
        this.#listener.body(piece)
        if (state.left > 0) return false
        if (state.type === 'length') this.#end()
        else this.#state = { type: 'chunk-size' }
        return true
      }
      case 'until-close':
        if (this.#rest.length > 0) this.#listener.body(this.#take(this.#rest.length))
        return false
      case 'chunk-size':
        return this.#chunkSize()
      case 'trailer': {
        const line = this.#line()
        if (line === '') this.#end()
        return line !== undefined && line !== ''
      }
      case 'done':
        return false
    }
  }

  #head(): boolean {
    const at = this.#rest.indexOf(HEAD_END)
    if (at === -1) {
      if (this.#rest.length > MAX_HEAD) this.#fail('the head of the response is longer than 256 KiB')
      return false
    }
    const [first = '', ...lines] = this.#take(at + 4)
      .toString('latin1')
      .trimEnd()
      .split('\r\n')
    const match = /^(HTTP\/\d\.\d) (\d{3})(?: (.*))?$/.exec(first)
    if (match === null) return this.#fail(`expected a status line, got "${first.slice(0, 80)}"`)
    const [, version = '', status = '', reason = ''] = match
    if (status.startsWith('1') && status !== '101') return true
    const pairs = lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
    const headers: Record<string, string> = {}
    for (const [name, value] of pairs) {
      const key = name.toLowerCase()
      headers[key] = Object.hasOwn(headers, key) ? `${headers[key] ?? ''}, ${value}` : value
    }
    this.#listener.head({ status: Number(status), reason, version, headers, lines: pairs })
    this.#state = this.#bodyState(Number(status), headers)
    if (this.#state.type === 'done') this.#listener.end()
    return true
  }

  #bodyState(status: number, headers: Readonly<Record<string, string>>): State {
    if (this.#isHead || status === 204 || status === 304) return { type: 'done' }
    if (status === 101) return { type: 'until-close' }
    if (/chunked/i.test(headers['transfer-encoding'] ?? '')) return { type: 'chunk-size' }
    const length = headers['content-length']
    if (length === undefined) return { type: 'until-close' }
    const left = Number.parseInt(length)
    return left > 0 ? { type: 'length', left } : { type: 'done' }
  }

  #chunkSize(): boolean {
    const line = this.#line()
    if (line === undefined) return false
    // The line break behind a chunk.
    if (line === '') return true
    const size = Number.parseInt(line, 16)
    if (Number.isNaN(size)) return this.#fail(`expected the size of a chunk, got "${line.slice(0, 80)}"`)
    this.#state = size === 0 ? { type: 'trailer' } : { type: 'chunk', left: size }
    return true
  }

  #line(): string | undefined {
    const at = this.#rest.indexOf('\r\n')
    if (at === -1) return undefined
    return this.#take(at + 2)
      .subarray(0, at)
      .toString('latin1')
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return taken
  }

  #end(): void {
    this.#state = { type: 'done' }
    this.#listener.end()
  }

  #fail(reason: string): false {
    this.#state = { type: 'done' }
    this.#listener.invalid(reason)
    return false
  }
}
