import type { GuardedFetch } from '../../network/guarded-fetch.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { ResourceNotFoundError } from '../../registry/errors.ts'
import { Registry } from '../../registry/registry.ts'
import type { ResourceReturn } from '../../registry/resource-definitions.ts'
import { CompositionError } from '../composition-error.ts'
import type { OpenApiData, RouteData } from '../config-data.ts'
import type { SecretOf } from '../credentials.ts'
import type { FaultyEntry } from '../source.ts'
import { methodAnnotations } from './annotations.ts'
import { contentOf, errorText, toolResult } from './answer.ts'
import { argumentNames, type ArgumentNames } from './argument-names.ts'
import { baseUrlOf } from './base-url.ts'
import { preferredMedia } from './body.ts'
import { CallError } from './call-error.ts'
import { Caller } from './caller.ts'
import type { ClientCredentialsTokens } from './client-credentials.ts'
import type { Documents } from './documents.ts'
import { OperationNames } from './names.ts'
import { readOperations, type Operation } from './operation.ts'
import { inputSchema, memberSchema, outputSchema } from './operation-schemas.ts'
import { Routes } from './routes.ts'
import { Security } from './security.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type DocumentParts = {
  readonly data: OpenApiData
  readonly secretOf: SecretOf
  readonly tokens: ClientCredentialsTokens
  /** The guarded way to a server of the document. */
  readonly fetchFor: (server: URL) => GuardedFetch
  readonly timeoutMs: number
}

export type DocumentRegistry = {
  readonly registry: Registry
  /** Operations that cannot be served. */
  readonly faults: readonly FaultyEntry[]
}

/**
 * The operations of a document as tools and resources, by the route map. Rejects with a `CompositionError` (`document`)
 * for a document that is not OpenAPI 3.0 or 3.1; an operation that cannot be served is a fault of its own.
 */
export async function documentRegistry(
  documents: Documents,
  parts: DocumentParts,
): Promise<DocumentRegistry> {
  const is30 = versionOf(documents)
  const { data, secretOf, tokens } = parts
  const routes = await Routes.of(data.routes ?? [])
  const names = new OperationNames(data.prefix === undefined ? 0 : data.prefix.length + 1)
  const security = new Security(documents, data, secretOf, tokens)
  const maker = new EntryMaker(documents, is30, parts, security)
  const faults: FaultyEntry[] = []
  for (const read of readOperations(documents)) {
    if (read.type === 'fault') {
      faults.push({ kind: 'tool', name: read.name, fault: { code: 'document', message: read.message } })
      continue
    }
    const { operation } = read
    const route = routes.routeOf(operation)
    const as = route?.as ?? 'tool'
    if (as === 'exclude') continue
    // A name of the map is for what it fits alone; further ones get a number.
    const name = names.name(operation, route?.name)
    try {
      maker.add(as, name, operation, route)
    } catch (error) {
      const message = messageOf(error)
      faults.push({ kind: as, name, fault: { code: 'document', message } })
    }
  }
  return { registry: maker.registry, faults }
}

/** Whether it is 3.0 and not 3.1 (or 3.2, which reads the same as far as we go). */
function versionOf({ root, uri }: Documents): boolean {
  const { openapi, swagger } = root
  if (typeof openapi === 'string' && /^3\.[012](?:\.|$)/.test(openapi)) return openapi.startsWith('3.0')
  const came =
    swagger === undefined ? `openapi: ${JSON.stringify(openapi)}` : `swagger: ${JSON.stringify(swagger)}`
  throw new CompositionError(
    'document',
    `${uri} is not an OpenAPI document of version 3.0 or 3.1: it has ${came}. Convert it first`,
  )
}

class EntryMaker {
  readonly registry = new Registry()
  readonly #documents: Documents
  readonly #is30: boolean
  readonly #parts: DocumentParts
  readonly #security: Security

  constructor(documents: Documents, is30: boolean, parts: DocumentParts, security: Security) {
    this.#documents = documents
    this.#is30 = is30
    this.#parts = parts
    this.#security = security
  }

  /** Throws what says why the operation cannot be served. */
  add(
    as: 'tool' | 'resource' | 'template',
    name: string,
    operation: Operation,
    route: RouteData | undefined,
  ): void {
    const names = argumentNames(operation)
    if (as === 'tool') this.#addTool(name, operation, names, route)
    else this.#addResource(as, name, operation, names, route)
  }

