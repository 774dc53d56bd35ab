import { createHash } from 'node:crypto'
import { guardedFetch, type GuardedFetch, type GuardedResponse } from '../../network/guarded-fetch.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { Registry } from '../../registry/registry.ts'
import { withUpstream } from '../../registry/with-upstream.ts'
import type { UrlData } from '../config-data.ts'
import { revealed, type SecretOf } from '../credentials.ts'
import { policyFor } from '../guarded.ts'
import type { OpenedSource } from '../opened-source.ts'
import { contentOfBytes } from './media-type.ts'
import { watchedUpstream, WhileWanted } from './watched.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type UrlParts = {
  readonly id: string
  readonly secretOf: SecretOf
  readonly file?: string | undefined
}

type Kept = {
  readonly answer: GuardedResponse
  readonly hash: string
}

/**
 * What a URL gives as a resource. It is asked for when it is read, with the validator of the answer before, so that
 * what did not change is not sent again; while anybody is subscribed it is looked at every so often.
 */
export function openUrl(data: UrlData, { id, secretOf, file }: UrlParts): OpenedSource {
  const {
    url,
    uri = url,
    name,
    title,
    description,
    mimeType,
    annotations,
    pollMs = DEFAULT_LIMITS.urlPollMs,
  } = data
  const page = new Page(data, secretOf)
  const registry = new Registry()
  registry.addResource({
    uri,
    name: name ?? nameOf(url),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations !== undefined && { annotations }),
    read: async (ctx) => {
      const { answer } = await page.look(ctx.signal)
      if (answer.status === 404 || answer.status === 410) return undefined
      return contentOfBytes(answer.body, mimeType ?? typeOf(answer))
    },
  })
  const polling = new WhileWanted(async () => {
    let seen = await page.look().then(
      ({ hash }) => hash,
      () => undefined,
    )
    let timer: NodeJS.Timeout
    let isOver = false
    const look = async () => {
      // What cannot be had just now is not another content.
      const now = await page.look().catch(() => undefined)
      if (isOver) return
      if (now !== undefined && now.hash !== seen) {
        seen = now.hash
        registry.resourceUpdated(uri)
      }
      timer = again()
    }
    const again = () => setTimeout(() => void look(), pollMs).unref()
    timer = again()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  })
  return {
    source: {
      id,
      origin: { kind: 'url', label: url, ...(file !== undefined && { file }) },
      view: withUpstream(
        registry,
        watchedUpstream((asked) => (asked === uri ? polling.want() : Promise.resolve(() => undefined))),
      ),
    },
    fault: () => undefined,
    onFault: () => () => undefined,
    close: () => polling.close(),
  }
}

/** A URL with the last answer that it gave. */
class Page {
  readonly #data: UrlData
  readonly #secretOf: SecretOf
  readonly #fetch: GuardedFetch
  #kept: Kept | undefined

  constructor(data: UrlData, secretOf: SecretOf) {
    this.#data = data
    this.#secretOf = secretOf
    const { maximumBytes: bodyBytes, timeoutMs = DEFAULT_LIMITS.urlRequestMs } = data
    const limits = { timeoutMs, ...(bodyBytes !== undefined && { bodyBytes }) }
    this.#fetch = guardedFetch(policyFor([new URL(data.url)], limits))
  }

  /** What it gives now. Rejects with a `ProtocolError` if it gives nothing that is content. */
  async look(signal?: AbortSignal): Promise<Kept> {
    const { url, headers: given = {} } = this.#data
    const kept = this.#kept
    try {
      const headers = await Promise.all(
        Object.entries(given).map(
          async ([name, value]) => [name, await revealed(value, this.#secretOf)] as const,
        ),
      )
      const answer = await this.#fetch(url, {
        headers: { accept: '*/*', ...validators(kept), ...Object.fromEntries(headers) },
        ...(signal !== undefined && { signal }),
      })
      if (answer.status === 304 && kept !== undefined) return kept
      const isContent =
        (answer.status >= 200 && answer.status < 300) || answer.status === 404 || answer.status === 410
      if (!isContent) throw new ProtocolError(ErrorCode.internalError, `${url} answered ${answer.status}`)
      const hash = createHash('sha256').update(String(answer.status)).update(answer.body).digest('hex')
      this.#kept = { answer, hash }
      return this.#kept
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ProtocolError) throw error
      const message = messageOf(error)
      throw new ProtocolError(ErrorCode.internalError, message)
    }
  }
}

function validators(kept: Kept | undefined): Readonly<Record<string, string>> {
  const { etag, 'last-modified': modified } = kept?.answer.headers ?? {}
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  }
}

function typeOf({ headers }: GuardedResponse): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase()
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  return pathname.split('/').findLast((part) => part !== '') ?? host
}
