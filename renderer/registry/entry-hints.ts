/** The hints of a tool (specification: ToolAnnotations). */
export const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
export type Hint = (typeof HINTS)[number]

/** `source`: unchanged by the user. */
export type HintChoice = 'source' | 'true' | 'false'

type Annotations = Readonly<Record<string, unknown>> | undefined

/** The user's choice for an annotation. */
export function hintOf(annotations: Annotations, hint: Hint): HintChoice {
  const value = annotations?.[hint]
  return value === true ? 'true' : value === false ? 'false' : 'source'
}

/** Returns the annotations with one hint set or removed; `undefined` if none is left. Keeps other annotations. */
export function withHint(
  annotations: Annotations,
  hint: Hint,
  choice: HintChoice,
): Record<string, unknown> | undefined {
  const others = Object.entries(annotations ?? {}).filter(([name]) => name !== hint)
  const next = choice === 'source' ? others : [...others, [hint, choice === 'true'] as const]
  return next.length === 0 ? undefined : Object.fromEntries(next)
}
