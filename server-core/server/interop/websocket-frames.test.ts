import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { Registry } from '../../registry/registry.ts'
import { startHttpListener, type HttpListener } from '../../listener/http-listener.ts'
import { createServer, type McpServer } from '../server.ts'
import { clientFrame, closing, Opcode, RawWebSocket, type FrameParts } from './websocket-raw.test-support.ts'

const { text, binary, continuation, ping, pong, close } = Opcode
const LIMITS = { ...DEFAULT_LIMITS, messageBytes: 70_000 }

let server: McpServer
let listener: HttpListener
beforeAll(async () => {
  server = createServer({ registry: new Registry(), info: { name: 'frames', version: '1' }, limits: LIMITS })
  listener = await startHttpListener({ server, port: 0, routes: { ws: true }, limits: LIMITS })
})
afterAll(async () => {
  await listener.close()
  await server.close()
})

/** A `ping` of MCP, which is answered in any state; `length` is that of the whole text. */
function request(id: string | number, length = 0): string {
  const message = (pad: string) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { pad } })
  return message('x'.repeat(Math.max(0, length - Buffer.byteLength(message('')))))
}

/** Cuts a message into frames. */
function fragments(payload: Uint8Array | string, size: number): FrameParts[] {
  const bytes = Buffer.from(payload)
  const count = Math.max(1, Math.ceil(bytes.length / size))
  return Array.from({ length: count }, (_, index) => ({
    opcode: index === 0 ? text : continuation,
    fin: index === count - 1,
    payload: bytes.subarray(index * size, (index + 1) * size),
  }))
}

/** A request whose id holds these bytes, which may be no UTF-8. */
function around(bytes: readonly number[]): Buffer {
  const [before = '', after = ''] = request('#').split('#')
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
}

type Case = {
  readonly name: string
  readonly send: readonly FrameParts[]
  /** Ids that are answered, in order. */
  readonly answers?: readonly (string | number)[]
  /** A connection that fails need not answer what came just before (RFC 6455, 7.1.7). */
  readonly mayAnswer?: readonly number[]
  /** Payloads of the pongs that come. */
  readonly pongs?: readonly string[]
  /** The code the server closes with; the connection goes on if there is none. */
  readonly closes?: number | 'empty'
}

/** After the case: an answer to this shows that the connection goes on. */
const LAST = 'last'

async function run(
  { send, answers = [], mayAnswer = [], pongs = [], closes }: Case,
  chopped = false,
): Promise<void> {
  const client = await RawWebSocket.open(listener.port)
  const last = closes === undefined ? [{ opcode: text, payload: request(LAST) }] : []
  const bytes = Buffer.concat([...send, ...last].map(clientFrame))
  client.socket.setNoDelay(true)
  for (let start = 0; start < bytes.length; start += chopped ? 1 : bytes.length) {
    client.socket.write(bytes.subarray(start, chopped ? start + 1 : bytes.length))
    // The server gets the bytes in as many pieces as it can.
    if (chopped) await new Promise((resolve) => setImmediate(resolve))
  }
  if (closes === undefined) {
    await client.seen(({ id }) => id === LAST)
    expect(client.messages.map(({ id }) => id)).toEqual([...answers, LAST])
  } else {
    expect(await client.closeCode()).toBe(closes)
    client.socket.end(clientFrame({ opcode: close, payload: closing(1000) }))
    await client.ended
    const ids = client.messages.map(({ id }) => id)
    expect([answers, mayAnswer]).toContainEqual(ids)
  }
  const controls = client.frames.filter(({ opcode }) => opcode === pong)
  expect(controls.map(({ payload }) => payload.toString('latin1'))).toEqual(pongs)
  // A server masks nothing and uses no extension.
  expect(client.frames.some(({ masked, reserved }) => masked || reserved !== 0)).toBe(false)
  client.drop()
}

