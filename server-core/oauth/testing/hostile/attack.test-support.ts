import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { addressForms, LOOPBACK_HOSTS, NEVER_HOSTS } from '../../../network/address-forms.test-support.ts'

/** Numbers of a seed; those of the soak fit. */
export type Numbers = {
  below(bound: number): number
  probability(probability: number): boolean
}

/** Where in the course of an authorization a server turns hostile. */
export const PLACES = [
  'challenge',
  'resource-metadata',
  'server-metadata',
  'registration',
  'authorization',
  'token',
  'call',
] as const
export type Place = (typeof PLACES)[number]

/** One hostile thing that is done in one place; everything else is as it should be. */
export type Attack = {
  readonly name: string
  readonly place: Place
  /** Answers the request in place of what is right. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void
  /** Members of a document or parameters of an answer that replace the right ones; undefined removes one. */
  readonly members?: Readonly<Record<string, unknown>>
  /** The `WWW-Authenticate` of the refusal. */
  readonly header?: string
}

/** Whom the attacks name: each a URL that the honest token must not reach, or nobody may. */
export type Aims = {
  readonly foreign: string
  readonly honest: string
  readonly canaryPort: number
  /** This machine is out of reach too. */
  readonly loopbackIsForbidden: boolean
}

const LINK_LOCAL = ['169.254.169.254', '169.254.170.2', '100.100.100.200'].flatMap((address) =>
  addressForms(address),
)

/** A URL that must lead nowhere, in one of the forms in which hosts are written. */
export function forbiddenUrl(numbers: Numbers, { canaryPort, loopbackIsForbidden }: Aims): string {
  const forms = loopbackIsForbidden
    ? [...LINK_LOCAL, ...NEVER_HOSTS, ...addressForms('127.0.0.1'), ...LOOPBACK_HOSTS]
    : [...LINK_LOCAL, ...NEVER_HOSTS]
  const { authority } = pick(numbers, forms)
  const port = numbers.probability(0.7) ? `:${canaryPort}` : ''
  return `${numbers.probability(0.5) ? 'http' : 'https'}://${authority}${port}/latest/meta-data/`
}

/** A URL that a server names although it is not its own to name. */
function aimOf(numbers: Numbers, aims: Aims): string {
  if (numbers.probability(0.5)) return forbiddenUrl(numbers, aims)
  const { foreign, honest } = aims
  return pick(numbers, [
    ...[`${foreign}/x`, `${foreign}/token`, `${foreign}/authorize`, `${honest}/token`, `${honest}/authorize`],
    ...[
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil',
      '/relative',
      '',
      '\\\\host\\x',
    ],
    foreign.replace('http://', 'http://user:pass@'),
    foreign.replace('http://', 'http://honest.example\\@'),
    ...[foreign.replace('http', 'ws'), foreign.replace('http', 'https'), `${foreign}/${'x'.repeat(20_000)}`],
  ])
}

/** The attacks on whoever reads a reply, whatever it should have held. */
function onReader(numbers: Numbers, aims: Aims): Pick<Attack, 'name' | 'answer'> {
  const readers: readonly Pick<Attack, 'name' | 'answer'>[] = [
    ...[301, 302, 303, 307, 308].map((status) => {
      const location = aimOf(numbers, aims)
      return {
        name: `${status} to ${location.slice(0, 100)}`,
        answer: (_: IncomingMessage, response: ServerResponse) => {
          response.writeHead(status, { location: encodeURI(location) }).end()
        },
      }
    }),
    {
      name: 'redirects in a circle',
      answer: (request, response) => response.writeHead(302, { location: request.url ?? '/' }).end(),
    },
    { name: 'a body without end', answer: (_, response) => endless(response) },
    {
      name: 'a small body that unpacks to a large one',
      answer: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(BOMB)
      },
    },
    {
      name: 'a body that drips',
      answer: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const drip = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(drip))
      },
    },
    { name: 'silence', answer: () => undefined },
    { name: 'an end in the middle', answer: (_, response) => response.socket?.destroy() },
    { name: 'nesting without end', answer: text('['.repeat(200_000)) },
    { name: 'a deep document', answer: text(`{"a":`.repeat(20_000) + '1' + '}'.repeat(20_000)) },
    { name: 'a head without end', answer: text('{}', { 'x-long': 'x'.repeat(200_000) }) },
    { name: 'broken JSON', answer: text('{"issuer":') },
    {
      name: 'another type of JSON',
      answer: text(pick(numbers, ['null', '[]', '1', '"text"', 'true', '{}'])),
    },
    { name: 'a page', answer: text('<script>alert(1)</script>', { 'content-type': 'text/html' }) },
    { name: 'its own name as a member', answer: text('{"__proto__":{"issuer":"x"},"constructor":1}') },
  ]
  return pick(numbers, readers)
}

