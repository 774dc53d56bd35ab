import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import type { ServerProcess } from '../stdio/server-process.ts'
import { LineCutter, withoutEnding } from '../stdio/line-cutter.ts'
import { TapError } from '../tap-error.ts'
import { listChanges } from './list-changes.ts'
import { LISTS, type ListMethod, type SessionMemory } from './session-memory.ts'

/** The new server answers the handshake, and each request after it, within this time. */
const ANSWER_MS = 30_000
/** A server whose output ended has this time to end itself. */
const EXIT_MS = 1_000
const LONGEST_LINE = 64 * 1024 * 1024
const MOST_PAGES = 200
/** Bytes that the new server may send before the client reads them. */
const MOST_EARLY_BYTES = 64 * 1024 * 1024
/** Bytes of its stderr that are kept until it is known where they go. */
const MOST_ERROR_BYTES = 64 * 1024
/** Characters of them that an error repeats. */
const SHOWN_ERRORS = 500

/** What is different for the client. */
export type SessionChanges = {
  /** Notifications that tell it. */
  readonly listChanged: readonly string[]
  /** In words, for people. */
  readonly changes: readonly string[]
  /** Name and version of the server, if it said them. */
  readonly serverInfo?: string
  /** What it answered to the client's introduction. */
  readonly result?: JsonObject
}

type Waiting = { readonly resolve: (message: JsonObject) => void; readonly reject: (error: Error) => void }

