import { guardedFetch, type GuardedResponse } from '../../network/guarded-fetch.ts'
import { NetworkError } from '../../network/network-error.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { RuleError } from '../rule-error.ts'
import { ANTHROPIC } from './anthropic.ts'
import type { ModelDialect, ModelReply, ModelRequest } from './dialect.ts'
import type { ModelEndpoint } from './endpoint.ts'
import { OPENAI } from './openai.ts'

/** An endpoint and its key, if it has one. */
export type OpenEndpoint = { readonly endpoint: ModelEndpoint; readonly key: string | undefined }

const DIALECTS: Readonly<Record<ModelEndpoint['api'], ModelDialect>> = {
  openai: OPENAI,
  anthropic: ANTHROPIC,
}
const TIMEOUT_MS = 120_000
/** Bytes of an answer; an image takes megabytes. */
const BODY_BYTES = 32 * 1024 * 1024
/** Characters of an endpoint's own words. */
const SAID = 300
/** Characters of a text to a token, roughly, for endpoints that do not count. */
const CHARACTERS_PER_TOKEN = 4

/** What the endpoint answered, and the tokens that it took: estimated if the endpoint does not say. */
export type CountedReply = ModelReply & { readonly tokens: number }

/**
 * Asks a model. Throws a `RuleError`: `question` for what the API cannot carry, `model` for everything that kept a
 * usable answer from coming, with the endpoint's own words; and the reason of the signal if that was aborted.
 */
export async function askModel(
  open: OpenEndpoint,
  request: ModelRequest,
  signal?: AbortSignal,
): Promise<CountedReply> {
  const dialect = DIALECTS[open.endpoint.api]
  const { body, names } = dialect.body(request, open.endpoint)
  const text = JSON.stringify(body)
  const answer = await send(open, dialect.paths.ask, { method: 'POST', body: text }, signal)
  const reply = dialect.reply(answer, names)
  const tokens =
    reply.tokens ?? Math.ceil((text.length + JSON.stringify(reply.content).length) / CHARACTERS_PER_TOKEN)
  return { ...reply, model: reply.model === '' ? request.model : reply.model, tokens }
}

/** The names of the models that an endpoint says it has. Throws a `RuleError` (`model`). */
export async function listModels(open: OpenEndpoint, signal?: AbortSignal): Promise<string[]> {
  const { data } = await send(open, DIALECTS[open.endpoint.api].paths.models, {}, signal)
  if (!Array.isArray(data)) throw new RuleError('model', `${open.endpoint.name} gives no list of models.`)
  return data.flatMap((model: unknown) => {
    const id = isJsonObject(model) ? model['id'] : undefined
    return typeof id === 'string' ? [id] : []
  })
}

async function send(
  { endpoint, key }: OpenEndpoint,
  path: string,
  request: { readonly method?: string; readonly body?: string },
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  const url = placeOf(endpoint, path)
  const fetch = guardedFetch({
    named: [url],
    clear: 'named',
    bodyBytes: BODY_BYTES,
    timeoutMs: endpoint.timeoutMs ?? TIMEOUT_MS,
  })
  let response: GuardedResponse
  try {
    response = await fetch(url, {
      ...request,
      headers: {
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...DIALECTS[endpoint.api].headers(key),
      },
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (cause) {
    if (cause instanceof NetworkError)
      throw new RuleError('model', `${endpoint.name} could not be asked: ${cause.message}.`, { cause })
    throw cause
  }
  return bodyOf(endpoint, response)
}

function placeOf({ name, url }: ModelEndpoint, path: string): URL {
  const base = URL.parse(url)
  if (base === null) throw new RuleError('model', `The address of ${name} is not a URL: ${url}`)
  const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`
  // Addresses are given with and without the version of the API at their end.
  const isThere = folder.endsWith('/v1/') && path.startsWith('v1/')
  base.pathname = folder + (isThere ? path.slice('v1/'.length) : path)
  return base
}

function bodyOf({ name }: ModelEndpoint, { status, body, url }: GuardedResponse): JsonObject {
  const text = body.toString('utf8')
  const parsed = parsedObject(text)
  if (status >= 200 && status < 300) {
    if (parsed !== undefined) return parsed
    throw new RuleError(
      'model',
      `${name} answered ${url} with something that is not a JSON object: ${short(text)}`,
    )
  }
  const said = saidOf(parsed) ?? text
  const words = said.trim() === '' ? '' : `: ${short(said)}`
  throw new RuleError('model', `${name} answered with HTTP ${status}${MEANING.get(status) ?? ''}${words}`, {
    httpStatus: status,
  })
}

/** What a status of a model's API means to its user. */
const MEANING: ReadonlyMap<number, string> = new Map([
  [401, ' (the key is missing or wrong)'],
  [403, ' (the key may not do this)'],
  [404, ' (the address or the model is wrong)'],
  [413, ' (the question is too long)'],
  [429, ' (too many requests, or the account is used up)'],
  [529, ' (overloaded)'],
])

/** Both APIs tell errors as `{ error: { message } }`; some servers say `{ error: "…" }` or `{ message }`. */
function saidOf(body: JsonObject | undefined): string | undefined {
  const error = body?.['error']
  const message = isJsonObject(error) ? error['message'] : (error ?? body?.['message'])
  return typeof message === 'string' ? message : undefined
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function short(text: string): string {
  return text.length > SAID ? `${text.slice(0, SAID)}…` : text
}
