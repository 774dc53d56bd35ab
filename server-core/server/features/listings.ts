import { isJsonObject, type JsonObject, type JsonSchema } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import type { ListedResource, PromptEntry, ResourceTemplateEntry, ToolEntry } from '../../registry/entries.ts'
import { resourceListing } from '../../registry/listing.ts'
import type { Feature } from './feature.ts'
import type { ListKind } from './listing-cache.ts'

type Described = Pick<ToolEntry, 'name' | 'title' | 'description' | 'icons' | 'meta'>

function describe(entry: Described): JsonObject {
  return {
    name: entry.name,
    title: entry.title,
    description: entry.description,
    icons: entry.icons,
    _meta: entry.meta,
  }
}

const TOOLS: ListKind<ToolEntry> = {
  member: 'tools',
  keyOf: (tool) => tool.name,
  write: (tool, row) => ({
    ...describe(tool),
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema && writeOutputSchema(tool.outputSchema, row),
    annotations: tool.annotations,
  }),
}

const RESOURCES: ListKind<ListedResource> = {
  member: 'resources',
  keyOf: (resource) => resource.uri,
  write: (resource) => ({
    uri: resource.uri,
    ...describe(resource),
    mimeType: resource.mimeType,
    size: resource.size,
    annotations: resource.annotations,
  }),
}

const TEMPLATES: ListKind<ResourceTemplateEntry> = {
  member: 'resourceTemplates',
  keyOf: (template) => template.uriTemplate,
  write: (template) => ({
    uriTemplate: template.uriTemplate,
    ...describe(template),
    mimeType: template.mimeType,
    annotations: template.annotations,
  }),
}

const PROMPTS: ListKind<PromptEntry> = {
  member: 'prompts',
  keyOf: (prompt) => prompt.name,
  write: (prompt) => ({ ...describe(prompt), arguments: prompt.arguments }),
}

/** tools/list (specification: Tools, Listing Tools): a page, serialised once for all who ask. */
export const listTools: Feature = ({ core, row, params }) => ({
  type: 'serialised',
  bytes: core.listings.page(core.info, row, TOOLS, core.registry.tools(), params['cursor']),
})

/** resources/templates/list (specification: Resources, Resource Templates). */
export const listResourceTemplates: Feature = ({ core, row, params }) => ({
  type: 'serialised',
  bytes: core.listings.page(core.info, row, TEMPLATES, core.registry.resourceTemplates(), params['cursor']),
})

/** prompts/list (specification: Prompts, Listing Prompts). */
export const listPrompts: Feature = ({ core, row, params }) => ({
  type: 'serialised',
  bytes: core.listings.page(core.info, row, PROMPTS, core.registry.prompts(), params['cursor']),
})

/** Templates may list resources of their own; only then somebody's code runs for the list. */
export const listResources: Feature = ({ core, row, params }) => {
  const page = (resources: readonly ListedResource[]) =>
    core.listings.page(core.info, row, RESOURCES, resources, params['cursor'])
  const { registry } = core
  if (registry.resourceTemplates().every((template) => template.list === undefined)) {
    return { type: 'serialised', bytes: page(registry.resources()) }
  }
  return {
    type: 'handler',
    timeoutMs: core.limits.handlerMs,
    reentrant: true,
    mayAsk: false,
    run: async (run) => {
      const listed: unknown = JSON.parse(page(await resourceListing(registry, run)).toString())
      return isJsonObject(listed) ? { ...listed } : {}
    },
  }
}

/** A revision whose structured results are objects gets other schemas wrapped (`structuredResult` wraps alike). */
export function wrapsResult(schema: JsonSchema | undefined, value: unknown, row: RevisionRow): boolean {
  if (row.structuredContent === 'any') return false
  return schema === undefined ? !isJsonObject(value) : schema['type'] !== 'object'
}

function writeOutputSchema(schema: JsonSchema, row: RevisionRow): JsonSchema {
  if (!wrapsResult(schema, undefined, row)) return schema
  const { $schema: dialect, ...rest } = schema
  return {
    ...(dialect === undefined ? {} : { $schema: dialect }),
    type: 'object',
    properties: { result: movePointers(rest) },
    required: ['result'],
  }
}

/** References into the document follow the schema to its new place; a subschema with its own `$id` has its own. */
function movePointers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(movePointers)
  if (!isJsonObject(value)) return value
  const moved: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const points = key === '$ref' && typeof member === 'string' && /^#(\/|$)/.test(member)
    moved[key] = points
      ? `#/properties/result${member.slice(1)}`
      : isJsonObject(member) && typeof member['$id'] === 'string'
        ? member
        : movePointers(member)
  }
  return moved
}
