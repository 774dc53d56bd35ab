import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { CallError } from './call-error.ts'
import { isJsonType, type Media } from './operation.ts'
import { encodeValue, queryParts, type Style } from './serialise.ts'

export type WrittenBody = { readonly contentType: string; readonly bytes: Uint8Array | string }

/** What goes as bytes, given in base64: alone, or with the facts of a file. */
export const FILE_SCHEMA: JsonObject = {
  description: 'The bytes of a file in base64, or an object that also names the file.',
  anyOf: [
    { type: 'string', contentEncoding: 'base64' },
    {
      type: 'object',
      properties: {
        data: { type: 'string', contentEncoding: 'base64' },
        fileName: { type: 'string' },
        mimeType: { type: 'string' },
      },
      required: ['data'],
      additionalProperties: false,
    },
  ],
}

/** The media type of a body that is sent: JSON if it may be, then forms, then text, then anything. */
export function preferredMedia(media: readonly Media[]): Media | undefined {
  const order: readonly ((type: string) => boolean)[] = [
    (type) => type === 'application/json',
    isJsonType,
    (type) => type === 'application/x-www-form-urlencoded',
    (type) => type === 'multipart/form-data',
    (type) => type.startsWith('text/'),
    () => true,
  ]
  for (const fits of order) {
    const found = media.find(({ type }) => fits(type))
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether the body is bytes, which are given in base64. */
export function isBinaryType(type: string): boolean {
  const isText = /^text\//.test(type) || /[+/](?:xml|yaml|x-yaml|javascript|graphql|x-ndjson)$/.test(type)
  return !isText && !isJsonType(type) && !FORMS.has(type)
}

/** Whether the body is a form. */
export function isFormType(type: string): boolean {
  return FORMS.has(type)
}

const FORMS = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/** Whether a schema means bytes (OpenAPI 3.0: format binary; 3.1: a media type without an encoding). */
export function isBinarySchema(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false
  const { type, format, contentMediaType, contentEncoding } = schema
  if (type !== undefined && type !== 'string') return false
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)
}

/**
 * Writes a body in its media type. `propertyOf` gives the schema of a member of a form. Throws a `CallError` where the
 * value has no form in that type.
 */
export function writeBody(
  { type, encoding }: Media,
  value: unknown,
  propertyOf: (name: string) => unknown,
): WrittenBody {
  if (isJsonType(type)) return { contentType: type, bytes: JSON.stringify(value) }
  if (type === 'application/x-www-form-urlencoded') {
    return { contentType: type, bytes: urlEncoded(membersOf(type, value), encoding) }
  }
  if (type === 'multipart/form-data') return multipart(membersOf(type, value), encoding, propertyOf)
  if (!isBinaryType(type)) {
    if (typeof value !== 'string')
      throw new CallError('invalid-arguments', `a body of ${type} is text; got ${kindOf(value)}`)
    return { contentType: `${type}; charset=utf-8`, bytes: value }
  }
  const { bytes, mimeType } = fileOf('body', value)
  return { contentType: mimeType ?? (type.includes('*') ? 'application/octet-stream' : type), bytes }
}

function membersOf(type: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (!isJsonObject(value))
    throw new CallError('invalid-arguments', `a body of ${type} is an object; got ${kindOf(value)}`)
  return Object.entries(value).filter(([, member]) => member !== undefined && member !== null)
}

function urlEncoded(members: readonly (readonly [string, unknown])[], encoding: JsonObject): string {
  return members
    .flatMap(([name, value]) => {
      const own = encoding[name]
      const { style, explode, allowReserved, contentType } = isJsonObject(own) ? own : {}
      const isStyled = style !== undefined || explode !== undefined || allowReserved !== undefined
      // Without a style of its own an object goes as JSON (OpenAPI, Encoding Object: contentType).
      if (
        !isStyled &&
        (isJsonObject(value) || (typeof contentType === 'string' && isJsonType(contentType)))
      ) {
        return [`${encodeValue(name)}=${encodeValue(JSON.stringify(value))}`]
      }
      return queryParts(
        {
          name,
          style: typeof style === 'string' ? (style as Style) : 'form',
          explode: typeof explode === 'boolean' ? explode : style === undefined || style === 'form',
          allowReserved: allowReserved === true,
        },
        value,
      )
    })
    .join('&')
}

function multipart(
  members: readonly (readonly [string, unknown])[],
  encoding: JsonObject,
  propertyOf: (name: string) => unknown,
): WrittenBody {
  const boundary = `patchbay-${randomUUID()}`
  const parts: Uint8Array[] = []
  const add = (name: string, value: unknown, schema: unknown) => {
    const own = encoding[name]
    const declared =
      isJsonObject(own) && typeof own['contentType'] === 'string' ? own['contentType'] : undefined
    const isFile = isBinarySchema(schema) || (declared !== undefined && isOnlyBinary(declared))
    const part = isFile ? filePart(name, value, declared) : plainPart(value, declared)
    const disposition = `form-data; name="${quoted(name)}"${part.fileName === undefined ? '' : `; filename="${quoted(part.fileName)}"`}`
    const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${part.type}\r\n\r\n`
    parts.push(Buffer.from(head), part.bytes, Buffer.from('\r\n'))
  }
  for (const [name, value] of members) {
    const schema = propertyOf(name)
    const items = isJsonObject(schema) ? schema['items'] : undefined
    if (Array.isArray(value)) for (const item of value as unknown[]) add(name, item, items)
    else add(name, value, schema)
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) }
}

type Part = { readonly type: string; readonly bytes: Uint8Array; readonly fileName?: string | undefined }

function plainPart(value: unknown, declared: string | undefined): Part {
  const isText = typeof value !== 'object'
  const type = declared?.split(',')[0]?.trim() ?? (isText ? 'text/plain; charset=utf-8' : 'application/json')
  return {
    type: headerSafe(type),
    bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  }
}

function filePart(name: string, value: unknown, declared: string | undefined): Part {
  const { bytes, mimeType, fileName } = fileOf(name, value)
  const first = declared?.split(',')[0]?.trim()
  const type = mimeType ?? (first === undefined || first.includes('*') ? 'application/octet-stream' : first)
  return { type: headerSafe(type), bytes, fileName: fileName ?? name }
}

function fileOf(
  name: string,
  value: unknown,
): { readonly bytes: Buffer; readonly mimeType?: string; readonly fileName?: string } {
  const file = isJsonObject(value) ? value : { data: value }
  const { data, mimeType, fileName } = file
  if (typeof data !== 'string') {
    throw new CallError(
      'invalid-arguments',
      `"${name}" is a file: expected its bytes in base64, got ${kindOf(data)}`,
    )
  }
  const plain = data.replace(/^data:[^,]*;base64,/, '').replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(plain)) {
    throw new CallError(
      'invalid-arguments',
      `"${name}" is a file: expected its bytes in base64; the text has other characters`,
    )
  }
  return {
    bytes: Buffer.from(plain, 'base64'),
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(typeof fileName === 'string' && { fileName }),
  }
}

function isOnlyBinary(types: string): boolean {
  return types.split(',').every((type) => isBinaryType(type.trim().toLowerCase()))
}

/** A name in a Content-Disposition, as forms of pages write it (HTML, multipart/form-data encoding). */
function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

function headerSafe(text: string): string {
  return /^[\x20-\x7e]+$/.test(text) ? text : 'application/octet-stream'
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value
}
