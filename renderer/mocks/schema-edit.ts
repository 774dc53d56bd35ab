/** A JSON Schema as the builder reads and changes it: what it does not know stays where it is. */
export type Schema = Readonly<Record<string, unknown>>

export const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const
export type TypeName = (typeof TYPES)[number]

export interface Property {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The properties of an object's schema, in their order. */
export function propertiesOf(schema: Schema): readonly Property[] {
  const required = requiredOf(schema)
  return Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).map(([name, each]) => ({
    name,
    schema: isSchema(each) ? each : {},
    isRequired: required.includes(name),
  }))
}

/** The one type of a schema; undefined if it has none, several, or one by other means. */
export function typeOf(schema: Schema): TypeName | undefined {
  return TYPES.find((type) => type === schema['type'])
}

/** The schema of a list's items; empty if it says nothing of them. */
export function itemsOf(schema: Schema): Schema {
  return isSchema(schema['items']) ? schema['items'] : {}
}

/** With one keyword set, or taken away by undefined; the others keep their place. */
export function withKeyword(schema: Schema, keyword: string, value: unknown): Schema {
  if (value !== undefined) return { ...schema, [keyword]: value }
  const { [keyword]: _, ...rest } = schema
  return rest
}

/** With one property more, whose name is free. */
export function withProperty(schema: Schema): Schema {
  const names = propertiesOf(schema).map(({ name }) => name)
  let number = names.length + 1
  while (names.includes(`property${number}`)) number += 1
  return withProperties(schema, [
    ...propertiesOf(schema),
    { name: `property${number}`, schema: { type: 'string' }, isRequired: false },
  ])
}

export function withoutProperty(schema: Schema, name: string): Schema {
  return withProperties(
    schema,
    propertiesOf(schema).filter((each) => each.name !== name),
  )
}

/** Puts a changed property in the place of the one with that name. */
export function withChanged(schema: Schema, name: string, property: Property): Schema {
  return withProperties(
    schema,
    propertiesOf(schema).map((each) => (each.name === name ? property : each)),
  )
}

/** Returns why a property may not be called so; undefined if it may. */
export function nameProblem(schema: Schema, name: string, now: string): string | undefined {
  if (name === '') return 'a name'
  if (name !== now && propertiesOf(schema).some((each) => each.name === name)) {
    return `another name: property ${name} exists already`
  }
  return undefined
}

/** Reads choices that were typed, one a line: JSON values for other types than text. */
export function readChoices(
  text: string,
  type: TypeName | undefined,
): readonly unknown[] | undefined | string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return undefined
  if (type === 'string' || type === undefined) return lines
  const values: unknown[] = []
  for (const line of lines) {
    try {
      values.push(JSON.parse(line))
    } catch {
      return `a JSON value on each line, not ${line}`
    }
  }
  return values
}

export function choicesText(schema: Schema): string {
  const choices: unknown = schema['enum']
  if (!Array.isArray(choices)) return ''
  return choices.map((each: unknown) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
}

function requiredOf(schema: Schema): readonly unknown[] {
  return Array.isArray(schema['required']) ? schema['required'] : []
}

function withProperties(schema: Schema, properties: readonly Property[]): Schema {
  const known = propertiesOf(schema).map(({ name }) => name)
  const names = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  // What is required and drawn nowhere stays required.
  const others = requiredOf(schema).filter((name) => typeof name !== 'string' || !known.includes(name))
  const required = [...names, ...others]
  const changed = {
    ...schema,
    properties: Object.fromEntries(properties.map((each) => [each.name, each.schema])),
  }
  return withKeyword(changed, 'required', required.length === 0 ? undefined : required)
}

/** Another type; keywords that it does not know do no harm, and stay for the way back. */
export function withType(schema: Schema, type: TypeName | 'any'): Schema {
  return withKeyword(schema, 'type', type === 'any' ? undefined : type)
}
