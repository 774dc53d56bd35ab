import { isJsonObject } from '../../../protocol/json.ts'

/** The commands that take options from a `patchbay.json`. */
export type ServingCommand = 'serve' | 'proxy'

/** Members of `serve` that can only restrict what is served. */
const RESTRICTING: ReadonlySet<string> = new Set(['revision', 'logLevel', 'enabled'])
/** Members of `serve` that restrict if they are false. */
const TRANSPORT_MEMBERS: ReadonlySet<string> = new Set(['stdio', 'http', 'sse', 'ws', 'all'])

/** The members of a `patchbay.json` that a command reads, such as `serve.port`. */
export function membersRead(
  document: Readonly<Record<string, unknown>>,
  command: ServingCommand,
): readonly string[] {
  const names = command === 'proxy' ? ['serve', 'proxy', 'faults'] : ['serve', 'faults']
  return names.flatMap((name) => {
    const member = document[name]
    if (member === undefined) return []
    if (name === 'faults' || !isJsonObject(member)) return [name]
    return Object.keys(member).map((each) => `${name}.${each}`)
  })
}

/**
 * The members of a `patchbay.json` that do more than restrict: that open a port, admit callers, write a file, or change
 * what is served. Unknown members count too. Only a folder that the user trusts or named may set them.
 */
export function wideningMembers(
  document: Readonly<Record<string, unknown>>,
  command: ServingCommand,
): readonly string[] {
  const { serve } = document
  const members = isJsonObject(serve) ? serve : {}
  const restricting = Object.keys(members).filter(
    (name) => RESTRICTING.has(name) || (TRANSPORT_MEMBERS.has(name) && members[name] === false),
  )
  const allowed = new Set(restricting.map((name) => `serve.${name}`))
  return membersRead(document, command).filter((name) => !allowed.has(name))
}
