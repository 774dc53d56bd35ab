import { isJsonObject, type JsonObject } from '../protocol/json.ts'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
/** Schemas within schemas; deeper ones become `unknown`. */
const DEEPEST = 24

/**
 * Returns the TypeScript type of the values that a JSON Schema allows. What a type cannot say (ranges, patterns, formats) is
 * left out; unknown keywords become `unknown`, so that a type never forbids what the schema allows.
 */
export function typeOfSchema(schema: unknown, indent = ''): string {
  return typeIn(schema, { root: schema, open: [], indent })
}

type Context = {
  readonly root: unknown
  /** References that are being resolved: one that leads to itself becomes `unknown`. */
  readonly open: readonly string[]
  readonly indent: string
}

function typeIn(schema: unknown, context: Context): string {
  if (schema === false) return 'never'
  if (!isJsonObject(schema) || context.indent.length > DEEPEST * 2) return 'unknown'
  const { $ref, const: constant, enum: values, oneOf, anyOf, allOf, type } = schema
  if (typeof $ref === 'string') return referenced($ref, context)
  if ('const' in schema) return literal(constant)
  if (Array.isArray(values)) return union(values.map(literal))
  for (const choices of [oneOf, anyOf])
    if (Array.isArray(choices)) return union(choices.map((choice) => typeIn(choice, context)))
  if (Array.isArray(allOf)) {
    const { allOf: _, ...own } = schema
    const parts = [
      ...(allOf as readonly unknown[]),
      ...(Object.keys(own).some((name) => STRUCTURAL.has(name)) ? [own] : []),
    ]
    return parts.map((part) => bracketed(typeIn(part, context))).join(' & ')
  }
  if (Array.isArray(type))
    return union(type.map((one) => typeIn({ ...schema, type: one as unknown }, context)))
  return typeOfKind(type, schema, context)
}

const STRUCTURAL = new Set(['type', 'properties', 'items', 'additionalProperties'])

function typeOfKind(type: unknown, schema: JsonObject, context: Context): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return arrayType(schema, context)
    case 'object':
      return objectType(schema, context)
    default:
      return 'properties' in schema ? objectType(schema, context) : 'unknown'
  }
}

function arrayType({ items, prefixItems }: JsonObject, context: Context): string {
  if (Array.isArray(prefixItems)) {
    const rest = items === false ? [] : [`...${bracketed(typeIn(items ?? true, context))}[]`]
    return `readonly [${[...prefixItems.map((item) => typeIn(item, context)), ...rest].join(', ')}]`
  }
  return `readonly ${bracketed(typeIn(items ?? true, context))}[]`
}

function objectType(schema: JsonObject, context: Context): string {
  const { properties, required, additionalProperties } = schema
  const inner = { ...context, indent: `${context.indent}  ` }
  const isRequired = new Set(Array.isArray(required) ? (required as readonly unknown[]) : [])
  const members = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => {
    const mark = isRequired.has(name) ? '' : '?'
    return `${comment(property, inner.indent)}${inner.indent}readonly ${key(name)}${mark}: ${typeIn(property, inner)}`
  })
  const isOpen = additionalProperties !== false
  if (members.length === 0) {
    if (!isOpen) return '{ readonly [name: string]: never }'
    return `{ readonly [name: string]: ${typeIn(additionalProperties ?? true, inner)} }`
  }
  // An index signature would let every misspelled name through, so only a schema of its own makes one.
  if (isJsonObject(additionalProperties)) members.push(`${inner.indent}readonly [name: string]: unknown`)
  return `{\n${members.join('\n')}\n${context.indent}}`
}

function referenced(reference: string, context: Context): string {
  if (context.open.includes(reference) || !reference.startsWith('#')) return 'unknown'
  const steps = reference.slice(1).split('/').slice(1)
  const target = steps.reduce<unknown>((at, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, context.root)
  return typeIn(target, { ...context, open: [...context.open, reference] })
}

function literal(value: unknown): string {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value)
  return 'unknown'
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  if (distinct.length === 0 || distinct.includes('unknown')) return 'unknown'
  return distinct.map((type) => (type.includes(' & ') ? `(${type})` : type)).join(' | ')
}

function bracketed(type: string): string {
  return /[|&]/.test(type) || type.startsWith('readonly ') ? `(${type})` : type
}

function key(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name)
}

/** The description of a property, which editors show. */
function comment(schema: unknown, indent: string): string {
  return isJsonObject(schema) ? docComment(schema['description'], indent) : ''
}

/** A description as a comment of its own line; empty if there is none. It cannot end the comment early. */
export function docComment(description: unknown, indent: string): string {
  if (typeof description !== 'string' || description.trim() === '') return ''
  const lines = description
    .trim()
    .replaceAll('*/', '*\\/')
    .split(/\r?\n|\u2028|\u2029/)
  if (lines.length === 1) return `${indent}/** ${lines[0] ?? ''} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
