import { badInput, type BadInput } from './bad-input.ts'
import type { RawConnection, Message } from './raw-connection.ts'
import { owedFor } from './oracle.ts'
import type { Random } from '../random.ts'

/** How many messages go out before the server is asked for a sign of life. */
const BURST = 100
/** Milliseconds after which a server that does not answer is stuck. */
const STUCK_MS = 30_000

const HARMLESS = Buffer.from('{"jsonrpc":"2.0","method":"notifications/soak"}')

type Owing = { readonly input: string; readonly errorOnly: boolean }

/**
 * Sends `count` bad messages on the lane, and after each burst two calls with one id and a good call. Gives what went
 * wrong, at most 20 findings: a lane that ended, an answer that is missing, not owed, or of the wrong kind.
 */
export async function soakConnection(
  connection: RawConnection,
  random: Random,
  count: number,
): Promise<string[]> {
  const findings: string[] = []
  for (let sent = 0; sent < count && findings.length < 20;) {
    const burst = new Burst(connection)
    for (let each = 0; each < BURST && sent < count; each += 1, sent += 1) {
      burst.sendBad(badInput(random, sent))
    }
    burst.sendTwice(sent)
    findings.push(...(await burst.settled(`probe ${sent}`)))
  }
  return findings
}

/** Some messages at once and what they are owed. */
class Burst {
  readonly #connection: RawConnection
  readonly #owed = new Map<string, Owing[]>()
  readonly #findings: string[] = []
  #lastInputs: string[] = []
  #wake: () => void = () => undefined
  #probe = ''
  #probeAnswered = false

  constructor(connection: RawConnection) {
    this.#connection = connection
    connection.onMessage((message) => {
      this.#take(message)
    })
  }

  sendBad({ kind, bytes }: BadInput): void {
    if (!this.#connection.carries(bytes)) return
    const input = `${kind}: ${bytes.toString('latin1').slice(0, 300)}`
    const owed = owedFor(bytes)
    if (owed.type !== 'nothing') {
      this.#owe(owed.id, { input, errorOnly: owed.type === 'error' })
    }
    this.#lastInputs.push(input)
    this.#connection.send(bytes)
    // Ten unreadable messages in a row end a WebSocket, as they should.
    if (this.#lastInputs.length % 8 === 0) this.#connection.send(HARMLESS)
  }

  /**
   * Two calls with one id: both are answered, and the one that came while the other was in flight with an error. The
   * first lasts until a third call releases it, however late the second one comes.
   */
  sendTwice(number: number): void {
    const id = `twice ${number}`
    for (const errorOnly of [false, this.#connection.keepsOrder]) {
      this.#owe(id, { input: `a call with the id of one in flight: ${id}`, errorOnly })
      this.#connection.send(call(id, 'later', id))
    }
    const release = `release ${number}`
    this.#owe(release, { input: 'the call that releases it', errorOnly: false })
    this.#connection.send(call(release, 'release', id))
  }

  /** Asks for a sign of life, and gives what was wrong once all that is owed has come. */
  async settled(probe: string): Promise<string[]> {
    this.#probe = probe
    await this.#connection.flushed()
    this.#connection.send(call(probe, 'echo', probe))
    let timer: NodeJS.Timeout | undefined
    const stuck = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, STUCK_MS, `nothing came for ${STUCK_MS} ms`)
    })
    const ended = Promise.race([this.#connection.closed, stuck])
    try {
      for (;;) {
        if (this.#probeAnswered && this.#owed.size === 0) return this.#findings
        const woken = new Promise<undefined>((resolve) => {
          this.#wake = () => {
            resolve(undefined)
          }
        })
        const reason = await Promise.race([woken, ended])
        if (reason !== undefined) return [...this.#findings, this.#describe(reason)]
      }
    } finally {
      clearTimeout(timer)
    }
  }

  #describe(reason: string): string {
    const missing = [...this.#owed.entries()]
      .slice(0, 3)
      .map(([key, owings]) => `${key} for ${owings.map(({ input }) => input).join(' and ')}`)
    const last = this.#lastInputs.slice(-2).join(' | ')
    const probe = this.#probeAnswered ? '' : '; the good call after them has no answer'
    return `${reason}; owed: ${missing.join('; ') || 'nothing'}${probe}; the last inputs: ${last}`
  }

  #owe(id: string | number | undefined, owing: Owing): void {
    const key = keyOf(id)
    const others = this.#owed.get(key)
    if (others === undefined) this.#owed.set(key, [owing])
    else others.push(owing)
  }

  #take(message: Message): void {
    this.#wake()
    if (message.method !== undefined) return
    if (message.id === this.#probe) {
      this.#probeAnswered = true
      if (textOf(message) !== this.#probe) this.#findings.push(`a wrong answer: ${JSON.stringify(message)}`)
      return
    }
    const key = keyOf(message.id)
    const owings = this.#owed.get(key)
    const owing = takeFrom(owings, message.error !== undefined)
    if (owings?.length === 0) this.#owed.delete(key)
    if (owing === undefined)
      this.#findings.push(`an answer that nothing is owed for: ${JSON.stringify(message)}`)
  }
}

/** Accepts a valid error or result. Results fit only what may succeed; errors rather what must fail. */
function takeFrom(owings: Owing[] | undefined, isError: boolean): Owing | undefined {
  if (owings === undefined) return undefined
  const wanted = owings.findIndex(({ errorOnly }) => errorOnly === isError)
  const at = wanted === -1 && isError ? 0 : wanted
  return at === -1 ? undefined : owings.splice(at, 1)[0]
}

function keyOf(id: unknown): string {
  return id === undefined || id === null ? 'no id' : JSON.stringify(id)
}

function call(id: string, tool: string, nonce: string): Buffer {
  const params = { name: tool, arguments: { nonce } }
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }))
}

/** The text of the first block of a tool's result. */
export function textOf(message: Message): unknown {
  const content = message.result?.['content']
  const [block] = Array.isArray(content) ? (content as unknown[]) : []
  return typeof block === 'object' && block !== null && 'text' in block ? block.text : undefined
}
