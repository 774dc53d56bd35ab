import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import type { CheckEntry, Side } from '../catalogue/catalogue.ts'
import { Examination } from '../examination.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import type { Cell } from '../verdict.ts'
import { isWithoutEnvelope } from './without-envelope.ts'

const FIRST_MODERN: Revision = '2026-07-28'

/** One JSON-RPC message of a transcript. Messages of an array are taken apart. */
export type SeenMessage = {
  readonly message: JsonObject
  readonly frame: CapturedFrame
  readonly from: Side
  readonly kind: 'request' | 'notification' | 'response'
  /** JSON Pointer to the message in its frame: empty, or the place in an array. */
  readonly pointer: string
  /** The request that a response answers, where it was seen. */
  readonly answers: SeenMessage | undefined
  /** That of its connection, or of the older session that it belongs to. */
  readonly revision: Revision
}

/** What a passive check reads: the frames of one cell, of a recording or of the live timeline. */
export class Transcript extends Examination {
  readonly frames: readonly CapturedFrame[]
  readonly #messages: readonly SeenMessage[]
  #seen = 0

  constructor(
    entry: CheckEntry,
    cell: Cell,
    frames: readonly CapturedFrame[],
    log: FrameLog,
    messages?: readonly SeenMessage[],
  ) {
    super(entry, cell, log)
    this.frames = frames
    this.#messages = messages ?? messagesOf(frames, cell.revision)
  }

  /** The side that is examined. */
  get side(): Side {
    return this.cell.side
  }

  /** How many things the check looked at; with none it is inconclusive. */
  get seen(): number {
    return this.#seen
  }

  /** Every message of both sides, in order. */
  get messages(): readonly SeenMessage[] {
    return this.#messages
  }

  /**
   * The messages of the examined side, each of which counts as looked at.
   *
   * @param accepts what the check is about; everything if not given
   */
  *examined(accepts: (seen: SeenMessage) => boolean = () => true): Generator<SeenMessage> {
    for (const seen of this.#messages) {
      if (seen.from !== this.side || !accepts(seen)) continue
      this.#seen += 1
      yield seen
    }
  }

  /** The frames of the examined side, invalid bytes and HTTP heads included, each of which counts as looked at. */
  *examinedFrames(accepts: (frame: CapturedFrame) => boolean = () => true): Generator<CapturedFrame> {
    for (const frame of this.frames) {
      if (frame.from !== this.side || !accepts(frame)) continue
      this.#seen += 1
      yield frame
    }
  }

  /** Counts something as looked at. */
  see(): void {
    this.#seen += 1
  }

  /** The frames by check, for rules about everything that one client or server process did. */
  runs(): readonly (readonly CapturedFrame[])[] {
    return [...Map.groupBy(this.frames, ({ connection }) => connection.run).values()]
  }

  /** The frames by connection, for rules about one session. */
  connections(): ReadonlyMap<number, readonly SeenMessage[]> {
    return Map.groupBy(this.#messages, ({ frame }) => frame.connection.number)
  }
}

/** The messages of frames, each response with the request that it answers. */
export function messagesOf(frames: readonly CapturedFrame[], revision: Revision): readonly SeenMessage[] {
  const open = new Map<string, SeenMessage>()
  const messages: SeenMessage[] = []
  for (const frame of frames) {
    if (frame.kind !== 'message') continue
    const isBatch = Array.isArray(frame.value)
    const values = isBatch ? (frame.value as unknown[]) : [frame.value]
    for (const [index, message] of values.entries()) {
      if (!isJsonObject(message)) continue
      const kind = kindOf(message)
      const other = frame.from === 'client' ? 'server' : 'client'
      const place = `${frame.connection.number} ${kind === 'response' ? other : frame.from}`
      // An answer whose id has the wrong type answers all the same: its type is a matter of one check.
      const key = `${place} ${typeof message['id'] === 'string' ? message['id'] : JSON.stringify(message['id'])}`
      const answers = kind === 'response' ? open.get(key) : undefined
      const seen: SeenMessage = {
        message,
        frame,
        from: frame.from,
        kind,
        pointer: isBatch ? `/${index}` : '',
        answers,
        revision: revisionOf(message, kind, frame, answers) ?? frame.connection.revision ?? revision,
      }
      if (kind === 'request') open.set(key, seen)
      messages.push(seen)
    }
  }
  return messages
}

/**
 * The revision of a message that belongs to an older session beside modern requests, which a server of both eras has;
 * undefined for all others. Over HTTP the session's later requests name it in a header.
 */
function revisionOf(
  message: JsonObject,
  kind: SeenMessage['kind'],
  { connection, http }: CapturedFrame,
  answers: SeenMessage | undefined,
): Revision | undefined {
  if (connection.revision !== undefined && connection.revision < FIRST_MODERN) return undefined
  if (kind === 'response') return answers?.revision
  const params = isJsonObject(message['params']) ? message['params'] : {}
  if (message['method'] === 'initialize') return olderRevision(params['protocolVersion'])
  return isWithoutEnvelope(message) ? olderRevision(http?.headers['mcp-protocol-version']) : undefined
}

function olderRevision(value: unknown): Revision | undefined {
  return SUPPORTED.find((revision) => revision === value && revision < FIRST_MODERN)
}

function kindOf(message: JsonObject): SeenMessage['kind'] {
  const { method } = message
  if (method === undefined) return 'response'
  const isNotice = typeof method === 'string' && method.startsWith('notifications/')
  return 'id' in message && !isNotice ? 'request' : 'notification'
}
