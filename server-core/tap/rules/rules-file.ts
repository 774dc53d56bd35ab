import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { messageOf } from '../../protocol/error-message.ts'
import { TapError } from '../tap-error.ts'
import { RuleSet } from './rule-set.ts'
import { tapRulesSchema, type TapRules } from './rule-schema.ts'

const LARGEST_BYTES = 4 * 1024 * 1024

/** Reads the rules of a tap from a file. @throws TapError `rules` that says what is wrong and where */
export async function readRulesFile(file: string): Promise<TapRules> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new TapError('rules', `the rules ${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
  if (text.length > LARGEST_BYTES)
    throw new TapError('rules', `the rules ${file} are longer than ${LARGEST_BYTES} characters`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new TapError('rules', `the rules ${file} are not JSON: ${messageOf(error)}`, { cause: error })
  }
  return parseRules(value, file)
}

/** Rules as they were given. `what` names them in errors. @throws TapError `rules` */
export function parseRules(value: unknown, what: string): TapRules {
  const parsed = tapRulesSchema.safeParse(value)
  if (!parsed.success)
    throw new TapError('rules', `${what}: ${z.prettifyError(parsed.error)}`, { cause: parsed.error })
  try {
    void new RuleSet(parsed.data)
  } catch (error) {
    throw new TapError('rules', `${what}: ${messageOf(error)}`, { cause: error })
  }
  return parsed.data
}
