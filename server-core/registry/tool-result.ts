import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { blockDefect, isContentBlock, isOfBlockKind, textBlock, wireBlock } from './content.ts'
import type { ToolOutcome } from './entries.ts'
import type { PreparedSchema } from './schema.ts'
import { rejectUnsafeNumbers } from './reject-unsafe-numbers.ts'
import { messageOf } from '../protocol/error-message.ts'

/** An outcome that says what went wrong, for the model to read (specification: Tools, Error Handling). */
export function errorOutcome(message: string): ToolOutcome {
  return { content: [textBlock(message)], isError: true }
}

/**
 * Makes an outcome of whatever a handler gave:
 * - an object of only `content`, `structuredContent`, `isError`, `_meta`: that result as it stands;
 * - with an output schema, any other value: structured content, and the same as JSON text;
 * - a string: one text block; a content block or a list of them: those blocks; nothing: the text "NAME ok";
 * - another object: structured content and JSON text; any other value: JSON text.
 * Synchronous, unless the schema must parse it. Throws (or rejects) if the value is not JSON (such as a number that is not finite), bare bytes or an instance of a class without
 * `toJSON` (a `Map`), breaks the output schema, or holds a block that lacks a member.
 */
export function toToolOutcome(
  value: unknown,
  output: PreparedSchema | undefined,
  name: string,
): ToolOutcome | Promise<ToolOutcome> {
  if (isExplicitResult(value)) return explicitOutcome(value, output)
  requirePlain(value)
  if (output?.parse !== undefined) return checked(value, output.parse).then(structuredOutcome)
  if (output !== undefined) return structuredOutcome(value)
  // Many models take an empty result for a failure.
  if (value === undefined) return { content: [textBlock(`${name} ok`)] }
  if (value instanceof Uint8Array) throw new TypeError(BARE_BYTES)
  if (typeof value === 'string') return { content: [textBlock(value)] }
  if (isContentBlock(value)) return { content: [wireBlock(value)] }
  if (isListOfBlocks(value)) return { content: value.map(checkedBlock) }
  return isJsonObject(value) ? structuredOutcome(value) : { content: [textBlock(jsonText(value))] }
}

/** The JSON text of a value. Throws a `TypeError` that says what JSON cannot carry. */
export function jsonText(value: unknown): string {
  let text: unknown
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    const reason = messageOf(cause)
    throw new TypeError(`The handler gave a value that JSON cannot carry: ${reason}`, { cause })
  }
  if (typeof text === 'string') {
    rejectUnsafeNumbers(value, text)
    return text
  }
  throw new TypeError(`The handler gave a ${typeof value}, which JSON cannot carry.`)
}

const BARE_BYTES =
  'The handler gave bytes without saying what they are: give an image, audio or resource block that holds them.'
const EXPLICIT_MEMBERS = new Set(['content', 'structuredContent', 'isError', '_meta'])

function isExplicitResult(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const names = Object.keys(value)
  if (!names.every((name) => EXPLICIT_MEMBERS.has(name))) return false
  const content = value['content']
  if (content !== undefined) return Array.isArray(content) && content.every(isTyped)
  return value['structuredContent'] !== undefined || value['isError'] === true
}

/** A list that names kinds of blocks only is meant as blocks, also where one of them lacks a member. */
function isListOfBlocks(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isOfBlockKind)
}

/** Throws a `TypeError` for an object of which JSON would keep nothing, or not what its class makes of it. */
function requirePlain(value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const prototype: unknown = Object.getPrototypeOf(value)
  // Objects of another realm have another `Object.prototype`, above which there is nothing either.
  if (prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null)
    return
  if (value instanceof Uint8Array || ('toJSON' in value && typeof value.toJSON === 'function')) return
  const name =
    isJsonObject(prototype) && typeof prototype.constructor === 'function' ? prototype.constructor.name : ''
  throw new TypeError(
    `The handler gave a ${name === '' ? 'class instance' : name}, which JSON cannot carry: give a plain object or a list, or an object with toJSON.`,
  )
}

/** Blocks of kinds we do not know pass through: the explicit form is the author's own word. */
function isTyped(block: unknown): boolean {
  return isJsonObject(block) && typeof block['type'] === 'string'
}

function explicitOutcome(
  result: JsonObject,
  output: PreparedSchema | undefined,
): ToolOutcome | Promise<ToolOutcome> {
  const isError = result['isError'] === true
  const given = result['structuredContent']
  if (output !== undefined && !isError && given === undefined) {
    throw new TypeError('The tool declares an output schema, and its handler gave no structured content.')
  }
  requirePlain(given)
  if (isError || output?.parse === undefined) return explicitResult(result, given)
  return checked(given, output.parse).then((structured) => explicitResult(result, structured))
}

function explicitResult(result: JsonObject, structured: unknown): ToolOutcome {
  const content = result['content']
  const meta = result['_meta']
  // What goes out as text as well is looked at there.
  if (Array.isArray(content)) rejectUnsafeNumbers(structured)
  rejectUnsafeNumbers(content)
  rejectUnsafeNumbers(meta)
  return {
    content: Array.isArray(content)
      ? content.filter(isJsonObject).map(checkedBlock)
      : structured === undefined
        ? []
        : [textBlock(jsonText(structured))],
    ...(structured === undefined ? {} : { structured }),
    ...(result['isError'] === true ? { isError: true } : {}),
    ...(isJsonObject(meta) ? { meta } : {}),
  }
}

function checkedBlock(block: JsonObject, place: number): JsonObject {
  const problem = blockDefect(block)
  if (problem === undefined) return wireBlock(block)
  throw new TypeError(`Block ${place + 1} of the handler's result cannot be sent: ${problem}.`)
}

function structuredOutcome(structured: unknown): ToolOutcome {
  return { content: [textBlock(jsonText(structured))], structured }
}

async function checked(value: unknown, parse: NonNullable<PreparedSchema['parse']>): Promise<unknown> {
  const parsed = await parse(value)
  if (parsed.ok) return parsed.value
  throw new TypeError(`The handler's result breaks its own output schema: ${parsed.reason}`)
}
