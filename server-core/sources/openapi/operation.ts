import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { CompositionError } from '../composition-error.ts'
import type { Documents, Found } from './documents.ts'
import type { Serialisation, Style } from './serialise.ts'
import { messageOf } from '../../protocol/error-message.ts'

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const
export type Method = (typeof METHODS)[number]

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export type Parameter = Serialisation & {
  readonly in: ParameterPlace
  readonly required: boolean
  readonly description: string | undefined
  readonly deprecated: boolean
  /** Its schema, and the document that it is in. */
  readonly schema: Found | undefined
  /** It goes as JSON text in place of a style. */
  readonly json: boolean
}

/** How a body, or an answer, looks in one media type. */
export type Media = {
  readonly type: string
  readonly schema: Found | undefined
  /** Of forms: how each member goes. */
  readonly encoding: JsonObject
}

export type RequestBody = {
  readonly required: boolean
  readonly description: string | undefined
  readonly media: readonly Media[]
}

export type OperationResponse = {
  /** `200`, `2XX` or `default`. */
  readonly status: string
  readonly media: readonly Media[]
}

/** Names of security schemes and the scopes that they need, all of them together. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** One method of one path. */
export type Operation = {
  readonly method: Method
  readonly path: string
  readonly operationId: string | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly deprecated: boolean
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly responses: readonly OperationResponse[]
  /** Any of them will do; undefined: none is asked for. */
  readonly security: readonly SecurityRequirement[] | undefined
  /** The servers of the operation or its path, where they are not those of the document. */
  readonly servers: readonly JsonObject[] | undefined
}

export type ReadOperation =
  | { readonly type: 'operation'; readonly operation: Operation }
  | { readonly type: 'fault'; readonly name: string; readonly message: string }

/** Headers that are said by other parts of the document (OpenAPI, Parameter Object). */
const NOT_PARAMETERS = new Set(['accept', 'content-type', 'authorization'])

const STYLES: Readonly<Record<ParameterPlace, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

/** All operations of a document, in its order; those that cannot be read say why. */
export function readOperations(documents: Documents): readonly ReadOperation[] {
  const { paths, security } = documents.root
  const given = readSecurity(security)
  const { openApiOperations } = DEFAULT_LIMITS
  const read: ReadOperation[] = []
  for (const [path, item] of Object.entries(isJsonObject(paths) ? paths : {})) {
    if (!path.startsWith('/')) continue
    try {
      const { value, base } = documents.resolve(item, documents.uri)
      if (!isJsonObject(value)) continue
      for (const method of METHODS) {
        const own = value[method]
        if (!isJsonObject(own)) continue
        if (read.length >= openApiOperations) {
          const message = `the document has more than the ${openApiOperations} operations that are read`
          throw new CompositionError('document', message)
        }
        read.push(readOne(documents, { path, method, item: value, own, base, given }))
      }
    } catch (error) {
      read.push({ type: 'fault', name: path, message: messageOf(error) })
    }
  }
  return read
}

type Place = {
  readonly path: string
  readonly method: Method
  readonly item: JsonObject
  readonly own: JsonObject
  readonly base: string
  readonly given: readonly SecurityRequirement[] | undefined
}

function readOne(documents: Documents, place: Place): ReadOperation {
  try {
    return { type: 'operation', operation: readOperation(documents, place) }
  } catch (error) {
    return {
      type: 'fault',
      name: `${place.method.toUpperCase()} ${place.path}`,
      message: messageOf(error),
    }
  }
}

function readOperation(documents: Documents, { path, method, item, own, base, given }: Place): Operation {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const { tags, operationId, summary, description, deprecated, security } = own
  return {
    method,
    path,
    operationId: text(operationId),
    summary: text(summary) ?? text(item['summary']),
    description: text(description) ?? text(item['description']),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    deprecated: deprecated === true,
    parameters: readParameters(documents, path, base, [item['parameters'], own['parameters']]),
    body: readBody(documents, own['requestBody'], base),
    responses: readResponses(documents, own['responses'], base),
    security: readSecurity(security) ?? given,
    servers: serversOf(own['servers']) ?? serversOf(item['servers']),
  }
}

