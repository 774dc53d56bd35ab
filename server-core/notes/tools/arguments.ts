import type { JsonObject } from '../../protocol/json.ts'

/** The server checked the arguments against the tool's schema; these only give them their types. */
export function textOf(args: JsonObject, name: string, otherwise = ''): string {
  const value = args[name]
  return typeof value === 'string' ? value.trim() : otherwise
}

/** The number of that name, or `otherwise` where it was left out. */
export function numberOf(args: JsonObject, name: string, otherwise: number): number {
  const value = args[name]
  return typeof value === 'number' ? value : otherwise
}

/** The texts of that name, trimmed, without empty ones and repetitions; none where it was left out. */
export function textsOf(args: JsonObject, name: string): readonly string[] {
  const value = args[name]
  if (!Array.isArray(value)) return []
  const texts = value.filter((item) => typeof item === 'string').map((item) => item.trim())
  return [...new Set(texts.filter((item) => item !== ''))]
}
