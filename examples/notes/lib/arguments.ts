/** Arguments that were checked against a JSON Schema, which gives them no types: these functions do. */
type Arguments = Readonly<Record<string, unknown>>

/** The text of that name, trimmed; `otherwise` where it was left out. */
export function textOf(args: Arguments, name: string, otherwise = ''): string {
  const value = args[name]
  return typeof value === 'string' ? value.trim() : otherwise
}

/** The number of that name, or `otherwise` where it was left out. */
export function numberOf(args: Arguments, name: string, otherwise: number): number {
  const value = args[name]
  return typeof value === 'number' ? value : otherwise
}

/** The texts of that name, trimmed, without empty ones and repetitions; none where it was left out. */
export function textsOf(args: Arguments, name: string): readonly string[] {
  const value = args[name]
  if (!Array.isArray(value)) return []
  const texts = value.filter((item) => typeof item === 'string').map((item) => item.trim())
  return [...new Set(texts.filter((item) => item !== ''))]
}
