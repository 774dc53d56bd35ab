import { isJsonObject } from '../../protocol/json.ts'
import type { ListedResource, PromptEntry, ResourceTemplateEntry, ToolEntry } from '../../registry/entries.ts'
import { resourceListing } from '../../registry/listing.ts'
import { describe, promptArguments, toolAnnotations } from '../downgrade/described.ts'
import { outputSchemaFor } from '../downgrade/structured.ts'
import type { Feature } from './feature.ts'
import type { ListingFormat } from './listing-cache.ts'

const TOOLS: ListingFormat<ToolEntry> = {
  member: 'tools',
  keyOf: (tool) => tool.name,
  write: (tool, row) => ({
    ...describe(tool, row),
    inputSchema: tool.inputSchema,
    outputSchema: outputSchemaFor(row, tool.outputSchema),
    annotations: toolAnnotations(tool, row),
    execution:
      row.toolExecution && tool.taskSupport !== undefined ? { taskSupport: tool.taskSupport } : undefined,
  }),
}

const RESOURCES: ListingFormat<ListedResource> = {
  member: 'resources',
  keyOf: (resource) => resource.uri,
  write: (resource, row) => ({
    uri: resource.uri,
    ...describe(resource, row),
    mimeType: resource.mimeType,
    size: resource.size,
    annotations: resource.annotations,
  }),
}

const TEMPLATES: ListingFormat<ResourceTemplateEntry> = {
  member: 'resourceTemplates',
  keyOf: (template) => template.uriTemplate,
  write: (template, row) => ({
    uriTemplate: template.uriTemplate,
    ...describe(template, row),
    mimeType: template.mimeType,
    annotations: template.annotations,
  }),
}

const PROMPTS: ListingFormat<PromptEntry> = {
  member: 'prompts',
  keyOf: (prompt) => prompt.name,
  write: (prompt, row) => ({ ...describe(prompt, row), arguments: promptArguments(prompt, row) }),
}

/** tools/list (specification: Tools, Listing Tools): a page, serialised once for all who ask. */
export const listTools: Feature = ({ core, row, params }) => {
  core.changes.given('tools')
  return {
    type: 'serialised',
    bytes: core.listings.page(
      core.info,
      row,
      TOOLS,
      core.registry.tools(),
      params['cursor'],
      core.caching.tools,
    ),
  }
}

/** resources/templates/list (specification: Resources, Resource Templates). */
export const listResourceTemplates: Feature = ({ core, row, params }) => {
  core.changes.given('resources')
  return {
    type: 'serialised',
    bytes: core.listings.page(
      core.info,
      row,
      TEMPLATES,
      core.registry.resourceTemplates(),
      params['cursor'],
      core.caching.resourceTemplates,
    ),
  }
}

/** prompts/list (specification: Prompts, Listing Prompts). */
export const listPrompts: Feature = ({ core, row, params }) => {
  core.changes.given('prompts')
  return {
    type: 'serialised',
    bytes: core.listings.page(
      core.info,
      row,
      PROMPTS,
      core.registry.prompts(),
      params['cursor'],
      core.caching.prompts,
    ),
  }
}

/** Templates may list resources of their own; only then somebody's code runs for the list. */
export const listResources: Feature = ({ core, row, params }) => {
  const page = (resources: readonly ListedResource[]) =>
    core.listings.page(core.info, row, RESOURCES, resources, params['cursor'], core.caching.resources)
  const { registry } = core
  core.changes.given('resources')
  if (registry.resourceTemplates().every((template) => template.list === undefined)) {
    return { type: 'serialised', bytes: page(registry.resources()) }
  }
  return {
    type: 'handler',
    timeoutMs: core.limits.handlerMs,
    reentrant: true,
    mayAsk: false,
    cache: core.caching.resources,
    run: async (run) => {
      const listed: unknown = JSON.parse(page(await resourceListing(registry, run)).toString())
      return isJsonObject(listed) ? { ...listed } : {}
    },
  }
}
