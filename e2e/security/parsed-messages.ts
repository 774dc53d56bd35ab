import { frameOf, FrameReader, TOKEN_BYTES } from '../../server-core/processes/message-frame.ts'
import { parseCallerMessage } from '../../server-core/registry/port/caller-message.ts'
import { readHandlerMessage } from '../../server-core/registry/port/messages.ts'
import {
  FROM_PROCESS,
  HANDLER_MESSAGES,
  NEWS,
  READ_ORDERS,
  spoiled,
  TO_PROCESS,
} from '../../server-core/scripts/channel-messages.test-support.ts'
import {
  parseFromProcess,
  parseReadOrder,
  parseToProcess,
  parseWorkerMessage,
} from '../../server-core/scripts/channel-parsers.ts'
import {
  fromProcessSchema,
  readOrderSchema,
  toProcessSchema,
  workerSaysSchema,
} from '../../server-core/scripts/channel-schemas.test-support.ts'
import { decodeFromPort, encodeForPort } from '../../server-core/scripts/encode-for-port.ts'
import type { Random } from '../random.ts'

/** One parser of messages that cross a process or Worker boundary, and valid messages to start from. */
type Side = {
  readonly name: string
  readonly valid: readonly unknown[]
  readonly parse: (value: unknown) => unknown
  /** Undefined where the parser throws a `TypeError` instead of returning undefined. */
  readonly schema?: { safeParse: (value: unknown) => { readonly success: boolean } }
}

const CALLER_MESSAGES: readonly object[] = [
  {
    type: 'call',
    call: 1,
    target: { op: 'tool', name: 'a', args: { b: [1] } },
    facts: { revision: '2026-07-28', headers: {}, clientCapabilities: {}, meta: {}, answers: {} },
  },
  { type: 'abort', call: 1, reason: { kind: 'other', name: 'AbortError', message: 'cancelled' } },
  { type: 'reply', id: 1, value: { roots: [] } },
  { type: 'failed', id: 1, error: { kind: 'protocol', code: -32_000, message: 'no' } },
  { type: 'stop' },
]

const SIDES: readonly [Side, ...Side[]] = [
  { name: 'Worker to process', valid: NEWS, parse: parseWorkerMessage, schema: workerSaysSchema },
  { name: 'process to host', valid: FROM_PROCESS, parse: parseFromProcess, schema: fromProcessSchema },
  { name: 'host to process', valid: TO_PROCESS, parse: parseToProcess, schema: toProcessSchema },
  { name: 'host to reading Worker', valid: READ_ORDERS, parse: parseReadOrder, schema: readOrderSchema },
  { name: 'handlers to caller', valid: HANDLER_MESSAGES, parse: readHandlerMessage },
  { name: 'caller to handlers', valid: CALLER_MESSAGES, parse: parseCallerMessage },
]

/** How many messages the parsers read, and how many of them they rejected. */
export type ParsedMessages = { readonly parsed: number; readonly rejected: number }

/**
 * Sends damaged messages to the parsers of every boundary between the host, the process of the Workers and a Worker, in
 * this process: as frames cut anywhere or as port messages, the way each arrives. A parser must return or throw a
 * `TypeError`, accept exactly what its schema accepts, and leave `Object.prototype` as it is.
 *
 * @param count messages that are parsed
 */
export function parseHostileMessages(
  random: Random,
  count: number,
  note: (finding: string) => void,
): ParsedMessages {
  let parsed = 0
  let rejected = 0
  while (parsed < count) {
    const side = random.pick(SIDES)
    const sent = spoiled(side.valid[random.below(side.valid.length)], (most) => random.below(most))
    for (const value of arrived(sent, random, note)) {
      parsed += 1
      if (!isAccepted(side, value, note)) rejected += 1
    }
  }
  if (Reflect.has({}, 'polluted')) note('a message changed Object.prototype')
  return { parsed, rejected }
}

/** The value as the other side receives it; nothing if it cannot be sent. */
function arrived(sent: unknown, random: Random, note: (finding: string) => void): unknown[] {
  const received: unknown[] = []
  let bytes: Buffer
  try {
    if (random.probability(0.5)) {
      const packed = encodeForPort(sent)
      return [decodeFromPort(random.probability(0.1) ? damaged(packed, random) : packed)]
    }
    bytes = frameOf(sent, Buffer.alloc(TOKEN_BYTES, 7))
  } catch {
    return received
  }
  if (random.probability(0.1)) bytes[random.below(bytes.length)] = random.below(256)
  const reader = new FrameReader(Buffer.alloc(TOKEN_BYTES, 7), 2 ** 20)
  try {
    const cut = random.below(bytes.length)
    for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
      if (reader.push(chunk, (message) => received.push(message)) !== undefined) break
    }
  } catch (error) {
    note(`the frame reader threw ${String(error)}`)
  }
  return received
}

function damaged(packed: string | Uint8Array, random: Random): string | Uint8Array {
  if (typeof packed === 'string') return packed.slice(0, random.below(packed.length + 1))
  return packed.subarray(0, random.below(packed.length + 1))
}

function isAccepted(side: Side, value: unknown, note: (finding: string) => void): boolean {
  let isRead: boolean
  try {
    isRead = side.parse(value) !== undefined
  } catch (error) {
    if (side.schema !== undefined || !(error instanceof TypeError))
      note(`the parser "${side.name}" threw ${String(error)}`)
    return false
  }
  if (side.schema !== undefined && side.schema.safeParse(value).success !== isRead)
    note(`the parser "${side.name}" ${isRead ? 'accepted' : 'rejected'} a message against its schema`)
  return isRead
}
