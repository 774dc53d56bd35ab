import type { z } from 'zod'
import { isJsonObject } from '../../../protocol/json.ts'

/** JSON's kinds of values, by the names that zod has for them. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * Describes a value of the wrong type and what was expected, for the author of a file. Undefined leaves
 * the words to zod.
 */
export function faultWords(issue: z.core.$ZodRawIssue): string | undefined {
  const input = inputOf(issue)
  const expected = expectedBy(issue)
  if (expected === undefined) return undefined
  return input === undefined
    ? `is missing; expected ${expected}`
    : `expected ${expected}, got ${kindOf(input)}`
}

function expectedBy(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? issue.expected
  if (issue.code === 'too_small' && issue.origin === 'string') return 'a text that is not empty'
  if (issue.code === 'too_small') return `${String(issue.minimum)} at least`
  if (issue.code === 'too_big') return `${String(issue.maximum)} at most`
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined && Array.isArray(issue.options))
    return `one of ${issue.options.map(String).join(', ')}`
  if (issue.code === 'invalid_value') return `one of ${issue.values.map((value) => String(value)).join(', ')}`
  return undefined
}

/** Of a variant that no schema is for, what was to choose it. */
function inputOf(issue: z.core.$ZodRawIssue): unknown {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return issue.input
  return isJsonObject(issue.input) ? issue.input[issue.discriminator] : issue.input
}

function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'string') return `the text "${input}"`
  return typeof input === 'number' || typeof input === 'boolean' ? String(input) : 'an object'
}
