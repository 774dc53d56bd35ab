import type { Random } from '../random.ts'

/** One message to send, in its bytes, and the kind of fault it was made to have. */
export type BadInput = { readonly kind: string; readonly bytes: Buffer }

const METHODS = [
  'tools/call',
  'tools/list',
  'resources/read',
  'resources/subscribe',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'initialize',
  'ping',
  'server/discover',
  'notifications/cancelled',
  'notifications/progress',
  'tasks/get',
  'sampling/createMessage',
  'no/such',
  '',
  '__proto__',
  'constructor',
  'toString',
] as const

const NAMES = [
  'echo',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  '',
  '\u0000',
  'ec\u202eho',
] as const

type Maker = (random: Random, number: number) => Buffer | string

/** Every kind of bad message (and a few good ones among them), by name. */
const MAKERS: readonly [string, Maker][] = [
  ['random bytes', (random) => random.bytes(1 + random.below(200))],
  [
    'invalid UTF-8',
    (random, n) =>
      spliced(call(n), random.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]), random),
  ],
  ['broken JSON', (random, n) => mutated(call(n), random)],
  ['cut short', (random, n) => call(n).slice(0, random.below(call(n).length))],
  ['text after the message', (random, n) => call(n) + random.pick(['x', '}', ']', ',', call(n), '\u0000'])],
  ['byte order mark', (_random, n) => `\uFEFF${call(n)}`],
  ['odd white space', (random, n) => random.pick([' ', '\t', '\r', '\u00a0', '\u2028', '\v']) + call(n)],
  ['line separators inside', (_random, n) => call(n, { nonce: 'a\u2028b\u2029c\u0085d' })],
  [
    'not an object',
    (random) => random.pick(['null', 'true', '0', '-0', '1e400', '"text"', '[]', '[[]]', '[1,2]', '{}']),
  ],
  ['an array', (random, n) => `[${call(n)}${random.probability(0.5) ? `,${call(n + 0.5)}` : ''}]`],
  [
    'odd id',
    (random, n) => envelope(oddId(random, n), '"tools/call"', '{"name":"echo","arguments":{"nonce":"x"}}'),
  ],
  [
    'odd version',
    (random, n) =>
      `{"jsonrpc":${random.pick(['"1.0"', '2', '2.0', 'null', '"2.0 "', '[]'])},"id":"v${n}","method":"ping"}`,
  ],
  [
    'odd method',
    (random, n) =>
      envelope(
        `"m${n}"`,
        random.pick(['1', 'null', '{}', '[]', '"\\u0000"', '"PING"', '"tools/call "']),
        '{}',
      ),
  ],
  [
    'odd params',
    (random, n) =>
      envelope(
        `"p${n}"`,
        name(random.pick(METHODS)),
        random.pick(['[]', '1', '"x"', 'null', 'true', '{}', '{"name":1}', '{"name":[]}', '{"name":{}}']),
      ),
  ],
  [
    'odd arguments',
    (random, n) =>
      envelope(
        `"a${n}"`,
        '"tools/call"',
        `{"name":"echo","arguments":${random.pick(['[]', '1', 'null', '"x"', '{}', '{"nonce":1}', '{"nonce":null}', '{"nonce":{"nonce":{}}}'])}}`,
      ),
  ],
  [
    'names of the language',
    (random, n) =>
      envelope(
        `"j${n}"`,
        name(random.pick(METHODS)),
        `{${name(random.pick(NAMES))}:{"polluted":true},"name":${name(random.pick(NAMES))},"uri":${name(random.pick(NAMES))},"arguments":{"__proto__":{"polluted":true},"nonce":"x"}}`,
      ),
  ],
  [
    'doubled members',
    (_random, n) => `{"jsonrpc":"2.0","id":"d${n}","method":"ping","method":"tools/list","id":"e${n}"}`,
  ],
  ['wrong case', (_random, n) => `{"JSONRPC":"2.0","ID":"c${n}","Method":"ping"}`],
  ['deep', (random, n) => deep(random.pick([10, 200, 253, 254, 255, 256, 257, 300, 5_000, 100_000]), n)],
  [
    'response to nothing',
    (random, n) =>
      `{"jsonrpc":"2.0","id":${random.pick([`"r${n}"`, String(n), 'null', '1.5'])},${random.pick(['"result":{}', '"result":1', '"error":{"code":1,"message":"x"}', '"error":{}', '"result":{},"error":{}', '"x":1'])}}`,
  ],
  [
    'notification',
    (random) =>
      `{"jsonrpc":"2.0","method":${name(random.pick(METHODS))},"params":${random.pick(['{}', '{"requestId":1}', '{"requestId":{}}', '{"progressToken":1,"progress":"x"}'])}}`,
  ],
  ['long id', (_random, n) => envelope(`"${'i'.repeat(1_020 + (n % 10))}"`, '"ping"', '{}')],
  ['big text', (random, n) => call(n, { nonce: 'é'.repeat(random.below(40_000)) })],
  [
    'unpaired surrogate',
    (_random, n) => envelope(`"s${n}"`, '"tools/call"', '{"name":"echo","arguments":{"nonce":"\\ud800"}}'),
  ],
  [
    'huge number',
    (random, n) =>
      envelope(
        `"h${n}"`,
        '"tools/call"',
        `{"name":"echo","arguments":{"nonce":${random.pick(['1e400', '-1e400', '9007199254740993', `1${'0'.repeat(400)}`, '1e-400'])}}}`,
      ),
  ],
  [
    'odd cursor',
    (random, n) =>
      envelope(
        `"q${n}"`,
        '"tools/list"',
        `{"cursor":${random.pick(['"zzz"', '1', 'null', '{}', '""', '"eyJ9"'])}}`,
      ),
  ],
  [
    'odd metadata',
    (random, n) =>
      envelope(
        `"o${n}"`,
        '"tools/call"',
        `{"name":"echo","arguments":{"nonce":"x"},"_meta":${random.pick(['1', 'null', '[]', '{"progressToken":{}}', '{"progressToken":1.5}', '{"":1}', '{"io.modelcontextprotocol/related-task":1}'])}}`,
      ),
  ],
  ['a good call', (_random, n) => call(n)],
]