const SIZES = [93, 125, 126, 127, 128, 1_000, 65_535, 65_536, 70_000]
const framing: Case[] = [
  ...SIZES.map((size) => ({
    name: `a text message of ${size} bytes`,
    send: [{ opcode: text, payload: request(1, size) }],
    answers: [1],
  })),
  { name: 'an empty text message', send: [{ opcode: text }], answers: [undefined as never] },
  {
    name: 'many messages in one piece',
    send: [1, 2, 3].map((id) => ({ opcode: text, payload: request(id) })),
    answers: [1, 2, 3],
  },
  { name: 'a binary message', send: [{ opcode: binary, payload: request(1) }], closes: 1003 },
  { name: 'an empty binary message', send: [{ opcode: binary }], closes: 1003 },
  {
    name: 'a binary message in fragments',
    send: [
      { opcode: binary, fin: false, payload: 'a' },
      { opcode: continuation, payload: 'b' },
    ],
    closes: 1003,
  },
  {
    name: 'a message before a binary one, which is answered',
    send: [
      { opcode: text, payload: request(1) },
      { opcode: binary, payload: 'x' },
    ],
    answers: [1],
    closes: 1003,
  },
  {
    name: 'a message without a mask',
    send: [{ opcode: text, payload: request(1), masked: false }],
    closes: 1002,
  },
  { name: 'a ping without a mask', send: [{ opcode: ping, masked: false }], closes: 1002 },
  {
    name: 'a close without a mask',
    send: [{ opcode: close, payload: closing(1000), masked: false }],
    closes: 1002,
  },
]

const BYTES_125 = String.fromCharCode(...Array.from({ length: 125 }, (_, index) => index + 100))
const latin = (payload: string) => Buffer.from(payload, 'latin1')
const pings: Case[] = [
  { name: 'a ping without a payload', send: [{ opcode: ping }], pongs: [''] },
  { name: 'a ping with a payload', send: [{ opcode: ping, payload: 'hello' }], pongs: ['hello'] },
  {
    name: 'a ping with bytes that are not text',
    send: [{ opcode: ping, payload: latin('\0\xff\xfe') }],
    pongs: ['\0\xff\xfe'],
  },
  {
    name: 'a ping of 125 bytes',
    send: [{ opcode: ping, payload: latin(BYTES_125) }],
    pongs: [latin(BYTES_125).toString('latin1')],
  },
  { name: 'a ping of 126 bytes', send: [{ opcode: ping, payload: 'x'.repeat(126) }], closes: 1002 },
  { name: 'a ping in fragments', send: [{ opcode: ping, fin: false }], closes: 1002 },
  { name: 'a pong that nobody asked for', send: [{ opcode: pong }] },
  {
    name: 'such a pong with a payload, then a ping',
    send: [
      { opcode: pong, payload: 'unasked' },
      { opcode: ping, payload: 'asked' },
    ],
    pongs: ['asked'],
  },
  { name: 'a pong of 126 bytes', send: [{ opcode: pong, payload: 'x'.repeat(126) }], closes: 1002 },
  {
    name: 'ten pings, answered in order',
    send: Array.from({ length: 10 }, (_, index) => ({ opcode: ping, payload: String(index) })),
    pongs: Array.from({ length: 10 }, (_, index) => String(index)),
  },
]

const reserved: Case[] = [
  ...[1, 2, 3, 4, 5, 6, 7].map((bits) => ({
    name: `reserved bits ${bits} on a text message`,
    send: [{ opcode: text, payload: request(1), reserved: bits }],
    closes: 1002,
  })),
  ...[1, 2, 4].flatMap((bits) => [
    { name: `reserved bits ${bits} on a ping`, send: [{ opcode: ping, reserved: bits }], closes: 1002 },
    { name: `reserved bits ${bits} on a close`, send: [{ opcode: close, reserved: bits }], closes: 1002 },
    {
      name: `reserved bits ${bits} on a continuation`,
      send: [
        { opcode: text, fin: false, payload: '{' },
        { opcode: continuation, reserved: bits, payload: '}' },
      ],
      closes: 1002,
    },
  ]),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => ({
    name: `the reserved opcode ${opcode}`,
    send: [{ opcode, payload: 'x' }],
    closes: 1002,
  })),
  {
    name: 'a reserved opcode behind a message',
    send: [{ opcode: text, payload: request(1) }, { opcode: 5 }],
    mayAnswer: [1],
    closes: 1002,
  },
]

