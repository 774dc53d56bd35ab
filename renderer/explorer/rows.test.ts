import { describe, expect, it } from 'vitest'
import type { Listed, Lists } from '../../server-core/host/contract/inspect.ts'
import { entriesOf, marksOf, nameParts, targetOf, uriParts } from './entries.ts'
import { readFilter } from './filter.ts'
import { rowsOf, type Row } from './rows.ts'

const listed = (value: Record<string, unknown>, malformed?: string): Listed => ({
  value,
  name: String(value['name']),
  ...(malformed === undefined ? {} : { malformed }),
})

const lists: Lists = {
  tools: [
    listed({
      name: 'echo',
      description: 'Says it back',
      annotations: { readOnlyHint: true, idempotentHint: true },
    }),
    listed({ name: 'delete-note', annotations: { destructiveHint: true }, tags: ['Notes'] }),
    listed({ name: 'bulk-export' }, 'inputSchema.type is "array"'),
  ],
  resources: [
    listed({ name: 'today', uri: 'notes://today', _meta: { 'patchbay/tags': ['notes', 'daily'] } }),
  ],
  resourceTemplates: [],
  prompts: [],
  problems: [{ list: 'prompts/list', message: 'Method not found', code: -32601 }],
}

function rows(filter = '', collapsed: readonly ('tools' | 'resources')[] = []): readonly Row[] {
  return rowsOf({
    entries: entriesOf(lists),
    problems: lists.problems,
    declared: { tools: {}, resources: {}, prompts: {} },
    collapsed: new Set(collapsed),
    filter: readFilter(filter),
  })
}

const shown = (list: readonly Row[]): string[] =>
  list.map((row) => {
    if (row.kind === 'section') return `${row.title} ${row.shown}`
    if (row.kind === 'more') return `more of ${row.readingId}`
    return row.kind === 'entry' ? row.entry.label : row.text
  })

describe('the explorer', () => {
  it('lists every section with its count, and why one is empty', () => {
    expect(shown(rows())).toEqual([
      'Tools 3',
      'echo',
      'delete-note',
      'bulk-export',
      'Resources 1',
      'notes://today',
      'Templates 0',
      'It lists no templates',
      'Prompts 0',
      'prompts/list failed: -32601 Method not found',
    ])
  })

  it('leads on where a list has pages that were not read', () => {
    const all = rowsOf({
      entries: entriesOf(lists),
      problems: [],
      more: [{ list: 'resources', readingId: 'r' }],
      declared: { tools: {}, resources: {} },
      collapsed: new Set(),
      filter: readFilter(''),
    })
    expect(shown(all).slice(4, 8)).toEqual(['Resources 1', 'notes://today', 'more of r', 'Templates 0'])
    expect(all[6]).toMatchObject({ place: 1, siblings: 2 })
  })

  it('hides what is in a closed section', () => {
    expect(shown(rows('', ['tools'])).slice(0, 2)).toEqual(['Tools 3', 'Resources 1'])
  })

  it('filters by name, text, mark and tag, and opens what matches', () => {
    expect(shown(rows('says', ['tools']))).toEqual(['Tools 1', 'echo'])
    expect(shown(rows('mark:destr'))).toEqual(['Tools 1', 'delete-note'])
    expect(shown(rows('mark:ro note'))).toEqual([])
    expect(shown(rows('tag:note'))).toEqual(['Tools 1', 'delete-note', 'Resources 1', 'notes://today'])
    expect(shown(rows('tag:notes tag:daily'))).toEqual(['Resources 1', 'notes://today'])
    expect(shown(rows('tag:other'))).toEqual([])
    expect(shown(rows('mark:malformed'))).toEqual(['Tools 1', 'bulk-export'])
  })

  it('keeps a malformed entry with its reason', () => {
    const row = rows().find(
      (candidate) => candidate.kind === 'entry' && candidate.entry.label === 'bulk-export',
    )
    expect(row).toMatchObject({ entry: { malformed: 'inputSchema.type is "array"' } })
  })

  it('opens a resource by its URI and a tool by its name', () => {
    const entries = entriesOf(lists)
    expect(entries.resources.map((entry) => targetOf(entry, 's'))).toEqual([
      { kind: 'resource', serverId: 's', uri: 'notes://today' },
    ])
    expect(entries.tools.slice(0, 1).map((entry) => targetOf(entry, 's'))).toEqual([
      { kind: 'tool', serverId: 's', name: 'echo' },
    ])
  })

  it('keeps the last part of a URI apart', () => {
    expect(uriParts('demo://resource/static/startup.md')).toEqual(['demo://resource/static', '/startup.md'])
    expect(uriParts('demo://dynamic/text/{id}')).toEqual(['demo://dynamic', '/text/{id}'])
    expect(uriParts('notes://{id}')).toEqual(['notes://{id}', ''])
    expect(nameParts('get-annotated-message')).toEqual(['get-annotated-', 'message'])
    expect(nameParts('echo')).toEqual(['echo', ''])
    expect(uriParts('notes://today')).toEqual(['notes://today', ''])
    expect(uriParts('file:///')).toEqual(['file:///', ''])
    expect(uriParts(`x://a/${'b'.repeat(60)}`)).toEqual([`x://a/${'b'.repeat(60)}`, ''])
  })

  it('marks only what a tool says of itself', () => {
    expect(
      marksOf({ annotations: { readOnlyHint: true, destructiveHint: true } }).map((mark) => mark.word),
    ).toEqual(['ro'])
    expect(
      marksOf({ annotations: 'odd', execution: { taskSupport: 'optional' } }).map((mark) => mark.word),
    ).toEqual(['task'])
    expect(marksOf(null)).toEqual([])
  })
})
