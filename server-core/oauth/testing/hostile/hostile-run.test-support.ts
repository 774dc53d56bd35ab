import { connectionsDuring } from '../../../network/connection-count.test-support.ts'
import { guardedFetch } from '../../../network/guarded-fetch.ts'
import { mayOpen } from '../../../network/guarded-opener.ts'
import { policyForServer } from '../../../network/policy.ts'
import { connect } from '../../../client/connect.ts'
import { httpTransport } from '../../../transports/http/http-client.ts'
import type { SecretStore } from '../../../profile/secret-store.ts'
import { createClientAuthorization, type ClientAuthorizationOptions } from '../../client-authorization.ts'
import { grantFrom } from '../../grants/grant-from.ts'
import { GrantSecrets } from '../../grants/grant-secrets.ts'
import { TestAuthority } from '../test-authority.test-support.ts'
import { attackOf, forbiddenUrl, type Aims, type Numbers } from './attack.test-support.ts'
import { HostilePair } from './hostile-pair.test-support.ts'
import { json, Listener } from './listener.test-support.ts'

const OWNER = 'victim'
/** Milliseconds for one request of an authorization: what drips or is silent costs that much. */
const TIMEOUT_MS = 250
/** Milliseconds after which an attempt that is not over is a finding. */
const LONGEST_MS = 20_000

export type HostileOutcome = {
  readonly attacks: number
  /** Attempts that ended with a connection all the same: the attack did not matter, or was let past. */
  readonly connected: number
  readonly findings: readonly string[]
}

/** How the victim came to its token before the server turned hostile. */
const KINDS = ['registered', 'by hand', 'grant'] as const

/**
 * Attacks clients that hold an honest token: each attempt begins with that token, then the server turns hostile in one
 * place. Finds secrets of the honest authorization server anywhere but where they belong, connections to anybody
 * beside the servers of the attack, pages that must not be opened, hangs, and errors that are not answers for a user.
 */
export async function attackClients(numbers: Numbers, attempts: number): Promise<HostileOutcome> {
  const findings: string[] = []
  let connected = 0
  const rig = await Rig.start()
  try {
    const victims = []
    for (const kind of KINDS) victims.push(await rig.victim(kind))
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const victim = numbers.probability(0.5) ? victims[0] : victims[attempt % victims.length]
      if (victim === undefined) break
      const outcome = numbers.probability(0.8)
        ? await rig.attack(numbers, victim)
        : await rig.attackByName(numbers)
      findings.push(...outcome.findings)
      if (outcome.connected) connected += 1
      if (findings.length > 20) break
    }
  } finally {
    await rig.close()
  }
  return { attacks: attempts, connected, findings }
}

type Victim = {
  readonly kind: (typeof KINDS)[number]
  readonly kept: ReadonlyMap<string, string>
  readonly options: Partial<ClientAuthorizationOptions>
}

class Rig {
  readonly #pair: HostilePair
  readonly #honest: TestAuthority
  readonly #foreign: Listener
  readonly #canary: Listener
  /** What the honest authorization server gave or was shown: it belongs to nobody else. */
  readonly #secrets = new Set<string>(['secret-by-hand', 'secret-of-grant'])
  #tokens: ReadonlySet<string> = new Set()

  private constructor(pair: HostilePair, honest: TestAuthority, foreign: Listener, canary: Listener) {
    this.#pair = pair
    this.#honest = honest
    this.#foreign = foreign
    this.#canary = canary
  }

  static async start(): Promise<Rig> {
    const honest = await TestAuthority.start({
      clients: { 'by hand': 'secret-by-hand', machine: 'secret-of-grant' },
      metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
    })
    const plain: Listener['handle'] = (_request, response) =>
      json(response, { access_token: 'x', token_type: 'Bearer' })
    const foreign = await Listener.start(plain)
    return new Rig(await HostilePair.start(), honest, foreign, await Listener.start(plain, '::'))
  }

