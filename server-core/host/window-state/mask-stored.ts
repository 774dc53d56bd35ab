import type { Masks } from '../../capture/recording/frame-lines.ts'
import { MASKED_SECRET } from '../../capture/redaction.ts'
import { ExactNumber, parseExact, stringifyExact } from '../../protocol/exact-json.ts'
import { namesSecret } from '../../protocol/secret-names.ts'
import type { EndedCall, RequestOutcome } from '../contract/inspect.ts'

/** A call as it may be stored. */
export function maskedCall<Call extends Omit<EndedCall, 'outcome'>>(call: Call, masks: Masks): Call {
  return { ...call, argumentsText: maskedArguments(call.argumentsText, masks) }
}

/** What became of a call, as it may be stored. */
export function maskedOutcome(outcome: RequestOutcome, masks: Masks): RequestOutcome {
  if (outcome.type === 'failure') return { ...outcome, message: masks.text(outcome.message) }
  const messageText = maskedMessage(outcome.messageText, masks)
  if (messageText === outcome.messageText) return outcome
  if (outcome.type !== 'error') return { ...outcome, messageText }
  // Its data is in the message, and was masked there.
  const { data: _data, ...error } = outcome
  return { ...error, messageText, message: masks.text(error.message) }
}

/**
 * A JSON text that the page stores, without secrets: texts that contained one continue without it, so that no field is
 * filled in with the mask.
 *
 * @throws SyntaxError if it is not JSON
 */
export function maskedPart(text: string, masks: Masks): string {
  const found = { count: 0 }
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const masked = masks.text(value)
      if (masked === value) return value
      found.count += 1
      return masked.replaceAll(MASKED_SECRET, '')
    }
    if (typeof value === 'number' || value instanceof ExactNumber)
      return mask(String(value)) === String(value) ? value : ''
    if (Array.isArray(value)) return value.map(mask)
    if (!isPlain(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [String(mask(name)), mask(member)]),
    )
  }
  const masked = mask(parseExact(text, 'text'))
  return found.count > 0 ? stringifyExact(masked) : text
}

const BEFORE = '{"params":{"arguments":'
const AFTER = '}}'

function maskedArguments(text: string, masks: Masks): string {
  const named = withoutNamedSecrets(text)
  // Rules name places in messages.
  const masked = maskedMessage(`${BEFORE}${named}${AFTER}`, masks)
  return masked.startsWith(BEFORE) && masked.endsWith(AFTER)
    ? masked.slice(BEFORE.length, -AFTER.length)
    : JSON.stringify(MASKED_SECRET)
}

function maskedMessage(text: string, masks: Masks): string {
  const bytes = Buffer.from(text)
  const masked = masks.bytes(bytes)
  return masked === bytes ? text : Buffer.from(masked).toString()
}

function withoutNamedSecrets(text: string): string {
  let parsed: unknown
  try {
    parsed = parseExact(text, 'text')
  } catch {
    // The page sends only JSON; of anything else the place of a secret is not known.
    return namesSecret(text) ? JSON.stringify(MASKED_SECRET) : text
  }
  const found = { count: 0 }
  const mask = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mask)
    if (!isPlain(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (!namesSecret(name) || !isFilledIn(member)) return [name, mask(member)]
        found.count += 1
        return [name, MASKED_SECRET]
      }),
    )
  }
  const masked = mask(parsed)
  // Most arguments have no such name and stay as they were typed.
  return found.count > 0 ? stringifyExact(masked) : text
}

function isFilledIn(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean'
}

/** An object of JSON: neither null, nor a number that is kept as text. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
