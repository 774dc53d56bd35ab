import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { expandSchema } from './expand-schema.ts'
import type { FieldSpec, Lazy, Option, Variant } from './field-spec.ts'
import { field, jsonField } from './make-field.ts'
import { mergeSchemas, typeNames } from './merge-schemas.ts'
import { optionLabel, optionsOfBranch } from './schema-options.ts'
import { isSchemaNode, type SchemaNode, type SchemaSource } from './schema-source.ts'
import { workbenchFormText } from './text.ts'

type Reader = {
  readonly source: SchemaSource
  describe(node: SchemaNode): FieldSpec
  lazy(node: unknown): Lazy
}

type Branch = {
  readonly place: number
  readonly node: SchemaNode
  /** The branch without references; undefined if that could not be had. */
  readonly expanded?: JsonObject
  readonly ref?: string
}

/**
 * The field of a schema with `oneOf` or `anyOf`: an enum if every branch is a value, the one branch left beside
 * `null` if there is just one, else a picker of variants. The siblings of the keyword apply to every branch.
 */
export function describeVariants(reader: Reader, schema: JsonObject, keyword: 'oneOf' | 'anyOf'): FieldSpec {
  const { [keyword]: listed, ...siblings } = schema
  const branches = readBranches(reader, Array.isArray(listed) ? listed : [])
  const others = branches.filter((branch) => branch.expanded === undefined || !isNull(branch.expanded))
  const nullable = others.length < branches.length && mayBeNull(siblings)
  const options = allOptions(others)
  if (options !== undefined) return enumOf(schema, options, nullable)
  const [only] = others
  if (others.length === 1 && only !== undefined) {
    const merged = mergeSchemas(withoutNull(siblings), only.expanded ?? only.node)
    if (merged === undefined)
      return jsonField(schema, `uses ${keyword} that does not combine with its siblings`)
    const spec = reader.describe(merged)
    return nullable && !spec.nullable
      ? { ...spec, nullable, note: workbenchFormText.describeVariants.null(spec.note) }
      : spec
  }
  const shared = annotationsRemoved(withoutNull(siblings))
  const variants = others.map((branch): Variant => {
    const merged = mergeSchemas(branch.node, shared)
    const spec =
      merged === undefined ? () => jsonField({}, 'does not combine with its siblings') : reader.lazy(merged)
    return { label: variantLabel(branch), place: branch.place, spec }
  })
  return field(schema, { type: 'variants', keyword, variants: uniquelyLabelled(variants) }, nullable)
}

function readBranches(reader: Reader, listed: readonly unknown[]): Branch[] {
  return listed.flatMap((node, place): Branch[] => {
    if (!isSchemaNode(node)) return []
    const expanded = expandSchema(reader.source, node)
    if (!expanded.ok) return [{ place, node }]
    return [
      {
        place,
        node,
        expanded: expanded.node,
        ...(expanded.ref === undefined ? {} : { ref: expanded.ref }),
      },
    ]
  })
}

function isNull(branch: JsonObject): boolean {
  return optionsOfBranch(branch)?.length === 0
}

function mayBeNull(siblings: JsonObject): boolean {
  const types = typeNames(siblings['type'])
  return types.length === 0 || types.includes('null')
}

function withoutNull(siblings: JsonObject): JsonObject {
  const types = typeNames(siblings['type']).filter((name) => name !== 'null')
  return types.length === 0 ? siblings : { ...siblings, type: types.length === 1 ? types[0] : types }
}

/** What describes the whole field would only repeat itself in each variant. */
function annotationsRemoved(siblings: JsonObject): JsonObject {
  const {
    title: _title,
    description: _description,
    default: _default,
    examples: _examples,
    ...rest
  } = siblings
  return rest
}

function allOptions(branches: readonly Branch[]): Option[] | undefined {
  const options: Option[] = []
  for (const { expanded } of branches) {
    const some = expanded === undefined ? undefined : optionsOfBranch(expanded)
    if (some === undefined || some.length === 0) return undefined
    options.push(...some)
  }
  return options.length === 0 ? undefined : options
}

function enumOf(schema: JsonObject, options: readonly Option[], nullable: boolean): FieldSpec {
  const [only] = options
  if (options.length === 1 && only !== undefined) {
    return field(schema, { type: 'const', value: only.value }, nullable)
  }
  return field(schema, { type: 'enum', options }, nullable)
}

/** A name for a variant: its title, the value that tells it apart, its reference, its type, or its place. */
function variantLabel(branch: Branch): string {
  const schema = branch.expanded ?? (isJsonObject(branch.node) ? branch.node : {})
  if (typeof schema['title'] === 'string' && schema['title'] !== '') return schema['title']
  const telling = tellingValue(schema)
  if (telling !== undefined) return telling
  const name = branch.ref?.split('/').at(-1)
  if (name !== undefined && name !== '' && name !== '#') return name
  const required = schema['required']
  const type = typeNames(schema['type']).join(' | ')
  if ((type === '' || type === 'object') && Array.isArray(required) && typeof required[0] === 'string') {
    return `with ${(required as unknown[]).join(', ')}`
  }
  return type === '' ? `variant ${String(branch.place + 1)}` : type
}

function tellingValue(schema: JsonObject): string | undefined {
  if (!isJsonObject(schema['properties'])) return undefined
  for (const property of Object.values(schema['properties'])) {
    if (isJsonObject(property) && 'const' in property) return optionLabel(property['const'])
  }
  return undefined
}

function uniquelyLabelled(variants: readonly Variant[]): Variant[] {
  return variants.map((variant) => {
    const twin = variants.some((other) => other !== variant && other.label === variant.label)
    return twin ? { ...variant, label: `${variant.label} ${String(variant.place + 1)}` } : variant
  })
}
