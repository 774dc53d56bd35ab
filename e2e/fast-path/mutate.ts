import type { Random } from '../random.ts'

const BYTES = [
  '\0',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  ':',
  '\x7f',
  '\x80',
  '\xff',
  ';',
  ',',
  '"',
  '#',
  '%',
  '?',
  'é',
] as const
const METHODS = [
  'GET',
  'POST',
  'PUT',
  'post',
  'PRI',
  'HEAD',
  'CONNECT',
  'G',
  'POSTS',
  'M-SEARCH',
  '',
] as const
const TARGETS = [
  '/mcp',
  '/mcp?a=1',
  '/',
  '/sse',
  '/none',
  '//mcp',
  '/m%63p',
  '/mcp#x',
  '*',
  'http://localhost/mcp',
  '/mcp ',
  '/\x80',
  '/a|b',
  '',
] as const
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/1.12',
  'http/1.1',
  'HTTP/1,1',
  '',
] as const
const FIELDS = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'Content-Length: 5',
  'content-length: 005',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length: ',
  'Content-Length: 99999999999999999999',
  'Connection: close',
  'Connection: Keep-Alive',
  'Connection: keep-alive, close',
  'Connection: upgrade',
  'Proxy-Connection: close',
  'Keep-Alive: timeout=5',
  'Expect: 100-continue',
  'Expect: nothing',
  'Upgrade: h2c',
  'HTTP2-Settings: x',
  'TE: trailers',
  'Trailer: x',
  'Host: localhost',
  'Host: evil.example',
  'host:localhost',
  ' Folded: line',
  'No-Colon',
  ': no name',
  'Space : in name',
  'X-Empty:',
  'X-Tabs:\t a\tb \t',
  'X-Latin: caf\xe9',
  'X-Null: a\0b',
  '__proto__: x',
  'constructor: x',
  'toString: x',
  'Set-Cookie: a',
  'Cookie: a=b',
  'Cookie: c=d',
  'Authorization: Bearer x',
  'Origin: http://evil.example',
  `X-Long: ${'a'.repeat(9_000)}`,
] as const

/** A head of a request as a well-behaved client sends it, without its empty line. */
export function plainHead(random: Random, bodyLength: number): string[] {
  const isPost = random.probability(0.9)
  return [
    `${isPost ? 'POST' : 'GET'} ${random.pick(['/mcp', '/mcp', '/mcp', '/none'])} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...(isPost ? [`Content-Length: ${bodyLength}`] : []),
  ]
}

/** Changes a head in one to three ways. */
export function mutateHead(random: Random, lines: readonly string[]): string {
  let head = [...lines]
  for (let times = 1 + random.below(3); times > 0; times -= 1) head = mutateOnce(random, head)
  let text = head.join('\r\n')
  if (random.probability(0.2)) text = mutateText(random, text)
  return text
}

function mutateOnce(random: Random, lines: readonly string[]): string[] {
  const [first = '', ...fields] = lines
  const at = random.below(fields.length + 1)
  switch (random.below(6)) {
    case 0: {
      const [method = '', target = '', version = ''] = first.split(' ')
      const line = [
        random.probability(0.4) ? random.pick(METHODS) : method,
        random.probability(0.5) ? random.pick(TARGETS) : target,
        random.probability(0.3) ? random.pick(VERSIONS) : version,
      ]
      return [line.join(random.probability(0.05) ? '  ' : ' '), ...fields]
    }
    case 1:
    case 2:
      return [first, ...fields.toSpliced(at, 0, random.pick(FIELDS))]
    case 3:
      return [first, ...fields.toSpliced(at, 1)]
    case 4:
      return [first, ...fields.map((each) => (random.probability(0.3) ? recased(random, each) : each))]
    default:
      return [first, ...fields.toSorted(() => random.next() - 0.5)]
  }
}

function recased(random: Random, text: string): string {
  return random.probability(0.5) ? text.toLowerCase() : text.toUpperCase()
}

function mutateText(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  const removed = random.below(3)
  return text.slice(0, at) + (random.probability(0.7) ? random.pick(BYTES) : '') + text.slice(at + removed)
}