const MEMBERS: Readonly<
  Record<'resource-metadata' | 'server-metadata' | 'registration' | 'token', readonly string[]>
> = {
  'resource-metadata': ['resource', 'authorization_servers', 'scopes_supported', 'jwks_uri'],
  'server-metadata': [
    ...['issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'],
    ...[
      'jwks_uri',
      'scopes_supported',
      'code_challenge_methods_supported',
      'token_endpoint_auth_methods_supported',
    ],
  ],
  registration: [
    'client_id',
    'client_secret',
    'redirect_uris',
    'token_endpoint_auth_method',
    'client_secret_expires_at',
  ],
  token: ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'id_token'],
}

/** What a member may be instead of what it should be. */
function strangeValue(numbers: Numbers, aims: Aims): unknown {
  return pick<unknown>(numbers, [
    aimOf(numbers, aims),
    aimOf(numbers, aims),
    [aimOf(numbers, aims)],
    [forbiddenUrl(numbers, aims), aims.foreign, aims.honest],
    ...[undefined, null, '', 0, -1, 1e308, true, {}, [], [null], { toString: 'x' }],
    ...['x'.repeat(100_000), 'line\r\nx-injected: 1', 'nul\0', '\u202Etxt', '\u001b]8;;http://x\u0007'],
    Array.from({ length: 20_000 }, (_, index) => `scope:${index}`),
  ])
}

/** What the server answers a request without a good token. */
function strangeChallenge(numbers: Numbers, aims: Aims): string {
  const quoted = (value: string): string =>
    `"${value.replaceAll(/[^\x20-\x7E]/gu, encodeURIComponent).replaceAll(/["\\]/g, '\\$&')}"`
  return pick(numbers, [
    `Bearer resource_metadata=${quoted(aimOf(numbers, aims))}`,
    `Bearer resource_metadata=${quoted(forbiddenUrl(numbers, aims))}, scope="a"`,
    `Bearer resource_metadata=${quoted(aims.foreign)}, DPoP error="use_dpop_nonce"`,
    `Bearer scope=${quoted('x '.repeat(3_000))}`,
    `Bearer error="insufficient_scope", scope=${quoted('"\\ admin')}`,
    'Bearer a="b", '.repeat(500),
    `Bearer ${'='.repeat(4_000)}`,
    `Bearer realm="${'\\'.repeat(3_999)}`,
    `Negotiate abc==, Basic realm="x"`,
    ',,,,=,"',
    '',
  ])
}

/** The answer of the authorization page. */
function strangeAnswer(numbers: Numbers, aims: Aims): Readonly<Record<string, unknown>> {
  return pick<Readonly<Record<string, unknown>>>(numbers, [
    { state: 'another' },
    { state: undefined },
    { iss: aims.honest },
    { iss: aims.foreign },
    { iss: undefined },
    { code: undefined },
    { code: 'x'.repeat(10_000) },
    { code: undefined, error: 'access_denied', error_description: '<b>\u202E</b>', iss: aims.honest },
    { error: 'x', error_uri: forbiddenUrl(numbers, aims) },
    { response: 'eyJhbGciOiJub25lIn0.e30.' },
  ])
}

/** One attack, anywhere. */
export function attackOf(numbers: Numbers, aims: Aims): Attack {
  const place = pick(numbers, PLACES)
  if (place === 'challenge') {
    const header = strangeChallenge(numbers, aims)
    return { name: `the challenge ${header.slice(0, 120)}`, place, header }
  }
  if (place === 'authorization') {
    const members = strangeAnswer(numbers, aims)
    return { name: `the answer ${shown(members)}`, place, members }
  }
  if (place === 'call' || numbers.probability(0.4)) return { place, ...onReader(numbers, aims) }
  const members = { [pick(numbers, MEMBERS[place])]: strangeValue(numbers, aims) }
  return { name: shown(members), place, members }
}

export function pick<T>(numbers: Numbers, values: readonly T[]): T {
  const value = values[numbers.below(values.length)]
  if (value === undefined && values.length === 0) throw new RangeError('nothing to pick from')
  return value as T
}

const BOMB = gzipSync(Buffer.alloc(16 * 1024 * 1024, ' '))

function text(body: string, headers = {}) {
  return (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body)
  }
}

function endless(response: ServerResponse): void {
  const chunk = ' '.repeat(65_536)
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    response.once('drain', more)
  }
  more()
}

function shown(members: Readonly<Record<string, unknown>>): string {
  const [[name, value] = ['', '']] = Object.entries(members)
  return `${name} = ${value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 120)}`
}