/** The session of a server that is to take the place of another one, before the client talks to it. */
export class NewSession {
  readonly #server: ServerProcess
  readonly #waiting = new Map<unknown, Waiting>()
  readonly #acknowledged = new Map<unknown, () => void>()
  readonly #cutter: LineCutter
  /** What is for the client. */
  #early: Buffer[] = []
  #earlyBytes = 0
  #count = 0
  #failure: Error | undefined
  #errors: Buffer = Buffer.alloc(0)
  readonly #error = (chunk: Buffer): void => {
    this.#errors = Buffer.concat([this.#errors, chunk]).subarray(-MOST_ERROR_BYTES)
  }
  readonly #data = (chunk: Buffer): void => this.#cutter.push(chunk)
  readonly #ended = (): void => {
    // How a server ended is known a little later, and says more.
    setTimeout(() => this.#fail(new TapError('swap', 'the new server closed its output')), EXIT_MS).unref()
  }

  constructor(server: ServerProcess) {
    this.#server = server
    this.#cutter = new LineCutter(LONGEST_LINE, (line) => this.#line(line))
    server.stdout.on('data', this.#data).on('end', this.#ended)
    server.stderr.on('data', this.#error)
    server.stdin.on('error', (error) => this.#fail(error))
    void server.exited.then(({ code, signal }) => {
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`
      const said = this.#errors.toString().trim().slice(-SHOWN_ERRORS)
      const why = said === '' ? '' : `; its stderr ends with: ${said}`
      this.#fail(new TapError('swap', `the new server ended ${how} before it answered${why}`))
    })
  }

  /**
   * Sends the server what the client sent to the one before it, and compares the lists that the client has.
   *
   * @throws TapError `swap` if the client could not go on with it
   */
  async open(memory: SessionMemory): Promise<SessionChanges> {
    const changes: string[] = []
    const { initialize } = memory
    let serverInfo: string | undefined
    let result: JsonObject | undefined
    if (initialize !== undefined) {
      const { request, result: before } = initialize
      result = resultOf('initialize', await this.#send(request.message['id'], Buffer.from(request.bytes)))
      const [spoken, answered] = [String(before['protocolVersion']), String(result['protocolVersion'])]
      if (spoken !== answered)
        throw new TapError(
          'swap',
          `the client speaks revision ${spoken}, and the new server answered with ${answered}`,
        )
      changes.push(...capabilityChanges(before, result))
      serverInfo = infoOf(result)
      if (memory.initialized !== undefined) this.#write(Buffer.from(memory.initialized))
    }
    for (const message of memory.settings) {
      const answer = await this.request(message)
      if (isJsonObject(answer['error']))
        changes.push(`${String(message['method'])} failed: ${String(answer['error']['message'])}`)
    }
    const listChanged = new Set<string>()
    for (const [method, { request, items }] of memory.lists) {
      const change = listChanges(method, items, await this.#list(method, request))
      if (change === undefined) continue
      changes.push(change)
      listChanged.add(LISTS[method].changed)
    }
    for (const { message, bytes } of memory.listening) {
      const acknowledged = new Promise<void>((resolve) => this.#acknowledged.set(message['id'], resolve))
      this.#write(Buffer.from(bytes))
      await this.#within(acknowledged, 'subscriptions/listen')
    }
    return {
      listChanged: [...listChanged],
      changes,
      ...(serverInfo !== undefined && { serverInfo }),
      ...(result !== undefined && { result }),
    }
  }

  /** Sends a request under an id of the tap. */
  request(message: JsonObject): Promise<JsonObject> {
    this.#count += 1
    const id = `patchbay-tap-${this.#count}`
    return this.#send(id, Buffer.from(stringifyExact({ ...message, id })))
  }

  /** Leaves the output to somebody else. Returns what came for the client meanwhile, and on stderr. */
  release(): { readonly output: Buffer; readonly errors: Buffer } {
    this.#server.stdout.off('data', this.#data).off('end', this.#ended)
    this.#server.stderr.off('data', this.#error)
    this.#cutter.end()
    return { output: Buffer.concat(this.#early), errors: this.#errors }
  }

  async #list(method: ListMethod, request: JsonObject): Promise<readonly unknown[]> {
    const items: unknown[] = []
    const params = isJsonObject(request['params']) ? request['params'] : {}
    let cursor: unknown
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await this.request({
        ...request,
        params: { ...params, ...(cursor !== undefined && { cursor }) },
      })
      // A server without this list has no items of it.
      const result = isJsonObject(answer['result']) ? answer['result'] : {}
      const listed = result[LISTS[method].member]
      const found: readonly unknown[] = Array.isArray(listed) ? listed : []
      items.push(...found)
      cursor = result['nextCursor']
      if (cursor === undefined) break
    }
    return items
  }

  async #send(id: unknown, bytes: Buffer): Promise<JsonObject> {
    const answered = new Promise<JsonObject>((resolve, reject) => {
      if (this.#failure === undefined) this.#waiting.set(id, { resolve, reject })
      else reject(this.#failure)
    })
    this.#write(bytes)
    try {
      return await this.#within(answered, 'the handshake')
    } finally {
      this.#waiting.delete(id)
    }
  }

  async #within<T>(promise: Promise<T>, what: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      const error = new TapError(
        'swap',
        `the new server did not answer ${what} within ${ANSWER_MS / 1_000} s`,
      )
      timer = setTimeout(() => reject(error), ANSWER_MS)
    })
    try {
      return await Promise.race([promise, late])
    } finally {
      clearTimeout(timer)
    }
  }

  #write(bytes: Buffer): void {
    if (!this.#server.stdin.destroyed) this.#server.stdin.write(Buffer.concat([bytes, Buffer.of(0x0a)]))
  }

  #line(line: Buffer): void {
    const message = parsedLine(line)
    if (message !== undefined && message['method'] === undefined) {
      const waiting = this.#waiting.get(message['id'])
      if (waiting !== undefined) {
        waiting.resolve(message)
        return
      }
    }
    if (message?.['method'] === 'notifications/subscriptions/acknowledged') {
      const acknowledged = this.#acknowledged.get(subscriptionOf(message))
      if (acknowledged !== undefined) {
        acknowledged()
        return
      }
    }
    this.#early.push(line)
    this.#earlyBytes += line.length
    if (this.#earlyBytes > MOST_EARLY_BYTES)
      this.#fail(new TapError('swap', 'the new server sent more than 64 MiB before the client could read it'))
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.values()) reject(error)
  }
}

/** The key of `_meta` that names a subscription. */
export const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId'

function subscriptionOf({ params }: JsonObject): unknown {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) ? meta[SUBSCRIPTION_ID] : undefined
}

function parsedLine(line: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(withoutEnding(line).toString())
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function resultOf(method: string, { result, error }: JsonObject): JsonObject {
  if (isJsonObject(result)) return result
  const why = isJsonObject(error) ? String(error['message']) : messageOf(error)
  throw new TapError('swap', `the new server rejected ${method}: ${why}`)
}

function capabilityChanges(before: JsonObject, after: JsonObject): string[] {
  const [old, now] = [before, after].map(({ capabilities }) =>
    Object.keys(isJsonObject(capabilities) ? capabilities : {}),
  )
  const missing = (old ?? []).filter((name) => now?.includes(name) !== true)
  const added = (now ?? []).filter((name) => old?.includes(name) !== true)
  return [
    ...(missing.length > 0 ? [`capabilities no longer there: ${missing.join(', ')}`] : []),
    ...(added.length > 0 ? [`capabilities that the client does not know of: ${added.join(', ')}`] : []),
  ]
}

function infoOf({ serverInfo }: JsonObject): string | undefined {
  if (!isJsonObject(serverInfo)) return undefined
  return [serverInfo['name'], serverInfo['version']].filter((each) => typeof each === 'string').join(' ')
}