  #addTool(name: string, operation: Operation, names: ArgumentNames, route: RouteData | undefined): void {
    const media = operation.body === undefined ? undefined : preferredMedia(operation.body.media)
    const caller = this.#caller(operation, names)
    const output =
      this.#parts.data.outputSchemas === false
        ? undefined
        : outputSchema(this.#documents, this.#is30, operation)
    this.registry.addTool({
      name,
      ...described(operation, route),
      annotations: { ...methodAnnotations(operation.method), ...route?.annotations },
      input: inputSchema(this.#documents, this.#is30, operation, names, media),
      ...(output !== undefined && { output }),
      // The request has a limit of its own, which says more.
      timeout: this.#parts.timeoutMs + 5_000,
      run: async (args, ctx) => {
        try {
          const response = await caller.call(args, ctx.signal)
          const result = toolResult(caller.what, response, output !== undefined)
          const hint = caller.hint(response)
          return hint === ''
            ? result
            : { ...result, content: [...(result.content ?? []), { type: 'text', text: hint.trim() }] }
        } catch (error) {
          if (!(error instanceof CallError)) throw error
          return { content: [{ type: 'text', text: error.message }], isError: true }
        }
      },
    })
  }

  #addResource(
    as: 'resource' | 'template',
    name: string,
    operation: Operation,
    names: ArgumentNames,
    route: RouteData | undefined,
  ): void {
    const { method, path, parameters } = operation
    if (method !== 'get')
      throw notReadable(`it is ${method.toUpperCase()}; only what is read by GET can be one`)
    const inUri = names.parameters.filter(([, { in: place }]) => place === 'path' || place === 'query')
    const needed = parameters.filter(
      ({ required, in: place }) =>
        required && (as === 'resource' || place === 'header' || place === 'cookie'),
    )
    if (needed.length > 0) {
      const list = needed.map(({ name: parameter, in: place }) => `"${parameter}" (${place})`).join(', ')
      throw notReadable(`it needs ${list}; expose it as ${as === 'resource' ? 'a template or ' : ''}a tool`)
    }
    const caller = this.#caller(operation, names)
    const read = async (args: JsonObject, signal: AbortSignal, uri: string) =>
      resourceContent(caller, args, signal, uri)
    const { annotations } = route ?? {}
    const common = { name, ...described(operation, route), ...(annotations !== undefined && { annotations }) }
    const isPlain = as === 'resource' || inUri.length === 0
    if (isPlain) {
      const uri = `api:/${path}`
      this.registry.addResource({ ...common, uri, read: (ctx) => read({}, ctx.signal, uri) })
      return
    }
    const variables = new Map(
      inUri.map(([argument, parameter]) => [variableOf(argument), { argument, parameter }]),
    )
    const byName = new Map(inUri.map(([argument, parameter]) => [parameter, variableOf(argument)]))
    const inPath = path.replaceAll(/\{([^{}]+)\}/g, (whole, own: string) => {
      const found = inUri.find(([, parameter]) => parameter.in === 'path' && parameter.name === own)
      return found === undefined ? whole : `{${byName.get(found[1]) ?? own}}`
    })
    const query = inUri.flatMap(([, parameter]) =>
      parameter.in === 'query' ? (byName.get(parameter) ?? []) : [],
    )
    this.registry.addResourceTemplate({
      ...common,
      uriTemplate: `api:/${inPath}${query.length === 0 ? '' : `{?${query.join(',')}}`}`,
      read: (values: Readonly<Record<string, unknown>>, ctx, uri) => {
        const args = Object.entries(values).flatMap(([variable, value]): [string, unknown][] => {
          const found = variables.get(variable)
          return found === undefined ? [] : [[found.argument, value]]
        })
        return read(Object.fromEntries(args), ctx.signal, uri)
      },
    })
  }

  #caller(operation: Operation, names: ArgumentNames): Caller {
    const { data, fetchFor } = this.#parts
    const baseUrl = baseUrlOf(this.#documents, operation, data.baseUrl)
    const media = operation.body === undefined ? undefined : preferredMedia(operation.body.media)
    const parts = {
      operation,
      names,
      media,
      memberOf: (name: string) => memberSchema(this.#documents, media, name),
      baseUrl: baseUrl.href.replace(/\/$/, ''),
      accept: acceptOf(operation),
    }
    return new Caller(parts, fetchFor(baseUrl), this.#security)
  }
}

async function resourceContent(
  caller: Caller,
  args: JsonObject,
  signal: AbortSignal,
  uri: string,
): Promise<ResourceReturn> {
  try {
    const response = await caller.call(args, signal)
    if (response.status === 404) throw new ResourceNotFoundError(uri, errorText(caller.what, response))
    if (response.status < 200 || response.status >= 300) {
      const message = errorText(caller.what, response) + caller.hint(response)
      throw new ProtocolError(ErrorCode.internalError, message)
    }
    const content = contentOf(response)
    switch (content.type) {
      case 'none':
        return { text: '' }
      case 'json':
        return { text: content.text, mimeType: 'application/json' }
      case 'text':
        return { text: content.text, mimeType: content.mimeType }
      case 'bytes':
        return { blob: content.bytes.toString('base64'), mimeType: content.mimeType }
    }
  } catch (error) {
    if (error instanceof CallError) throw new ProtocolError(ErrorCode.internalError, error.message)
    throw error
  }
}

function described(
  { summary, description, deprecated, method, path, tags }: Operation,
  route: RouteData | undefined,
) {
  const title = route?.title ?? summary
  const said = route?.description ?? description ?? summary ?? `${method.toUpperCase()} ${path}`
  return {
    ...(title !== undefined && { title }),
    description: deprecated ? `Deprecated. ${said}` : said,
    ...(tags.length > 0 && { tags: tags.filter((tag) => tag !== '') }),
  }
}

function acceptOf({ responses }: Operation): string {
  const types = new Set(responses.flatMap(({ media }) => media.map(({ type }) => type)))
  const listed = [...types].filter((type) => /^[\w.+*-]+\/[\w.+*-]+$/.test(type))
  return listed.length === 0 ? 'application/json, */*;q=0.5' : `${listed.join(', ')}, */*;q=0.1`
}

/** A name that a URI template takes. */
function variableOf(argument: string): string {
  return argument.replaceAll(/\W/g, '_')
}

function notReadable(reason: string): CompositionError {
  return new CompositionError('configuration', `it cannot be a resource: ${reason}`)
}
