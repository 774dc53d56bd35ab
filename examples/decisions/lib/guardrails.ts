import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'patchbay'
import { parse } from 'patchbay/yaml'
import { codeOf } from './exclusive.ts'
import { stemOf, wordsOf } from './words.ts'

/** What rules are checked against. */
export type Action = {
  readonly description: string
  readonly category?: string | undefined
  readonly stakes: string
  readonly confidence?: number | undefined
  readonly project?: string | undefined
  readonly feature?: string | undefined
  readonly tags: readonly string[]
  /** How many reasons are given, and how many kinds of them. */
  readonly reasons: number
  readonly reason_types: number
  /** How many similar decisions failed. */
  readonly similar_failures: number
}

const FIELDS = [
  'description',
  'category',
  'stakes',
  'confidence',
  'project',
  'feature',
  'tags',
  'reasons',
  'reason_types',
  'similar_failures',
] as const satisfies readonly (keyof Action)[]

type Field = (typeof FIELDS)[number]

const expected = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
type Expected = z.infer<typeof expected>

const rule = z
  .looseObject({
    id: z.string().min(1),
    description: z.string().min(1),
    action: z.enum(['block', 'warn', 'log']),
    message: z.string().min(1),
    suggestion: z.string().optional(),
    /** The project that it is for; all if it is not given. */
    scope: z.string().optional(),
  })
  .transform(({ id, description, action, message, suggestion, scope, ...rest }, { issues, value }) => {
    const conditions: Test[] = []
    const requirements: Test[] = []
    for (const [name, wanted] of Object.entries(rest)) {
      const found = /^(condition|requires)_(.+)$/.exec(name)
      const field = FIELDS.find((known) => known === found?.[2])
      const parsed = expected.safeParse(wanted)
      const problem =
        found === null
          ? `"${name}" is not a member of a guardrail`
          : field === undefined
            ? `"${name}" names no field: expected one of ${FIELDS.join(', ')}`
            : parsed.success
              ? undefined
              : `"${name}" must be a text, a number or a list of them`
      if (problem !== undefined) issues.push({ code: 'custom', message: problem, input: value })
      if (field === undefined || !parsed.success) continue
      const test = { field, expected: parsed.data }
      if (found?.[1] === 'requires') requirements.push(test)
      else conditions.push(test)
    }
    return { id, description, action, message, suggestion, scope, conditions, requirements }
  })

type Test = { readonly field: Field; readonly expected: Expected }
export type Guardrail = z.infer<typeof rule>

const file = z.object({ guardrails: z.array(rule).default([]) })

/** What a rule says against an action. */
export type Finding = {
  readonly guardrail_id: string
  readonly name: string
  readonly message: string
  readonly severity: 'block' | 'warn'
  readonly suggestion?: string
}

export type Verdict = {
  readonly allowed: boolean
  readonly violations: readonly Finding[]
  readonly warnings: readonly Finding[]
  readonly evaluated: number
}

/**
 * The rules of all YAML files in a folder, read again each time. Rejects with an error that names a file which cannot be
 * read: a rule that is silently missing would let pass what it is there to stop.
 */
export async function readGuardrails(folder: string): Promise<readonly Guardrail[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  const rules: Guardrail[] = []
  for (const name of names.filter((one) => /\.ya?ml$/.test(one)).sort()) {
    const place = path.join(folder, name)
    for (const one of readRules(await readFile(place, 'utf8'), place)) {
      if (rules.some(({ id }) => id === one.id))
        throw new Error(`Two guardrails have the id "${one.id}": ${place}.`)
      rules.push(one)
    }
  }
  return rules
}

/** The rules of a YAML text. Throws an error that names `place` and what is wrong there. */
export function readRules(text: string, place: string): readonly Guardrail[] {
  let written: unknown
  try {
    written = parse(text)
  } catch (cause) {
    throw new Error(`The guardrails of ${place} are not YAML: ${String(cause)}`, { cause })
  }
  const parsed = file.safeParse(written ?? {})
  if (parsed.success) return parsed.data.guardrails
  const problems = parsed.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`)
  throw new Error(`The guardrails of ${place} cannot be used: ${problems.join('; ')}.`)
}

/** Holds an action against all rules that are for its project. */
export function evaluate(rules: readonly Guardrail[], action: Action): Verdict {
  const meant = rules.filter(({ scope }) => scope === undefined || scope === action.project)
  const broken = meant.filter(
    ({ conditions, requirements }) =>
      conditions.every((test) => holds(test, action)) &&
      (requirements.length === 0 || !requirements.every((test) => holds(test, action))),
  )
  const violations = broken.filter(({ action: severity }) => severity === 'block').map(asFinding)
  const warnings = broken.filter(({ action: severity }) => severity === 'warn').map(asFinding)
  return { allowed: violations.length === 0, violations, warnings, evaluated: meant.length }
}

function asFinding({ id, description, message, action, suggestion }: Guardrail): Finding {
  return {
    guardrail_id: id,
    name: description,
    message,
    severity: action === 'block' ? 'block' : 'warn',
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

/** A missing value fits nothing, and differs from everything. */
function holds({ field, expected: wanted }: Test, action: Action): boolean {
  const actual = action[field]
  if (Array.isArray(wanted)) return wanted.some((one) => isSame(actual, one))
  if (typeof wanted !== 'string') return isSame(actual, wanted)
  const [, operator = '=', operand = wanted] =
    /^\s*(<=|>=|!=|<|>|contains\b|lacks\b)\s*(.*)$/s.exec(wanted) ?? []
  switch (operator) {
    case '<':
      return typeof actual === 'number' && actual < Number(operand)
    case '<=':
      return typeof actual === 'number' && actual <= Number(operand)
    case '>':
      return typeof actual === 'number' && actual > Number(operand)
    case '>=':
      return typeof actual === 'number' && actual >= Number(operand)
    case '!=':
      return !isSame(actual, operand)
    case 'contains':
      return containsAny(actual, operand)
    case 'lacks':
      return !containsAny(actual, operand)
    default:
      return isSame(actual, operand)
  }
}

function isSame(actual: Action[Field], wanted: string | number | boolean): boolean {
  if (Array.isArray(actual)) return actual.includes(String(wanted))
  return actual !== undefined && String(actual) === String(wanted)
}

/** Whether one of the phrases between commas is there, in whatever form its words are. */
function containsAny(actual: Action[Field], phrases: string): boolean {
  const text = ` ${wordsOf(Array.isArray(actual) ? actual.join(' ') : String(actual ?? ''))
    .map(stemOf)
    .join(' ')} `
  return phrases.split(',').some((phrase) => {
    const words = wordsOf(phrase).map(stemOf).join(' ')
    return words !== '' && text.includes(` ${words} `)
  })
}
