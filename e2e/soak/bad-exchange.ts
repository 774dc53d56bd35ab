import type { Random } from '../random.ts'

const GOOD = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

type Maker = (random: Random, number: number) => Buffer | string

const MAKERS: readonly [[string, Maker], ...[string, Maker][]] = [
  ['random bytes', (random) => random.bytes(1 + random.below(500))],
  ['no request line', () => '\r\n\r\n\r\n'],
  ['an unknown method', () => `BREW /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  [
    'an unknown version',
    (random) => `POST /mcp HTTP/${random.pick(['0.9', '2.0', '9.9', 'x'])}\r\nHost: localhost\r\n\r\n`,
  ],
  ['a header without a colon', () => post('Nonsense\r\nContent-Length: 0\r\n', '')],
  ['a header with a NUL', () => post('X: a\u0000b\r\nContent-Length: 0\r\n', '')],
  [
    'very long headers',
    (random) => post(`X: ${'x'.repeat(10_000 + random.below(20_000))}\r\nContent-Length: 0\r\n`, ''),
  ],
  ['very many headers', () => post(`${'X: y\r\n'.repeat(3_000)}Content-Length: 0\r\n`, '')],
  ['two lengths', () => post(`Content-Length: 5\r\nContent-Length: ${GOOD.length}\r\n`, GOOD)],
  ['a length and chunks', () => post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
  ['a negative length', () => post('Content-Length: -1\r\n', GOOD)],
  ['a length that is not a number', () => post('Content-Length: ten\r\n', GOOD)],
  ['a huge length', () => post('Content-Length: 99999999999999\r\n', GOOD)],
  ['a body that is too short', () => post(`Content-Length: ${GOOD.length + 10}\r\n`, GOOD)],
  ['a bad chunk size', () => post('Transfer-Encoding: chunked\r\n', `zz\r\n${GOOD}\r\n0\r\n\r\n`)],
  ['an endless chunk', () => post('Transfer-Encoding: chunked\r\n', `ffffff\r\n${GOOD}`)],
  ['a foreign host', () => `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n`],
  ['no host', () => `POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n\r\n`],
  ['a path of dots', () => `POST /../../mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`],
  [
    'an upgrade to nothing',
    () => `GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: nothing\r\n\r\n`,
  ],
  ['a TLS hello', () => Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x00, 0xa1, 0x03, 0x03])],
  ['an HTTP/2 preface', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a head without an end', () => 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: '],
  [
    'one request after another',
    (random) => post(`Content-Length: ${GOOD.length}\r\n`, GOOD).repeat(1 + random.below(5)),
  ],
]

/** What one connection sends that is not a proper HTTP request, and what is wrong with it. */
export function badExchange(
  random: Random,
  number: number,
): { readonly kind: string; readonly bytes: Buffer } {
  const [kind, make] = random.pick(MAKERS)
  const made = make(random, number)
  return { kind, bytes: typeof made === 'string' ? Buffer.from(made, 'latin1') : made }
}

function post(headers: string, body: string): string {
  const types = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${types}${headers}\r\n${body}`
}
