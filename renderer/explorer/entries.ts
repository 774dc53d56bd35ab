import type { Listed, Lists } from '../../server-core/host/contract/inspect.ts'
import { tagsOf } from '../../server-core/protocol/tags.ts'
import type { TabTarget } from '../workbench/tabs-store.ts'
import { explorerText } from './text.ts'

export type SectionName = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'

export const sectionTitles: Record<SectionName, string> = {
  tools: 'Tools',
  resources: 'Resources',
  resourceTemplates: 'Templates',
  prompts: 'Prompts',
}

export const sectionNames = Object.keys(sectionTitles) as SectionName[]

/** A word that says something about an entry before it is used. */
export interface Mark {
  readonly word: 'ro' | 'destr' | 'idem' | 'open' | 'task'
  /** The word in full, and what it says. */
  readonly meaning: string
}

/** One line of the explorer: what the server listed, made ready to show, find and open. */
export interface Entry {
  readonly section: SectionName
  /** What it is called by: a name or a URI. */
  readonly label: string
  readonly title: string | undefined
  readonly marks: readonly Mark[]
  readonly tags: readonly string[]
  readonly malformed: string | undefined
  /** What the filter looks through, in lower case. */
  readonly haystack: string
}

type Bag = Readonly<Record<string, unknown>>

const bagOf = (value: unknown): Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The marks of a tool, from what it says of itself and nothing else. */
export function marksOf(tool: unknown): readonly Mark[] {
  const bag = bagOf(tool)
  const hints = bagOf(bag['annotations'])
  const taskSupport = textOf(bagOf(bag['execution'])['taskSupport'])
  const marks: Mark[] = []
  if (hints['readOnlyHint'] === true)
    marks.push({
      word: explorerText.entries.ro,
      meaning: explorerText.entries.readOnlyHint,
    })
  if (hints['destructiveHint'] === true && hints['readOnlyHint'] !== true) {
    marks.push({
      word: explorerText.entries.destr,
      meaning: explorerText.entries.destructiveHint,
    })
  }
  if (hints['idempotentHint'] === true) {
    marks.push({
      word: explorerText.entries.idem,
      meaning: explorerText.entries.idempotentHint,
    })
  }
  if (hints['openWorldHint'] === true)
    marks.push({
      word: explorerText.entries.open,
      meaning: explorerText.entries.openWorldHint,
    })
  if (taskSupport === 'optional' || taskSupport === 'required') {
    marks.push({
      word: explorerText.entries.task,
      meaning:
        taskSupport === 'required' ? explorerText.entries.taskRequired : explorerText.entries.taskOptional,
    })
  }
  return marks
}

function entryOf(section: SectionName, listed: Listed): Entry {
  const bag = bagOf(listed.value)
  const uri =
    section === 'resources'
      ? textOf(bag['uri'])
      : section === 'resourceTemplates'
        ? textOf(bag['uriTemplate'])
        : undefined
  const tags = tagsOf(listed.value)
  const title = textOf(bag['title']) ?? (uri === undefined ? undefined : textOf(bag['name']))
  const label = uri ?? listed.name
  return {
    section,
    label,
    title,
    marks: section === 'tools' ? marksOf(listed.value) : [],
    tags,
    malformed: listed.malformed,
    haystack: [label, listed.name, title, textOf(bag['description']), ...tags].join('\n').toLowerCase(),
  }
}

export type Entries = Readonly<Record<SectionName, readonly Entry[]>>

/** What a server listed, ready to show. */
export function entriesOf(lists: Lists): Entries {
  return {
    tools: lists.tools.map((listed) => entryOf('tools', listed)),
    resources: lists.resources.map((listed) => entryOf('resources', listed)),
    resourceTemplates: lists.resourceTemplates.map((listed) => entryOf('resourceTemplates', listed)),
    prompts: lists.prompts.map((listed) => entryOf('prompts', listed)),
  }
}

/**
 * A URI in two parts, so that where there is no room its beginning gives way and its last part, which tells it
 * apart from its neighbours, stays.
 */
export function uriParts(uri: string): readonly [head: string, tail: string] {
  const path = uri.replace(/\/+$/, '')
  const last = path.lastIndexOf('/')
  // A variable alone distinguishes nothing, so the text before it stays with it.
  const cut = path[last + 1] === '{' ? path.lastIndexOf('/', last - 1) : last
  const isPath = cut > 0 && uri[cut - 1] !== '/' && uri[cut + 1] !== '/' && uri.length - cut <= 32
  return isPath ? [uri.slice(0, cut), uri.slice(cut)] : [uri, '']
}

/** Characters of the end of a long name that stay in sight, because names often differ there. */
const SHOWN_END = 7

/** A name in two parts, of which only the first is shortened where there is no room: `get-annot…` and `message`. */
export function nameParts(name: string): readonly [head: string, tail: string] {
  return name.length > 2 * SHOWN_END ? [name.slice(0, -SHOWN_END), name.slice(-SHOWN_END)] : [name, '']
}

/** The tab an entry opens. */
export function targetOf(entry: Entry, serverId: string): TabTarget {
  switch (entry.section) {
    case 'tools':
      return { kind: 'tool', serverId, name: entry.label }
    case 'resources':
      return { kind: 'resource', serverId, uri: entry.label }
    case 'resourceTemplates':
      return { kind: 'resource-template', serverId, uriTemplate: entry.label }
    case 'prompts':
      return { kind: 'prompt', serverId, name: entry.label }
  }
}
