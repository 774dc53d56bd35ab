import { isJsonObject, type JsonObject, type JsonSchema } from '../../protocol/json.ts'
import type { ArgumentNames } from './argument-names.ts'
import { FILE_SCHEMA, isBinarySchema, isBinaryType, isFormType } from './body.ts'
import type { Documents } from './documents.ts'
import { isJsonType, type Media, type Operation, type Parameter } from './operation.ts'
import { SchemaWriter } from './schema-writer.ts'

/** The schema of a call's arguments. Throws a `CompositionError` for a reference that leads nowhere. */
export function inputSchema(
  documents: Documents,
  is30: boolean,
  { body }: Operation,
  names: ArgumentNames,
  media: Media | undefined,
): JsonSchema {
  const writer = new SchemaWriter(documents, is30, 'request')
  const properties: Record<string, JsonObject> = {}
  const required: string[] = []
  for (const [name, parameter] of names.parameters) {
    properties[name] = parameterSchema(writer, name, parameter)
    if (parameter.required) required.push(name)
  }
  if (names.body !== undefined && body !== undefined && media !== undefined) {
    const schema = bodySchema(documents, writer, media)
    const { description = `The body, ${media.type}.` } = body
    properties[names.body] = { description, ...schema }
    if (body.required) required.push(names.body)
  }
  const { defs } = writer
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(defs !== undefined && { $defs: defs }),
  }
}

/**
 * The schema of the structured result, where every answer that is a success is JSON with a schema; undefined where some
 * is not, because then nothing can be promised.
 */
export function outputSchema(
  documents: Documents,
  is30: boolean,
  { responses }: Operation,
): JsonSchema | undefined {
  const successes = responses.filter(({ status }) => /^2(?:\d\d|XX)$/i.test(status))
  const schemas = successes.map(({ media }) => {
    const isJson = media.length > 0 && media.every(({ type }) => isJsonType(type))
    return isJson ? media[0]?.schema : undefined
  })
  const writer = new SchemaWriter(documents, is30, 'response')
  const written = schemas.map((schema) =>
    schema === undefined ? undefined : writer.write(schema.value, schema.base),
  )
  const [first] = written
  if (first === undefined || written.includes(undefined)) return undefined
  const { defs } = writer
  const schema: JsonSchema = written.length === 1 ? first : { anyOf: written }
  if (Object.keys(schema).length === 0) return undefined
  return { ...schema, ...(defs !== undefined && { $defs: defs }) }
}

/** The schema of a member of a form's body, its references followed. */
export function memberSchema(documents: Documents, media: Media | undefined, name: string): unknown {
  if (media?.schema === undefined) return undefined
  const { value, base } = documents.resolve(media.schema.value, media.schema.base)
  const properties = isJsonObject(value) ? value['properties'] : undefined
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined
  const member = documents.resolve(properties[name], base)
  if (!isJsonObject(member.value) || member.value['items'] === undefined) return member.value
  const items = documents.resolve(member.value['items'], member.base).value
  return { ...member.value, items }
}

function parameterSchema(writer: SchemaWriter, name: string, parameter: Parameter): JsonObject {
  const { schema, description, deprecated, in: place, name: own } = parameter
  const written = schema === undefined ? { type: 'string' } : writer.write(schema.value, schema.base)
  const said = description ?? written['description']
  const where = name === own ? '' : `The ${place} parameter "${own}". `
  const text = `${where}${typeof said === 'string' ? said : ''}`.trim()
  return {
    ...written,
    ...(text !== '' && { description: text }),
    ...(deprecated && { deprecated }),
  }
}

function bodySchema(documents: Documents, writer: SchemaWriter, media: Media): JsonObject {
  if (isBinaryType(media.type)) return FILE_SCHEMA
  const { schema } = media
  const isText = !isJsonType(media.type) && !isFormType(media.type)
  // What is written in a format of its own, such as XML, is for the caller to write.
  if (isText) return { type: 'string', contentMediaType: media.type }
  if (schema === undefined) return isJsonType(media.type) ? {} : { type: 'object' }
  const written = writer.write(schema.value, schema.base)
  if (media.type !== 'multipart/form-data') return written
  const { properties } = written
  if (!isJsonObject(properties)) return written
  const members = Object.entries(properties).map(([name, member]): [string, unknown] => {
    const source = memberSchema(documents, media, name)
    const items = isJsonObject(source) ? source['items'] : undefined
    if (isBinarySchema(source)) return [name, file(member)]
    if (isBinarySchema(items) && isJsonObject(member)) return [name, { ...member, items: FILE_SCHEMA }]
    return [name, member]
  })
  return { ...written, properties: Object.fromEntries(members) }
}

function file(member: unknown): JsonObject {
  const said = isJsonObject(member) ? member['description'] : undefined
  return typeof said === 'string'
    ? { ...FILE_SCHEMA, description: `${said} ${String(FILE_SCHEMA['description'])}` }
    : FILE_SCHEMA
}
