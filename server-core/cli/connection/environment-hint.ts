import { inheritedVariableNames } from '../../transports/stdio/child-environment.ts'

/** Names shown; a server that lists all its options mentions many. */
const SHOWN = 3
const ENVIRONMENT_NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g

/**
 * What to say of a started server that ended early and mentions variables that it did not get: those of the caller's
 * shell do not reach it by themselves. `undefined` if it mentions none.
 *
 * @param stderr what it wrote
 * @param given the variables that it was given
 * @param shell the caller's own variables
 */
export function environmentHint(
  stderr: string,
  given: readonly string[],
  shell: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const passed = new Set([...inheritedVariableNames(), ...given])
  const words = new Set(stderr.match(/\b[A-Za-z_][A-Za-z0-9_]*\b/g))
  const set = Object.keys(shell).filter((name) => name.length > 2 && words.has(name) && !passed.has(name))
  if (set.length > 0) {
    const flags = set.slice(0, SHOWN).map((name) => `--env ${name}`)
    return `It mentions ${listed(set)}, which your shell has and the server did not get. Pass it on with ${flags.join(' ')}.`
  }
  if (!/\b(environment|env|variable|missing|required|not set|unset)\b/i.test(stderr)) return undefined
  const unset = [...new Set(stderr.match(ENVIRONMENT_NAME))].filter((name) => !passed.has(name))
  if (unset.length === 0) return undefined
  return `It mentions ${listed(unset)}. If that is an environment variable, give it with --env ${unset[0] ?? ''}=VALUE.`
}

function listed(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  return `${names.slice(0, SHOWN).join(', ')}${more}`
}