const fragmentation: Case[] = [
  { name: 'a message in two fragments', send: fragments(request(1), 40), answers: [1] },
  { name: 'a message in fragments of one byte', send: fragments(request(1), 1), answers: [1] },
  {
    name: 'a message with empty fragments around it',
    send: [
      { opcode: text, fin: false },
      { opcode: continuation, fin: false, payload: request(1) },
      { opcode: continuation },
    ],
    answers: [1],
  },
  {
    name: 'a message with pings between its fragments',
    send: fragments(request(1), 30).flatMap((part, index) => [{ opcode: ping, payload: `${index}` }, part]),
    answers: [1],
    pongs: fragments(request(1), 30).map((_, index) => `${index}`),
  },
  {
    name: 'a message with an unasked pong between its fragments',
    send: fragments(request(1), 40).flatMap((part) => [{ opcode: pong }, part]),
    answers: [1],
  },
  {
    name: 'a close between the fragments',
    send: [
      { opcode: text, fin: false, payload: '{' },
      { opcode: close, payload: closing(1000) },
    ],
    closes: 1000,
  },
  { name: 'a continuation of nothing', send: [{ opcode: continuation, payload: 'x' }], closes: 1002 },
  {
    name: 'a first continuation of nothing',
    send: [{ opcode: continuation, fin: false, payload: 'x' }],
    closes: 1002,
  },
  {
    name: 'a continuation behind a whole message',
    send: [
      { opcode: text, payload: request(1) },
      { opcode: continuation, payload: 'x' },
    ],
    mayAnswer: [1],
    closes: 1002,
  },
  {
    name: 'a new message inside another',
    send: [
      { opcode: text, fin: false, payload: '{' },
      { opcode: text, payload: request(1) },
    ],
    closes: 1002,
  },
  {
    name: 'more fragments than anybody needs',
    send: Array.from({ length: 17_000 }, (_, index) => ({
      opcode: index === 0 ? text : continuation,
      fin: false,
      payload: ' ',
    })),
    closes: 1008,
  },
]

