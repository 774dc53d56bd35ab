import type { LiveFault } from '../../../live/live-state.ts'

/** What is said of a script, and where in its files. */
export type Said = {
  readonly file: string
  /** The revision that it is about. */
  readonly revision?: number
  readonly message: string
  readonly at?: LiveFault['at']
}

/**
 * One line that names each file once, as compilers do: `tools/greet.ts:4:2: cannot be built: …`. A place in another
 * file than the script follows the script.
 */
export function locatedMessage({ file, revision, message, at }: Said): string {
  const ofRevision = revision === undefined ? '' : ` (revision ${revision})`
  const place = at === undefined ? undefined : `${at.file}:${at.line}:${at.column}`
  const named = at?.file ?? file
  const rest = message.startsWith(`${named} `) ? message.slice(named.length + 1) : message
  if (place === undefined) return `${file}${ofRevision}: ${rest}`
  return at?.file === file ? `${place}${ofRevision}: ${rest}` : `${file}${ofRevision}: ${place}: ${rest}`
}
