import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { sectionNames, sectionTitles, type Entries, type Entry, type SectionName } from './entries.ts'
import { isEmptyFilter, matchesFilter, type Filter } from './filter.ts'
import { explorerText } from './text.ts'

/** A line of the tree, in the order they are seen. */
export type Row =
  | {
      readonly kind: 'section'
      readonly key: string
      readonly section: SectionName
      readonly title: string
      readonly expanded: boolean
      readonly shown: number
      readonly total: number
      /** Not all of it was read. */
      readonly isPartial: boolean
      readonly place: number
      readonly siblings: number
    }
  | {
      readonly kind: 'entry'
      readonly key: string
      readonly entry: Entry
      readonly place: number
      readonly siblings: number
    }
  /** There are pages that were not read. */
  | {
      readonly kind: 'more'
      readonly key: string
      readonly section: SectionName
      readonly readingId: string
      readonly place: number
      readonly siblings: number
    }
  /** Why a section has nothing, or not what it should. */
  | {
      readonly kind: 'note'
      readonly key: string
      readonly text: string
      readonly tone: 'plain' | 'error'
      readonly place: number
      readonly siblings: number
    }

/** The method that fills a section, as problems name it. */
const listMethods: Record<SectionName, string> = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
}

const capabilities: Record<SectionName, string> = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resources',
  prompts: 'prompts',
}

interface RowsInput {
  readonly entries: Entries
  readonly problems: Lists['problems']
  readonly more?: Lists['more']
  readonly declared: Readonly<Record<string, unknown>>
  readonly collapsed: ReadonlySet<SectionName>
  readonly filter: Filter
}

/**
 * The lines of the tree. A section is there if the server declared it, listed something in it, or failed to; with
 * a filter only sections with matches are, and they are open.
 */
export function rowsOf({
  entries,
  problems,
  more = [],
  declared,
  collapsed,
  filter,
}: RowsInput): readonly Row[] {
  const filtered = !isEmptyFilter(filter)
  const sections = sectionNames.flatMap((section) => {
    const all = entries[section]
    const matching = filtered ? all.filter((entry) => matchesFilter(entry, filter)) : all
    const failed = problems.filter((problem) => isListOf(problem.list, section))
    const isThere =
      section === 'tools' || capabilities[section] in declared || all.length > 0 || failed.length > 0
    const wanted = filtered ? matching.length > 0 : isThere
    return wanted ? [{ section, all, matching, failed }] : []
  })
  return sections.flatMap(({ section, all, matching, failed }, place) => {
    const expanded = filtered || !collapsed.has(section)
    const unread = more.filter(({ list }) => list === section)
    const head: Row = {
      kind: 'section',
      key: section,
      section,
      title: sectionTitles[section],
      expanded,
      shown: matching.length,
      total: all.length,
      isPartial: unread.length > 0,
      place,
      siblings: sections.length,
    }
    if (!expanded) return [head]
    const notes = notesOf(section, all.length, failed, capabilities[section] in declared)
    const siblings = notes.length + matching.length + unread.length
    return [
      head,
      ...notes.map((note, index): Row => ({
        ...note,
        kind: 'note',
        key: `${section}:note${index}`,
        place: index,
        siblings,
      })),
      ...matching.map((entry, index): Row => ({
        kind: 'entry',
        key: `${section}:${index}:${entry.label}`,
        entry,
        place: notes.length + index,
        siblings,
      })),
      ...unread.map(({ readingId }): Row => ({
        kind: 'more',
        key: `${section}:more`,
        section,
        readingId,
        place: siblings - 1,
        siblings,
      })),
    ]
  })
}

function isListOf(list: string, section: SectionName): boolean {
  return list === section || list === listMethods[section]
}

function notesOf(
  section: SectionName,
  count: number,
  failed: Lists['problems'],
  declared: boolean,
): readonly { text: string; tone: 'plain' | 'error' }[] {
  if (failed.length > 0) {
    return failed.map(({ message, code, isHarmless = false }) =>
      isHarmless
        ? { text: message, tone: 'plain' }
        : {
            text: explorerText.rows.failed(
              listMethods[section],
              code === undefined ? '' : `${code} `,
              message,
            ),
            tone: 'error',
          },
    )
  }
  if (count > 0) return []
  const title = sectionTitles[section].toLowerCase()
  return [
    {
      text: declared ? explorerText.rows.itListsNo(title) : explorerText.rows.itDeclaresNo(title),
      tone: 'plain',
    },
  ]
}
