import { isJsonObject } from '../protocol/json.ts'
import { RegistryError } from './errors.ts'
import { isStandardSchema } from './standard-schema.ts'

type Holds = 'a schema' | 'a text' | 'a number' | 'true or false' | 'a list' | 'an object' | 'a function'
type Shape = Readonly<Record<string, Holds | undefined>>

const HANDLING: Shape = {
  guards: 'a list',
  interceptors: 'a list',
  mapError: 'a function',
  metadata: 'an object',
}
const DESCRIBED: Shape = {
  ...HANDLING,
  name: 'a text',
  title: 'a text',
  description: 'a text',
  icons: 'a list',
  meta: 'an object',
  tags: 'a list',
  exposed: 'true or false',
  reentrant: 'true or false',
}
const READ: Shape = { mimeType: 'a text', annotations: 'an object', cache: 'an object' }

/** What the members of each kind hold; `undefined` is anything, which is checked elsewhere. */
const SHAPES = {
  registry: { ...HANDLING, listStabilities: 'an object', lifespan: 'a function', report: 'a function' },
  tool: {
    ...DESCRIBED,
    annotations: 'an object',
    input: 'a schema',
    output: 'a schema',
    argumentDescriptions: 'an object',
    validation: 'a text',
    timeout: 'a number',
    taskSupport: 'a text',
    task: 'an object',
    accumulate: 'a function',
    run: 'a function',
  },
  resource: { ...DESCRIBED, ...READ, uri: 'a text', size: 'a number', read: undefined },
  'resource template': {
    ...DESCRIBED,
    ...READ,
    uriTemplate: 'a text',
    variables: 'an object',
    complete: 'an object',
    list: 'a function',
    read: 'a function',
  },
  prompt: { ...DESCRIBED, arguments: 'a list', complete: 'an object', get: 'a function' },
} as const satisfies Record<string, Shape>

export type DefinitionKind = keyof typeof SHAPES

/** What runs, without which nothing can be served. */
const HANDLERS: Readonly<Record<DefinitionKind, string | undefined>> = {
  registry: undefined,
  tool: 'run',
  resource: 'read',
  'resource template': 'read',
  prompt: 'get',
}

/** What members are called elsewhere. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map([
  ['inputSchema', ['input']],
  ['parameters', ['input']],
  ['outputSchema', ['output']],
  ['handler', ['run', 'read', 'get']],
  ['callback', ['run', 'read', 'get']],
  ['execute', ['run']],
  ['_meta', ['meta']],
  ['argsSchema', ['arguments']],
  ['uri', ['uriTemplate']],
])

/**
 * Throws a `RegistryError` for an unknown member, or an invalid value, and for a near miss names the
 * one that may be meant; then for a handler that is not there. Fields of instances of classes are their author's own.
 */
export function validateDefinition(kind: DefinitionKind, what: string, definition: object): void {
  const shape: Shape = SHAPES[kind]
  const isInstance = Object.getPrototypeOf(definition) !== Object.prototype
  for (const member of Object.keys(definition)) {
    if (Object.hasOwn(shape, member)) continue
    const meant = meantBy(member, Object.keys(shape))
    if (meant !== undefined) throw invalid(`The ${what} has a member "${member}": did you mean "${meant}"?`)
    if (isInstance) continue
    throw invalid(
      `The ${what} has the unknown member "${member}": expected ${Object.keys(shape).join(', ')}.`,
    )
  }
  const members: Readonly<Record<string, unknown>> = { ...definition }
  for (const [member, holds] of Object.entries(shape)) {
    const value = members[member]
    if (value === undefined || holds === undefined || isA(holds, value)) continue
    throw invalid(`The member "${member}" of the ${what} must be ${holds}; got ${saidOf(value)}.`)
  }
  const handler = HANDLERS[kind]
  if (handler === undefined) return
  const given: unknown = Reflect.get(definition, handler)
  if (kind === 'resource' && (typeof given === 'string' || given instanceof Uint8Array)) return
  if (typeof given === 'function') return
  const expected =
    kind === 'resource' ? 'a text, bytes or a function that reads it' : 'a function that runs it'
  throw invalid(`The ${what} needs a member "${handler}", ${expected}; got ${saidOf(given)}.`)
}

function meantBy(member: string, names: readonly string[]): string | undefined {
  return (
    ELSEWHERE.get(member)?.find((name) => names.includes(name)) ??
    names.find((name) => name.toLowerCase() === member.toLowerCase() || isNear(member, name))
  )
}

/** Whether one letter more, less, other or swapped makes one of the other. */
function isNear(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < 3 || Math.abs(one.length - other.length) > 1) return false
  let from = 0
  while (from < one.length && one[from] === other[from]) from += 1
  const [a, b] = [one.slice(from), other.slice(from)]
  if (a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)) return true
  return a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0]
}

function isA(holds: Holds, value: unknown): boolean {
  switch (holds) {
    case 'a schema':
      return isJsonObject(value) || isStandardSchema(value)
    case 'a text':
      return typeof value === 'string'
    case 'a number':
      return typeof value === 'number'
    case 'true or false':
      return typeof value === 'boolean'
    case 'a list':
      return Array.isArray(value)
    case 'an object':
      return isJsonObject(value)
    case 'a function':
      return typeof value === 'function'
  }
}

function saidOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function invalid(message: string): RegistryError {
  return new RegistryError('invalid-definition', message)
}
