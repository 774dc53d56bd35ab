import { inheritedVariableNames } from '../../transports/stdio/child-environment.ts'

type Named = { readonly name: string }

/** The names of our own variables that a child inherits; those that its own replace are left out. */
export function inheritedNames(own: readonly Named[], ours: NodeJS.ProcessEnv = process.env): string[] {
  const replaced = new Set(own.map(({ name }) => name))
  return inheritedVariableNames().filter((name) => ours[name] !== undefined && !replaced.has(name))
}
