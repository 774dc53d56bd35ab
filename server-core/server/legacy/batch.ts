import { versionClaim } from '../../protocol/era.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { overLimit, overlongIdOf } from '../../protocol/limit-error.ts'
import type { Limits } from '../../protocol/limits.ts'
import { classifyMessage, type Classified } from '../../protocol/messages.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { bytesOf } from '../../ports/encoded-message.ts'
import type { ReplySink } from '../../ports/server-port.ts'

/** One message of an array. */
export type BatchItem = Extract<Classified, { type: 'request' | 'notification' | 'result' | 'error' }>

/**
 * The messages of an array (2025-03-26, Base protocol: batching). Throws a `ProtocolError` (`invalidRequest`) if the
 * revision has none, or for one that is empty, too long, or holds what may not be in it.
 */
export function readBatch(row: RevisionRow, items: readonly unknown[], limits: Limits): readonly BatchItem[] {
  if (!row.batches) throw invalidRequest(`${row.revision} has no arrays of messages; send them one by one`)
  if (items.length === 0) throw invalidRequest('the array of messages is empty')
  if (items.length > limits.batch) {
    const reason = `the array has ${items.length} messages, more than ${limits.batch}`
    throw overLimit('batch', limits.batch, reason)
  }
  return items.map((item, index) => readItem(item, index, limits))
}

function readItem(value: unknown, index: number, limits: Limits): BatchItem {
  const classified = classifyMessage(value)
  const overlong = overlongIdOf(classified, limits)
  if (overlong !== undefined) throw overlong
  switch (classified.type) {
    case 'batch':
      throw invalidRequest(`message ${index} of the array is an array itself`)
    case 'invalid':
      throw invalidRequest(`message ${index} of the array: ${classified.reason}`)
    case 'request':
      if (classified.message.method === 'initialize') {
        throw invalidRequest('"initialize" must not be part of an array')
      }
      if (versionClaim(classified.message) !== undefined) {
        throw invalidRequest(`message ${index} of the array names a revision of its own`)
      }
      return classified
    case 'notification':
    case 'result':
    case 'error':
      return classified
  }
}

const OPENING = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSING = Buffer.from(']')

/**
 * Gathers the answers to the requests of one array. The last one sends them all in an array, or each by itself where
 * the reply has become a stream, whose readers expect no arrays.
 */
export class BatchReply {
  readonly #sink: ReplySink
  readonly #answers: Uint8Array[] = []
  #open: number

  /** `requests` is how many will be answered or abandoned. */
  constructor(requests: number, sink: ReplySink) {
    this.#open = requests
    this.#sink = sink
  }

  /** Where the messages about one of the requests go. */
  sinkOfOne(): ReplySink {
    return {
      emit: (bytes) => {
        this.#sink.emit(bytes)
      },
      answer: (message) => {
        this.#answers.push(bytesOf(message))
        this.#oneIsOver()
      },
      abandon: () => {
        this.#oneIsOver()
      },
    }
  }

  #oneIsOver(): void {
    this.#open -= 1
    if (this.#open > 0) return
    const last = this.#answers.at(-1)
    if (last === undefined) this.#sink.abandon()
    else if (this.#sink.streaming === true) {
      for (const bytes of this.#answers.slice(0, -1)) this.#sink.emit(bytes)
      this.#sink.answer(last, 200)
    } else {
      const parts = this.#answers.flatMap((bytes, index) => (index === 0 ? [bytes] : [COMMA, bytes]))
      this.#sink.answer(Buffer.concat([OPENING, ...parts, CLOSING]), 200)
    }
  }
}

function invalidRequest(reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidRequest, `Invalid request: ${reason}`)
}
