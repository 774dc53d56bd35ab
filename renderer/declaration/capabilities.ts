import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'

/** A capability, by the way to it, with what it is declared as. */
export type Capability = {
  readonly path: readonly string[]
  readonly label: string
  readonly value: JsonObject | true
}

/** A capability of a client with what can be declared inside it (client features). */
export type CapabilityGroup = Capability & { readonly parts: readonly Capability[] }

const part = (path: string, label: string, value: JsonObject | true = {}): Capability => ({
  path: path.split('.'),
  label,
  value,
})

/** What has a box to tick. */
export const GROUPS: readonly CapabilityGroup[] = [
  { ...part('roots', 'roots'), parts: [part('roots.listChanged', 'listChanged', true)] },
  {
    ...part('sampling', 'sampling'),
    parts: [part('sampling.tools', 'tools'), part('sampling.context', 'context')],
  },
  {
    ...part('elicitation', 'elicitation'),
    parts: [part('elicitation.form', 'form'), part('elicitation.url', 'url')],
  },
  {
    ...part('tasks', 'tasks'),
    parts: [
      part('tasks.list', 'list'),
      part('tasks.cancel', 'cancel'),
      part('tasks.requests.sampling.createMessage', 'sampling'),
      part('tasks.requests.elicitation.create', 'elicitation'),
    ],
  },
]

/** Returns whether a capability is declared. A flag that is false is not. */
export function isDeclared(capabilities: JsonObject, path: readonly string[]): boolean {
  let at: unknown = capabilities
  for (const name of path) {
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return false
    at = at[name]
  }
  return isJsonObject(at) || at === true
}

/** The capabilities with this one declared, and what it is inside of. Everything else stays as it is. */
export function declared(capabilities: JsonObject, { path, value }: Capability): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return capabilities
  const before = capabilities[name]
  const inside = isJsonObject(before) ? before : {}
  const next = rest.length === 0 ? value : declared(inside, { path: rest, label: '', value })
  return { ...capabilities, [name]: next }
}

/** The capabilities without this one and what is inside it. What became empty around it goes too, groups stay. */
export function withdrawn(capabilities: JsonObject, path: readonly string[]): JsonObject {
  const [name, ...rest] = path
  if (name === undefined || !Object.hasOwn(capabilities, name)) return capabilities
  const { [name]: before, ...others } = capabilities
  if (rest.length === 0) return others
  if (!isJsonObject(before)) return capabilities
  const left = withdrawn(before, rest)
  const isGroup = GROUPS.some((group) => group.path[0] === name)
  if (Object.keys(left).length === 0 && !isGroup) return others
  return { ...capabilities, [name]: left }
}

/** The groups that are declared, by name. */
export function declaredGroups(capabilities: JsonObject): readonly string[] {
  return GROUPS.filter(({ path }) => isDeclared(capabilities, path)).map(({ label }) => label)
}
