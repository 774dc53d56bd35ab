import { isJsonObject } from '../protocol/json.ts'
import { visibleText } from '../protocol/visible-text.ts'
import type { StepRequest, StepResponse } from './steps.ts'

/** Parameters and members whose value is a secret, wherever they stand. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'access_token',
  'actor_token',
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'id_token',
  'password',
  'refresh_token',
  'registration_access_token',
  'subject_token',
  'token',
])
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'proxy-authorization',
])
/** Nesting that a record keeps: a document of a peer may be nested as deep as it is long. */
const MAX_DEPTH = 64
/** Characters of a body that a record keeps. */
const MAX_BODY = 65_536
/** Secrets that are looked for; the oldest have ended long ago. */
const KEPT_SECRETS = 512
/** Shorter values occur in too many other places to be searched for. */
const SHORTEST_SECRET = 6

/** A request as it is shown, and the way back from what a user made of it. */
export type MaskedRequest = {
  readonly shown: StepRequest
  /** The request that is sent: each placeholder that is still there stands for its secret. */
  readonly restore: (edited: StepRequest) => StepRequest
}

/** Masks secrets in what is recorded, by their names and, once they were seen, by their values. */
export class SecretMask {
  readonly #known = new Map<string, string>()
  readonly #onSecret: (secret: string) => void

  /** @param onSecret learns of each secret once */
  constructor(onSecret: (secret: string) => void = () => undefined) {
    this.#onSecret = onSecret
  }

  /** Masks this value wherever it turns up from now on. */
  learn(name: string, value: string): void {
    if (value.length < SHORTEST_SECRET) return
    if (!this.#known.has(value)) this.#onSecret(value)
    this.#known.delete(value)
    this.#known.set(value, `⟨${name}⟩`)
    const encoded = formEncoded(value)
    if (encoded !== value) this.#known.set(encoded, `⟨${name}⟩`)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= KEPT_SECRETS) break
      this.#known.delete(oldest)
    }
  }

  /** A text of a peer, safe to show and without the secrets that are known. */
  text(text: string): string {
    return visibleText(this.#withoutKnown(text))
  }

  request(request: StepRequest): MaskedRequest {
    const secrets = new Map<string, string>()
    const hide = (name: string, value: string, raw = value): string => {
      if (raw === '') return raw
      this.learn(name, value)
      const placeholder = unused(secrets, name, raw)
      secrets.set(placeholder, raw)
      return placeholder
    }
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => {
      if (!SECRET_HEADERS.has(name.toLowerCase())) return [name, value]
      const [, scheme = '', credentials = ''] = /^(\S+ )?(.*)$/.exec(value) ?? []
      return [name, `${scheme}${hide('credentials', credentials)}`]
    })
    const [front, query] = split(request.url)
    const body = request.body
    const shown: StepRequest = {
      method: request.method,
      url: query === undefined ? front : `${front}?${maskedForm(query, hide)}`,
      headers: Object.fromEntries(headers),
      ...(body === undefined
        ? {}
        : { body: isForm(request) ? maskedForm(body, hide) : maskedJson(body, hide) }),
    }
    const restored = (text: string): string => {
      let whole = text
      for (const [placeholder, value] of secrets) whole = whole.replaceAll(placeholder, () => value)
      return whole
    }
    return {
      shown,
      restore: (edited) => ({
        method: edited.method,
        url: restored(edited.url),
        headers: Object.fromEntries(
          Object.entries(edited.headers).map(([name, value]) => [name, restored(value)]),
        ),
        ...(edited.body === undefined ? {} : { body: restored(edited.body) }),
      }),
    }
  }

  response(status: number, headers: Readonly<Record<string, string>>, body: string): StepResponse {
    const hide = (name: string, value: string): string => {
      this.learn(name, value)
      return `⟨${name}⟩`
    }
    const masked = maskedJson(body, hide)
    const shown = Object.entries(headers).map(([name, value]): [string, string] => {
      if (SECRET_HEADERS.has(name)) return [name, hide('cookie', value)]
      if (name !== 'location') return [name, this.text(value)]
      const [front, query] = split(value)
      return [name, this.text(query === undefined ? front : `${front}?${maskedForm(query, hide)}`)]
    })
    const text = this.text(masked)
    return {
      status,
      headers: Object.fromEntries(shown),
      body: text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}…` : text,
    }
  }

  #withoutKnown(text: string): string {
    let masked = text
    for (const [value, placeholder] of this.#known) masked = masked.replaceAll(value, placeholder)
    return masked
  }
}

type Hide = (name: string, value: string, raw?: string) => string

function maskedForm(form: string, hide: Hide): string {
  return form
    .split('&')
    .map((pair) => {
      const [name, raw] = split(pair, '=')
      if (raw === undefined || !SECRET_NAMES.has(name)) return pair
      return `${name}=${hide(name, new URLSearchParams(`v=${raw}`).get('v') ?? raw, raw)}`
    })
    .join('&')
}

/** Masks members of a JSON document; other text stays as it is. */
function maskedJson(text: string, hide: Hide): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  return typeof value === 'object' ? JSON.stringify(maskedValue(value, hide), null, 2) : text
}

function maskedValue(value: unknown, hide: Hide, depth = 0): unknown {
  if (depth > MAX_DEPTH) return '…'
  if (Array.isArray(value)) return value.map((item: unknown) => maskedValue(item, hide, depth + 1))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (!SECRET_NAMES.has(name) || typeof member !== 'string')
      return [name, maskedValue(member, hide, depth + 1)]
    return [name, hide(name, member, JSON.stringify(member).slice(1, -1))]
  })
  return Object.fromEntries(members)
}

function unused(secrets: ReadonlyMap<string, string>, name: string, raw: string): string {
  for (let n = 1; ; n += 1) {
    const placeholder = n === 1 ? `⟨${name}⟩` : `⟨${name} ${n}⟩`
    const taken = secrets.get(placeholder)
    if (taken === undefined || taken === raw) return placeholder
  }
}

function isForm(request: StepRequest): boolean {
  const type = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return type?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true
}

function split(text: string, at = '?'): readonly [string, string | undefined] {
  const index = text.indexOf(at)
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)]
}

/** A value as forms have it (RFC 6749, appendix B). */
export function formEncoded(value: string): string {
  return new URLSearchParams({ '': value }).toString().slice(1)
}
