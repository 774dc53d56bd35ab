import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { shortJson } from '../../probe/outcome.ts'

/** What is wrong with a content block. */
export type BlockFault = {
  readonly statement:
    'prompts.image-base64' | 'prompts.audio-base64' | 'prompts.embedded-resource' | 'resources.binary-encoded'
  readonly expected: string
  readonly actual: string
  /** JSON Pointer from the block. */
  readonly member: string
  /** A remark, not a breach. */
  readonly isRemark?: true
}

const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/
/** Base64 of so many characters does not happen to be hexadecimal. */
const HEXADECIMAL = /^(?:[\da-f]{2}){16,}$/
const MIME = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/

/** Whether a value is bytes in base64. */
export function isBase64(value: unknown): value is string {
  return typeof value === 'string' && BASE64.test(value) && !HEXADECIMAL.test(value)
}

/** The first bytes of well-known types. */
const MAGIC: readonly (readonly [type: string, bytes: readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['audio/wav', [0x52, 0x49, 0x46, 0x46]],
]

/** The faults of a content block of a tool or prompt. Blocks of unknown kinds have none. */
export function blockFaults(block: unknown): readonly BlockFault[] {
  if (!isJsonObject(block)) return []
  switch (block['type']) {
    case 'image':
    case 'audio':
      return mediaFaults(block, block['type'] === 'image' ? 'prompts.image-base64' : 'prompts.audio-base64')
    case 'resource':
      return embeddedFaults(block['resource'])
    default:
      return []
  }
}

function mediaFaults(block: JsonObject, statement: BlockFault['statement']): readonly BlockFault[] {
  const { data, mimeType } = block
  const faults: BlockFault[] = []
  const isData = isBase64(data)
  if (!isData)
    faults.push({ statement, expected: 'data in base64', actual: shortJson(data), member: '/data' })
  if (typeof mimeType !== 'string' || !MIME.test(mimeType))
    faults.push({ statement, expected: 'a MIME type', actual: shortJson(mimeType), member: '/mimeType' })
  const magic = MAGIC.find(([type]) => type === mimeType)
  if (isData && magic !== undefined && !startsWith(data, magic[1])) {
    const actual = `data that begins with ${Buffer.from(data, 'base64').subarray(0, 4).toString('hex')}`
    faults.push({ statement, expected: `data of ${magic[0]}`, actual, member: '/data', isRemark: true })
  }
  return faults
}

function startsWith(data: string, bytes: readonly number[]): boolean {
  const decoded = Buffer.from(data, 'base64')
  return bytes.every((byte, index) => decoded[index] === byte)
}

function embeddedFaults(resource: unknown): readonly BlockFault[] {
  const statement = 'prompts.embedded-resource'
  if (!isJsonObject(resource))
    return [{ statement, expected: 'a resource', actual: shortJson(resource), member: '/resource' }]
  const faults: BlockFault[] = []
  const { uri, text, blob } = resource
  if (typeof uri !== 'string' || uri === '')
    faults.push({ statement, expected: 'a URI', actual: shortJson(uri), member: '/resource/uri' })
  if (typeof text !== 'string' && typeof blob !== 'string')
    faults.push({ statement, expected: 'text or blob', actual: shortJson(resource), member: '/resource' })
  else if (blob !== undefined && !isBase64(blob))
    faults.push({
      statement: 'resources.binary-encoded',
      expected: 'a blob in base64',
      actual: shortJson(blob),
      member: '/resource/blob',
    })
  return faults
}

/** The blocks of a result of a tool, a prompt or a read, each with a JSON Pointer from the result. */
export function blocksOf(
  method: unknown,
  result: JsonObject,
): readonly { block: unknown; pointer: string }[] {
  const at = (list: unknown, pointer: (index: number) => string, pick: (item: unknown) => unknown) =>
    Array.isArray(list)
      ? (list as unknown[]).map((item, index) => ({ block: pick(item), pointer: pointer(index) }))
      : []
  const same = (item: unknown) => item
  switch (method) {
    case 'tools/call':
      return at(result['content'], (index) => `/content/${index}`, same)
    case 'prompts/get':
      return at(
        result['messages'],
        (index) => `/messages/${index}/content`,
        (item) => (isJsonObject(item) ? item['content'] : undefined),
      )
    case 'resources/read':
      return at(
        result['contents'],
        (index) => `/contents/${index}`,
        (item) => (isJsonObject(item) && 'blob' in item ? { type: 'resource', resource: item } : undefined),
      )
    default:
      return []
  }
}