/** Those of the operation stand over those of its path. */
function readParameters(
  documents: Documents,
  path: string,
  base: string,
  lists: readonly unknown[],
): readonly Parameter[] {
  const byPlace = new Map<string, Parameter>()
  for (const list of lists) {
    for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
      const found = documents.resolve(item, base)
      const parameter = readParameter(documents, found)
      const isSaidElsewhere = parameter.in === 'header' && NOT_PARAMETERS.has(parameter.name.toLowerCase())
      if (!isSaidElsewhere) byPlace.set(`${parameter.in} ${parameter.name}`, parameter)
    }
  }
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (byPlace.has(`path ${name}`)) continue
    // A document should declare it; a variable of the path is a parameter in any case.
    const bare = { style: 'simple', explode: false, allowReserved: false, json: false } as const
    const missing = { description: undefined, deprecated: false, schema: undefined }
    byPlace.set(`path ${name}`, { name, in: 'path', required: true, ...bare, ...missing })
  }
  return [...byPlace.values()]
}

function readParameter(documents: Documents, { value, base }: Found): Parameter {
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || !isPlace(value['in'])) {
    const message = `a parameter needs "name" and "in": path, query, header or cookie; got ${JSON.stringify(value ?? null).slice(0, 200)}`
    throw new CompositionError('document', message)
  }
  const { name, in: place, required, description, deprecated, schema, content } = value
  const [media] = mediaOf(documents, content, base)
  const style = STYLES[place].find((each) => each === value['style']) ?? STYLES[place][0] ?? 'simple'
  return {
    name,
    in: place,
    required: required === true || place === 'path',
    description: typeof description === 'string' ? description : undefined,
    deprecated: deprecated === true,
    style,
    explode: typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form',
    allowReserved: value['allowReserved'] === true,
    schema: schema === undefined ? media?.schema : { value: schema, base, uri: '' },
    json: schema === undefined && media !== undefined && isJsonType(media.type),
  }
}

function readBody(documents: Documents, given: unknown, base: string): RequestBody | undefined {
  if (given === undefined) return undefined
  const found = documents.resolve(given, base)
  if (!isJsonObject(found.value)) return undefined
  const { required, description, content } = found.value
  const media = mediaOf(documents, content, found.base)
  if (media.length === 0) return undefined
  return {
    required: required === true,
    description: typeof description === 'string' ? description : undefined,
    media,
  }
}

function readResponses(documents: Documents, given: unknown, base: string): readonly OperationResponse[] {
  return Object.entries(isJsonObject(given) ? given : {}).flatMap(([status, response]) => {
    const found = documents.resolve(response, base)
    const content = isJsonObject(found.value) ? found.value['content'] : undefined
    return [{ status, media: mediaOf(documents, content, found.base) }]
  })
}

function mediaOf(documents: Documents, content: unknown, base: string): readonly Media[] {
  return Object.entries(isJsonObject(content) ? content : {}).flatMap(([type, given]) => {
    const { value, base: at } = documents.resolve(given, base)
    if (!isJsonObject(value)) return []
    const { schema, encoding } = value
    return [
      {
        type: type.split(';')[0]?.trim().toLowerCase() ?? type,
        schema: schema === undefined ? undefined : { value: schema, base: at, uri: '' },
        encoding: isJsonObject(encoding) ? encoding : {},
      },
    ]
  })
}

function readSecurity(given: unknown): readonly SecurityRequirement[] | undefined {
  if (!Array.isArray(given)) return undefined
  return given
    .filter(isJsonObject)
    .map((requirement) =>
      Object.fromEntries(
        Object.entries(requirement).map(([scheme, scopes]) => [
          scheme,
          Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [],
        ]),
      ),
    )
}

function serversOf(given: unknown): readonly JsonObject[] | undefined {
  const servers = Array.isArray(given) ? given.filter(isJsonObject) : []
  return servers.length === 0 ? undefined : servers
}

/** `application/json` and its kin. */
export function isJsonType(type: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json$/.test(type) || type === 'text/json'
}

function isPlace(value: unknown): value is ParameterPlace {
  return value === 'path' || value === 'query' || value === 'header' || value === 'cookie'
}
