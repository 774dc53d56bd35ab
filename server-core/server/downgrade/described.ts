import type { JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import type { PromptArgument, PromptEntry, ToolEntry } from '../../registry/entries.ts'

type Described = Pick<ToolEntry, 'name' | 'title' | 'description' | 'icons' | 'meta' | 'tags'>

/** What tools, resources, templates and prompts have in common, as the revision knows it. */
export function describe(entry: Described, row: RevisionRow): JsonObject {
  return {
    name: entry.name,
    title: row.titles ? entry.title : undefined,
    description: entry.description,
    icons: row.icons ? entry.icons : undefined,
    // No revision knows it, and none forbids it: clients of other servers look for it there.
    tags: entry.tags !== undefined && entry.tags.length > 0 ? entry.tags : undefined,
    _meta: row.metaOn === 'messages' ? undefined : entry.meta,
  }
}

/** A tool's annotations; they hold its title where tools have none of their own. */
export function toolAnnotations(tool: ToolEntry, row: RevisionRow): JsonObject | undefined {
  if (!row.toolAnnotations) return undefined
  if (row.titles || tool.title === undefined) return tool.annotations
  return { title: tool.title, ...tool.annotations }
}

/** A prompt's arguments as the revision knows them. */
export function promptArguments(prompt: PromptEntry, row: RevisionRow): readonly PromptArgument[] {
  if (row.titles || prompt.arguments.every(({ title }) => title === undefined)) return prompt.arguments
  return prompt.arguments.map(({ title: _title, ...argument }) => argument)
}

/** Who the server is (`Implementation`), as the revision knows it. */
export function implementationFor(row: RevisionRow, info: JsonObject): JsonObject {
  if (row.icons) return info
  const { icons: _icons, description: _description, websiteUrl: _url, title, ...rest } = info
  return row.titles && title !== undefined ? { ...rest, title } : rest
}
