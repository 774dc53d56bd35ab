import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { HeadFacts, PlainHead } from './plain-head.ts'

/** A request that came whole: what the listener reads of an `IncomingMessage`, and its body. */
export class FastRequest {
  readonly httpVersionMajor = 1
  readonly method: 'POST' | 'GET'
  url: string
  /** Shared with other requests whose heads are the same: to be replaced, never changed. */
  headers: IncomingHttpHeaders
  rawHeaders: readonly string[]
  readonly socket: Socket
  readonly body: Buffer

  constructor(head: PlainHead, facts: HeadFacts, socket: Socket, body: Buffer) {
    this.method = head.method
    this.url = head.url
    this.headers = facts.headers
    this.rawHeaders = facts.rawHeaders
    this.socket = socket
    this.body = body
  }
}
