import type { ListId } from '../../client/listed.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import type { Paint } from './paint.ts'
import { promptSignature, toolSignature } from './signature.ts'
import { fitted, padded, textWidth } from './text-width.ts'

/** What `patchbay list` prints: the lists that were read. */
export type Lists = Readonly<Partial<Record<ListId, readonly unknown[]>>>

const TITLES: Readonly<Record<ListId, string>> = {
  tools: 'Tools',
  resources: 'Resources',
  resourceTemplates: 'Resource templates',
  prompts: 'Prompts',
  tasks: 'Tasks',
}
const LONGEST = 2_000
/** Descriptions get at least so many columns, or a line of their own. */
const LEAST_ABOUT = 24
const INDENT = '  '

export type ListStyle = {
  /** Columns of the terminal. */
  readonly width: number
  readonly paint: Paint
}

/**
 * The lists for a person: a line for each entry with its arguments and the beginning of its description, and where the
 * next page of each begins. Nothing in it steers a terminal but the colours of `paint`.
 */
export function describeLists(
  lists: Lists,
  nextCursors: Readonly<Record<string, string>>,
  style: ListStyle,
): string {
  return (Object.keys(lists) as ListId[])
    .map((id) => {
      const entries = (lists[id] ?? []).map((entry) => shownEntry(id, entry))
      const next = nextCursors[id]
      const more =
        next === undefined
          ? []
          : [`${INDENT}… more with --cursor ${visibleLine(JSON.stringify(next), LONGEST)}`]
      return [
        style.paint('bold', `${TITLES[id]} (${entries.length})`),
        ...rows(entries, style),
        ...more,
      ].join('\n')
    })
    .join('\n\n')
}

type Shown = { readonly head: string; readonly about: string }

/** Aligned where the head fits into a bit less than half of the width; else the description has its own line. */
function rows(entries: readonly Shown[], { width, paint }: ListStyle): readonly string[] {
  const most = Math.max(16, Math.min(Math.floor(width * 0.45), width - LEAST_ABOUT))
  const fitting = entries.map(({ head }) => textWidth(head)).filter((columns) => columns <= most)
  const column = Math.max(0, ...fitting)
  return entries.flatMap(({ head, about }) => {
    if (textWidth(head) <= column) {
      const left = width - column - 2 * INDENT.length
      const space = ' '.repeat(textWidth(padded(head, column)) - textWidth(head))
      return [`${INDENT}${painted(head, paint)}${about === '' ? '' : `${space}  ${fitted(about, left)}`}`]
    }
    const lines = wrapped(head, width - INDENT.length).map((line, at) =>
      at === 0 ? `${INDENT}${painted(line, paint)}` : `${INDENT}    ${line}`,
    )
    return about === '' ? lines : [...lines, `${INDENT}    ${fitted(about, width - 6)}`]
  })
}

/** The name stands out from its arguments. */
function painted(head: string, paint: Paint): string {
  const at = head.indexOf('(')
  return at === -1 ? paint('cyan', head) : `${paint('cyan', head.slice(0, at))}${head.slice(at)}`
}

/** Breaks a signature between its arguments. */
function wrapped(head: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const part of head.split(/(?<=, |\()/)) {
    if (line !== '' && textWidth(line + part) > width - (lines.length === 0 ? 0 : 4)) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += part
  }
  return [...lines, line]
}

function shownEntry(id: ListId, entry: unknown): Shown {
  const value: JsonObject = isJsonObject(entry) ? entry : {}
  return { head: headOf(id, value), about: visibleLine(aboutOf(value), LONGEST) }
}

function headOf(id: ListId, value: JsonObject): string {
  switch (id) {
    case 'tools':
      return toolSignature(value)
    case 'prompts':
      return promptSignature(value)
    case 'resources':
      return visibleLine(textOf(value, 'uri') ?? '?', LONGEST)
    case 'resourceTemplates':
      return visibleLine(textOf(value, 'uriTemplate') ?? '?', LONGEST)
    case 'tasks':
      return visibleLine(textOf(value, 'taskId') ?? '?', LONGEST)
  }
}

function aboutOf(value: JsonObject): string {
  return (
    ['description', 'title', 'status', 'name']
      .map((name) => textOf(value, name))
      .find((text) => text !== undefined) ?? ''
  )
}

function textOf(value: JsonObject, name: string): string | undefined {
  const text = value[name]
  return typeof text === 'string' ? text : undefined
}
