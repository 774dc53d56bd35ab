import { z } from 'zod'
import { SUPPORTED, type Revision } from '../revisions.ts'
import { NOTIFICATIONS, REQUESTS, resultNames, shapeOf } from './definitions.ts'
import { covers, inRevision, type Field, type Fields, type Shape, type Variant } from './shape.ts'

const built = new Map<Revision, Map<string, z.ZodType>>(SUPPORTED.map((revision) => [revision, new Map()]))

/**
 * The schema of a definition of the specification's schema file ("Tool", "CallToolRequest"), or undefined if the
 * revision has none of that name. Objects are open: unknown fields pass. Formats of texts are not looked at. Built
 * when it is first asked for, and kept.
 *
 * @example
 * ```ts
 * import { wireSchema } from 'patchbay/protocol'
 *
 * const tool = wireSchema('2025-11-25', 'Tool')
 * console.log(tool?.safeParse({ name: 'add', inputSchema: { type: 'object' } }).success) // true
 * ```
 */
export function wireSchema(revision: Revision, name: string): z.ZodType | undefined {
  const schemas = built.get(revision)
  const ready = schemas?.get(name)
  if (ready !== undefined) return ready
  const shape = shapeOf(name, revision)
  if (shape === undefined) return undefined
  const schema = schemaOf(shape, revision)
  schemas?.set(name, schema)
  return schema
}

/**
 * The schema of a whole request, envelope included where the revision sends it as a message of its own.
 *
 * @example
 * ```ts
 * import { requestSchema } from 'patchbay/protocol'
 *
 * const schema = requestSchema('2025-11-25', 'tools/call')
 * console.log(schema?.safeParse({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add' } }).success)
 * ```
 */
export function requestSchema(revision: Revision, method: string): z.ZodType | undefined {
  const names = Object.hasOwn(REQUESTS, method) ? REQUESTS[method] : undefined
  return names && wireSchema(revision, names.request)
}

/**
 * The schema of a whole notification.
 *
 * @example
 * ```ts
 * import { notificationSchema } from 'patchbay/protocol'
 *
 * const schema = notificationSchema('2025-11-25', 'notifications/cancelled')
 * console.log(schema?.safeParse({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }).success)
 * ```
 */
export function notificationSchema(revision: Revision, method: string): z.ZodType | undefined {
  const name = Object.hasOwn(NOTIFICATIONS, method) ? NOTIFICATIONS[method] : undefined
  return name === undefined ? undefined : wireSchema(revision, name)
}

/**
 * The schema of a result: of the one form of result that a request of that method may be answered with, or of any
 * of them.
 *
 * @example
 * ```ts
 * import { resultSchema } from 'patchbay/protocol'
 *
 * console.log(resultSchema('2025-11-25', 'tools/list')?.safeParse({ tools: [] }).success) // true
 * ```
 */
export function resultSchema(revision: Revision, method: string): z.ZodType | undefined {
  const schemas = resultNames(method, revision).flatMap((name) => wireSchema(revision, name) ?? [])
  const [first, second] = schemas
  if (second === undefined) return first
  return z.union(schemas)
}

function schemaOf(shape: Shape, revision: Revision): z.ZodType {
  switch (shape.type) {
    case 'any':
      return z.unknown()
    case 'boolean':
      return z.boolean()
    case 'null':
      return z.null()
    case 'string':
      return z.string()
    case 'number':
      return bounded(z.number(), shape)
    case 'integer':
      return bounded(z.int(), shape)
    case 'choice':
      return z.literal([...shape.values])
    case 'list': {
      const items = z.array(schemaOf(shape.of, revision))
      return shape.max !== undefined && covers(shape.max, revision) ? items.max(shape.max.items) : items
    }
    case 'map':
      return z.record(z.string(), schemaOf(shape.of, revision))
    case 'object':
      return z.looseObject(membersOf(shape.fields, revision))
    case 'union':
      return unionOf(shape, revision)
    case 'named': {
      const schema = wireSchema(revision, shape.name)
      if (schema === undefined) throw new RangeError(`${revision} has no ${shape.name}`)
      return schema
    }
  }
}

function bounded(
  schema: z.ZodNumber,
  { min, max }: { readonly min?: number; readonly max?: number },
): z.ZodType {
  const floored = min === undefined ? schema : schema.min(min)
  return max === undefined ? floored : floored.max(max)
}

function membersOf(fields: Fields, revision: Revision): Record<string, z.ZodType> {
  const members: Record<string, z.ZodType> = {}
  for (const [name, entries] of Object.entries(fields)) {
    const field: Field | undefined = inRevision(entries, revision)
    if (field === undefined) continue
    const schema = schemaOf(field.shape, revision)
    members[name] = field.required ? schema : schema.optional()
  }
  return members
}

function unionOf(
  { of, by }: { readonly of: readonly Variant[]; readonly by?: string },
  revision: Revision,
): z.ZodType {
  const members = of
    .filter((variant) => covers(variant, revision))
    .map(({ shape }) => schemaOf(shape, revision))
  if (by === undefined) return z.union(members)
  const objects = members.filter((member) => member instanceof z.ZodObject)
  const [first, ...rest] = objects
  if (first === undefined || objects.length < members.length) {
    throw new TypeError('the members of a tagged union are objects')
  }
  return z.discriminatedUnion(by, [first, ...rest])
}