  async close(): Promise<void> {
    await Promise.all([this.#pair.close(), this.#honest.close(), this.#foreign.close(), this.#canary.close()])
  }

  /** Lets a client get its token while everybody is honest. */
  async victim(kind: Victim['kind']): Promise<Victim> {
    this.#pair.attack = undefined
    this.#pair.issuer = this.#honest.issuer
    this.#pair.takes = (token) => this.#honest.tokens.has(token)
    const store = new MapStore()
    const secrets = new GrantSecrets(store, OWNER)
    if (kind === 'grant') {
      await secrets.set('client_secret', 'secret-of-grant')
      this.#honest.options = { ...this.#honest.options, token: machineToken }
    }
    const clientId = 'machine'
    const grant = grantFrom(
      { kind: 'client-credentials', clientId, authentication: { method: 'secret' } },
      secrets,
    )
    const options: Partial<ClientAuthorizationOptions> = {
      ...(kind === 'by hand' && { settings: { clientId: 'by hand', clientSecret: 'secret-by-hand' } }),
      ...(kind === 'grant' && { grant }),
    }
    const problem = await this.#connect(store, options, [])
    this.#honest.options = { ...this.#honest.options, token: () => Promise.resolve(undefined) }
    if (problem !== undefined) throw new Error(`the honest authorization failed: ${problem}`)
    this.#tokens = new Set(this.#honest.tokens.keys())
    const registered =
      [...store.values.values()].join(' ').match(/(?:secret|refresh|access)-[\w-]{30,}/g) ?? []
    for (const secret of [...registered, ...this.#tokens, ...this.#honest.refreshTokens.keys()]) {
      this.#secrets.add(secret)
    }
    return { kind, kept: new Map(store.values), options }
  }

  async attack(numbers: Numbers, victim: Victim) {
    const pair = this.#pair
    const aims = this.#aims(false)
    const attack = attackOf(numbers, aims)
    pair.attack = attack
    pair.issuer = numbers.probability(0.8) ? pair.authority.origin : this.#honest.issuer
    // The token is taken until the server is asked for something: then it is refused, or its answer is hostile.
    const takesToken = attack.place === 'call' && numbers.probability(0.7)
    pair.takes = (token) => takesToken && this.#tokens.has(token)
    const name = `${victim.kind}, ${attack.place}: ${attack.name}`
    const findings: string[] = []
    const opened: string[] = []
    this.#forgetRequests()
    let problem: string | undefined
    const before = this.#connections()
    const begun = await connectionsDuring(async () => {
      const store = new MapStore(victim.kept)
      const options = { ...victim.options, ...(victim.kind === 'grant' && this.#grantFor(store)) }
      problem = await this.#connect(store, options, opened)
    })
    if (problem?.startsWith('!') === true) findings.push(`${name}: ${problem.slice(1)}`)
    const elsewhere = await this.#elsewhere(before + begun)
    if (elsewhere !== 0) findings.push(`${name}: ${elsewhere} connections to somebody else`)
    findings.push(...this.#leaks(name), ...forbidden(opened, name))
    return { findings, connected: problem === undefined }
  }

  /** A server that is known by a name: this machine is out of reach for what it names, and a canary listens there. */
  async attackByName(numbers: Numbers) {
    const target = forbiddenUrl(numbers, this.#aims(true))
    const server = new URL(`http://mcp.example:${this.#pair.server.port}/mcp`)
    const resolve = (name: string) =>
      name === server.hostname || /(^|\.)localhost\.?$/.test(name)
        ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
        : Promise.reject(new Error(`no such name: ${name}`))
    const place = numbers.below(3)
    this.#pair.attack = {
      name: '',
      place: 'resource-metadata',
      ...(place === 1 && {
        members: { resource: server.href, authorization_servers: [target] },
      }),
      ...(place === 2 && {
        answer: (_request, response) => {
          response.writeHead(302, { location: encodeURI(target) }).end()
        },
      }),
    }
    this.#forgetRequests()
    const hits = this.#canary.connections
    const authorization = createClientAuthorization({
      serverUrl: server.href,
      owner: OWNER,
      store: new MapStore(),
      network: guardedFetch({ ...policyForServer(server), timeoutMs: TIMEOUT_MS, resolve }),
      mayAskUser: () => true,
      userMs: TIMEOUT_MS,
    })
    const header =
      place === 0 ? `Bearer resource_metadata="${target.replaceAll(/["\\]/g, '\\$&')}"` : 'Bearer'
    const refusal = { method: 'POST', url: server.href, status: 401, headers: { 'www-authenticate': header } }
    await authorization.challenged(refusal).catch(() => undefined)
    await authorization.close()
    const hit = this.#canary.connections - hits
    const findings = hit === 0 ? [] : [`by name, ${place}: ${target}: the canary was hit ${hit} times`]
    return { findings, connected: false }
  }

  /** Connects as a client does. Gives why it failed; with a `!` before it if that is a finding. */
  async #connect(
    store: SecretStore,
    options: Partial<ClientAuthorizationOptions>,
    opened: string[],
  ): Promise<string | undefined> {
    const { url } = this.#pair
    const told: string[] = []
    const authorization = createClientAuthorization({
      serverUrl: url,
      owner: OWNER,
      store,
      network: guardedFetch({ ...policyForServer(new URL(url)), timeoutMs: TIMEOUT_MS }),
      mayAskUser: () => true,
      userMs: TIMEOUT_MS,
      openBrowser: (page) => {
        opened.push(page)
        return this.#visit(page)
      },
      ...options,
      onStep: (step) => told.push(JSON.stringify(step)),
    })
    const stop = AbortSignal.timeout(LONGEST_MS)
    let problem: string | undefined
    try {
      const connection = await connect({
        open: () => httpTransport({ url, authorization }),
        identity: { name: 'victim', version: '1' },
        protocol: '2025-11-25',
        requestTimeoutMs: 2_000,
        signal: stop,
      })
      await connection.request('ping', {}).catch((error: unknown) => {
        problem = wordsOf(error)
      })
      await connection.close()
    } catch (error) {
      problem = wordsOf(error)
    }
    await authorization.close()
    if (stop.aborted) problem = `!not over after ${LONGEST_MS} ms`
    const leaked = [...this.#secrets].find((secret) => told.some((step) => step.includes(secret)))
    return leaked === undefined ? problem : `!a step shows the secret ${leaked.slice(0, 12)}…`
  }

  /** The browser of a user who agrees to everything at the servers of this rig, and waits anywhere else. */
  async #visit(page: string): Promise<string | undefined> {
    const { origin } = new URL(page)
    if (origin !== this.#honest.origin && origin !== this.#pair.authority.origin) return undefined
    const reply = await guardedFetch({ loopback: true, timeoutMs: TIMEOUT_MS })(page)
    return reply.headers['location']
  }

  #grantFor(store: SecretStore): Partial<ClientAuthorizationOptions> {
    const settings = {
      kind: 'client-credentials',
      clientId: 'machine',
      authentication: { method: 'secret' },
    } as const
    return { grant: grantFrom(settings, new GrantSecrets(store, OWNER)) }
  }

  #aims(loopbackIsForbidden: boolean): Aims {
    const { port: canaryPort } = this.#canary
    return { foreign: this.#foreign.origin, honest: this.#honest.issuer, canaryPort, loopbackIsForbidden }
  }

  /** Secrets among what came where they do not belong. */
  #leaks(name: string): readonly string[] {
    const places = [
      { who: 'a foreign host', received: this.#foreign.received, may: new Set<string>() },
      {
        who: 'the hostile authorization server',
        received: this.#pair.authority.received,
        may: new Set<string>(),
      },
      { who: 'the canary', received: this.#canary.received, may: new Set<string>() },
      // The honest token was issued for this server; nothing else of that authorization is for it.
      { who: 'the server', received: this.#pair.server.received, may: this.#tokens },
    ]
    return places.flatMap(({ who, received, may }) =>
      [...this.#secrets]
        .filter((secret) => !may.has(secret) && received.some((request) => request.includes(secret)))
        .map((secret) => `${name}: ${who} was shown ${secret.slice(0, 12)}…`),
    )
  }

  #forgetRequests(): void {
    for (const { received } of [this.#foreign, this.#pair.authority, this.#pair.server, this.#canary]) {
      received.splice(0)
    }
  }

  #connections(): number {
    const listeners = [this.#foreign, this.#pair.authority, this.#pair.server, this.#canary]
    return listeners.reduce((sum, { connections }) => sum + connections, this.#honest.connections)
  }

  /** How many of the connections that were begun arrived at none of these servers, after a moment on their way. */
  async #elsewhere(expected: number): Promise<number> {
    for (let turn = 0; turn < 50 && this.#connections() < expected; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return expected - this.#connections()
  }
}

function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  // What only a programmer understands is not an answer for a user.
  const fault = causesOf(error).find((each) => FAULTS.some((kind) => each instanceof kind))
  return fault === undefined ? words : `!a fault of our own: ${fault.stack ?? fault.message}`
}

const FAULTS = [TypeError, RangeError, ReferenceError]

function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

function forbidden(opened: readonly string[], name: string): readonly string[] {
  return opened.filter((page) => !mayOpen(page).ok).map((page) => `${name}: ${page} was opened`)
}

/** The honest authorization server issues tokens to a machine that shows its secret. */
const machineToken: NonNullable<TestAuthority['options']['token']> = ({ body }) => {
  const form = new URLSearchParams(body)
  const isRight = form.get('client_secret') === 'secret-of-grant'
  const token = { access_token: `access-${crypto.randomUUID()}`, token_type: 'Bearer', expires_in: 3_600 }
  return Promise.resolve(
    isRight ? { status: 200, body: token } : { status: 400, body: { error: 'invalid_client' } },
  )
}

/** A secret store that can begin with what another one holds. */
class MapStore implements SecretStore {
  readonly description = 'in memory'
  readonly encrypted = false
  readonly values: Map<string, string>

  constructor(values: ReadonlyMap<string, string> = new Map()) {
    this.values = new Map(values)
  }

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.values.get(key))
  }

  set(key: string, value: string): Promise<void> {
    this.values.set(key, value)
    return Promise.resolve()
  }

  delete(key: string): Promise<void> {
    this.values.delete(key)
    return Promise.resolve()
  }
}