/** Makes the next bad message. No byte is 0x0A: one message is one line. */
export function badInput(random: Random, number: number): BadInput {
  const [kind, make] = random.pick(MAKERS as readonly [[string, Maker], ...[string, Maker][]])
  const made = make(random, number)
  const bytes = Buffer.from(typeof made === 'string' ? Buffer.from(made, 'utf8') : made)
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at)) bytes[at] = 0x20
  return { kind, bytes }
}

function call(number: number, args: object = { nonce: `bad ${number}` }): string {
  return envelope(`"n${number}"`, '"tools/call"', JSON.stringify({ name: 'echo', arguments: args }))
}

function envelope(id: string, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${method},"params":${params}}`
}

function name(text: string): string {
  return JSON.stringify(text)
}

function oddId(random: Random, number: number): string {
  return random.pick([
    'null',
    '1.5',
    '-0',
    '1e400',
    '""',
    '{}',
    '[]',
    'true',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740991',
    '1e3',
    `${number}`,
    `"${number}"`,
    `"\\u0000${number}"`,
  ])
}

function deep(depth: number, number: number): string {
  return envelope(
    `"z${number}"`,
    '"tools/call"',
    `{"name":"echo","arguments":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  )
}

function spliced(text: string, foreign: readonly number[], random: Random): Buffer {
  const bytes = Buffer.from(text)
  const at = random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(foreign), bytes.subarray(at)])
}

/** Removes, doubles or replaces a few characters. */
function mutated(text: string, random: Random): string {
  let out = text
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const at = random.below(out.length)
    const instead = random.pick(['', '"', '{', '}', '[', ']', ',', ':', '\\', '0', '\u0001', '\ud83d\ude00'])
    out = out.slice(0, at) + instead + out.slice(at + 1)
  }
  return out
}