const GOOD_TEXTS = [
  'κόσμε',
  'Hello-µ@ßöäüàá-UTF-8!!',
  '\u{10ffff}',
  '\u{10000}',
  '\uffff',
  '\ufdd0',
  '߿',
  'ࠀ',
  '\u2028',
]
const BAD_BYTES: Readonly<Record<string, readonly number[]>> = {
  'a lone continuation byte': [0x80],
  'two lone continuation bytes': [0xbf, 0x80],
  'a start of two without an end': [0xc3],
  'a start of three without an end': [0xe2, 0x82],
  'a start of four without an end': [0xf0, 0x9f, 0x98],
  'an overlong slash': [0xc0, 0xaf],
  'an overlong slash in three': [0xe0, 0x80, 0xaf],
  'an overlong slash in four': [0xf0, 0x80, 0x80, 0xaf],
  'an overlong NUL': [0xc0, 0x80],
  'a high surrogate': [0xed, 0xa0, 0x80],
  'a low surrogate': [0xed, 0xbf, 0xbf],
  'a pair of surrogates': [0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80],
  'a code point over the last': [0xf4, 0x90, 0x80, 0x80],
  'a start of five': [0xf8, 0x88, 0x80, 0x80, 0x80],
  'a start of six': [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
  'the byte FE': [0xfe],
  'the byte FF': [0xff],
  'text, then bad bytes, then text': [0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xed, 0xa0, 0x80, 0x65, 0x64],
}
const unicode: Case[] = [
  ...GOOD_TEXTS.flatMap((id) => [
    { name: `the text ${JSON.stringify(id)}`, send: [{ opcode: text, payload: request(id) }], answers: [id] },
    {
      name: `the text ${JSON.stringify(id)} cut inside its characters`,
      send: fragments(request(id), 1),
      answers: [id],
    },
  ]),
  ...Object.entries(BAD_BYTES).flatMap(([what, bytes]) => [
    { name: what, send: [{ opcode: text, payload: around(bytes) }], closes: 1007 },
    { name: `${what} in fragments`, send: fragments(around(bytes), 1), closes: 1007 },
  ]),
  {
    name: 'bad bytes behind a message',
    send: [
      { opcode: text, payload: request(1) },
      { opcode: text, payload: around([0xff]) },
    ],
    mayAnswer: [1],
    closes: 1007,
  },
]

const GOOD_CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
const BAD_CODES = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535]
const closes: Case[] = [
  { name: 'a close without a code', send: [{ opcode: close }], closes: 'empty' },
  ...GOOD_CODES.map((code) => ({
    name: `a close with ${code}`,
    send: [{ opcode: close, payload: closing(code, 'bye') }],
    closes: code,
  })),
  ...BAD_CODES.map((code) => ({
    name: `a close with ${code}, which nobody may send`,
    send: [{ opcode: close, payload: closing(code, 'bye') }],
    closes: 1002,
  })),
  { name: 'a close with half a code', send: [{ opcode: close, payload: 'x' }], closes: 1002 },
  {
    name: 'a close with the longest reason',
    send: [{ opcode: close, payload: closing(1000, 'x'.repeat(123)) }],
    closes: 1000,
  },
  {
    name: 'a close with too long a reason',
    send: [{ opcode: close, payload: closing(1000, 'x'.repeat(124)) }],
    closes: 1002,
  },
  {
    name: 'a close whose reason is not UTF-8',
    send: [{ opcode: close, payload: closing(1000, Buffer.of(0xce, 0xba, 0xed, 0xa0, 0x80)) }],
    closes: 1007,
  },
  {
    name: 'messages and pings behind a close, which are not answered',
    send: [
      { opcode: close, payload: closing(1000) },
      { opcode: text, payload: request(1) },
      { opcode: ping, payload: 'late' },
    ],
    closes: 1000,
  },
  {
    name: 'a second close',
    send: [
      { opcode: close, payload: closing(1000) },
      { opcode: close, payload: closing(1001) },
    ],
    closes: 1000,
  },
]

const limits: Case[] = [
  {
    name: 'a message of one byte too many',
    send: [{ opcode: text, payload: request(1, 70_001) }],
    closes: 1009,
  },
  {
    name: 'fragments that together are too long',
    send: fragments(request(1, 70_001), 10_000),
    closes: 1009,
  },
  {
    name: 'a head that announces too much',
    send: [{ opcode: text, claimedLength: 100_000 }],
    closes: 1009,
  },
  {
    name: 'a head that announces more than there can be',
    send: [{ opcode: text, claimedLength: Number.MAX_SAFE_INTEGER + 1 }],
    closes: 1009,
  },
  {
    name: 'a continuation that announces too much',
    send: [
      { opcode: text, fin: false, payload: '{' },
      { opcode: continuation, claimedLength: 70_000 },
    ],
    closes: 1009,
  },
]

describe('the frames of a WebSocket', () => {
  describe.each([
    ['framing', framing],
    ['pings and pongs', pings],
    ['reserved bits and opcodes', reserved],
    ['fragmentation', fragmentation],
    ['UTF-8', unicode],
    ['closing', closes],
    ['limits', limits],
  ] as const)('%s', (_name, cases) => {
    it.each(cases)('$name', async (each) => {
      await run(each)
    })
  })

  const short = [...framing, ...pings, ...fragmentation, ...unicode, ...closes].filter(
    ({ send }) => Buffer.concat(send.map(clientFrame)).length < 300,
  )
  it.each(short)('byte by byte: $name', async (each) => {
    await run(each, true)
  })
})
