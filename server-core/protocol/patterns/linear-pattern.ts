import type { RE2JS } from 're2js'
import { isJsonObject } from '../json.ts'
import { effortOf } from './pattern-effort.ts'
import { toRe2 } from './re2-syntax.ts'

/** A compiled pattern, as the validators of JSON Schema use it. */
export type Pattern = {
  test(text: string): boolean
  /** Validators identify a pattern by it. */
  toString(): string
}

/** Undefined until a schema needs it. */
let engine: typeof RE2JS | undefined

/** Loads the engine that matches in linear time. Without it `linearPattern` returns undefined. */
export async function loadLinearEngine(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS
}

/**
 * Loads the engine if a JSON Schema has a pattern that backtracks. Most have none, and the engine is 46 kB (gzip).
 *
 * @param schema any JSON value; every `pattern` and every name in a `patternProperties` counts, wherever it is
 */
export async function loadEngineFor(schema: unknown): Promise<void> {
  if (engine === undefined && hasHardPattern(schema)) await loadLinearEngine()
}

function hasHardPattern(schema: unknown): boolean {
  const open: unknown[] = [schema]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (name === 'pattern' && typeof member === 'string' && isHard(member)) return true
      if (name === 'patternProperties' && isJsonObject(member) && Object.keys(member).some(isHard))
        return true
      open.push(member)
    }
  }
  return false
}

function isHard(source: string): boolean {
  try {
    return backtracks(new RegExp(source, 'u').source)
  } catch {
    return false
  }
}

/**
 * Whether a text could keep JavaScript's own engine busy for more than the square of its length.
 *
 * @param source a valid pattern (flag `u`)
 */
export function backtracks(source: string): boolean {
  const effort = effortOf(source)
  return effort === undefined || effort.power > 2
}

/**
 * Compiles a pattern for an engine whose time grows with the length of the text alone. Large patterns on long texts can
 * still take seconds, and so can compiling them: call both where time is limited.
 *
 * @param source a valid pattern (flag `u`)
 * @returns undefined if that engine cannot express the pattern (look-around, back-references), or is not loaded
 */
export function linearPattern(source: string): Pattern | undefined {
  const translated = engine === undefined ? undefined : toRe2(source)
  if (engine === undefined || translated === undefined) return undefined
  try {
    const compiled = engine.compile(translated)
    return { test: (text) => compiled.test(text), toString: () => `/${source}/u` }
  } catch {
    // It bounds counts and nesting more tightly than JavaScript does.
    return undefined
  }
}
