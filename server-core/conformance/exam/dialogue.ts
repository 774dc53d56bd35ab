import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { ExamConnection } from './exam-connection.ts'
import { usualContent } from './exam-content.ts'
import type { Reply } from './reply.ts'
import { usualReply } from './usual-reply.ts'
import type { Outcome } from '../probe/outcome.ts'

/** One request of the client while it is answered. */
export type Turn = {
  readonly request: JsonObject
  readonly params: JsonObject
  readonly connection: ExamConnection
  /** HTTP headers in lower case; empty elsewhere. */
  readonly headers: Readonly<Record<string, string>>
  /** How many requests of this method came before in this exam. */
  readonly count: number
  /** The reply of a correct server. */
  readonly usual: () => Reply
  /** Sends a message before the answer, on the stream of this request. */
  readonly send: (message: unknown) => void
  /** Streamable HTTP: answers by an event stream, not by JSON. */
  readonly stream: () => void
  /** Sends a request to the client on that stream and waits for its answer (legacy revisions). */
  readonly ask: (method: string, params?: JsonObject, id?: unknown) => Promise<Outcome>
}

export type Handler = (turn: Turn) => Reply | Promise<Reply>

/** What the exam server says, by method; a correct server unless a check changes it. */
export class Dialogue {
  /** The revision that the server speaks; a check may make it another than that of the cell. */
  revision: Revision
  readonly content = usualContent()
  readonly #handlers = new Map<string, Handler>()
  readonly #counts = new Map<string, number>()

  constructor(revision: Revision) {
    this.revision = revision
  }

  /** Answers a method in another way than a correct server. */
  on(method: string, handler: Handler): void {
    this.#handlers.set(method, handler)
  }

  /** Changes the result that a correct server gives. */
  alter(method: string, change: (result: JsonObject, turn: Turn) => JsonObject): void {
    this.on(method, (turn) => {
      const reply = turn.usual()
      return 'result' in reply ? { result: change(reply.result, turn) } : reply
    })
  }

  /** The reply to one request. */
  async reply(turn: Omit<Turn, 'count' | 'usual' | 'params'>): Promise<Reply> {
    const { request } = turn
    const method = String(request['method'])
    const count = this.#counts.get(method) ?? 0
    this.#counts.set(method, count + 1)
    const usual = () => usualReply(request, this.content, this.revision)
    const params = isJsonObject(request['params']) ? request['params'] : {}
    const handler = this.#handlers.get(method)
    return handler === undefined ? usual() : handler({ ...turn, params, count, usual })
  }
}
