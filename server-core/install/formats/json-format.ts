import { createScanner, getNodeValue, parseTree } from 'jsonc-parser'
import type { Node, ParseError } from 'jsonc-parser'
import { isJsonObject } from '../../protocol/json.ts'
import {
  ConfigSyntaxError,
  lineEndOf,
  placeOf,
  splice,
  UneditableError,
  type ConfigEntry,
  type ConfigFormat,
} from './config-format.ts'
import { parseJson5Tree } from './json5-tree.ts'

type TreeOf = (text: string) => Node

/** JSON, with comments and trailing commas where somebody wrote them. */
export const jsonFormat: ConfigFormat = over(jsonTree)

/** JSON5: also names without quotes and texts in single ones. What is put in is JSON, which is JSON5 too. */
export const json5Format: ConfigFormat = over((text) => objectOf(text, parseJson5Tree(text)))

function over(treeOf: TreeOf): ConfigFormat {
  return {
    read: (text) => read(treeOf, text),
    set: (text, path, name, entry) => set(treeOf, text, path, name, entry),
    remove: (text, path, name) => remove(treeOf, text, path, name),
  }
}

function read(treeOf: TreeOf, text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {}
  const value: unknown = getNodeValue(treeOf(text))
  return isJsonObject(value) ? value : {}
}

function set(
  treeOf: TreeOf,
  text: string,
  path: readonly string[],
  name: string,
  entry: ConfigEntry,
): string {
  if (text.trim() === '') return `${JSON.stringify(nested([...path, name], entry), undefined, 2)}\n`
  const { node, missing } = walk(treeOf(text), text, path)
  if (missing.length > 0) {
    const [first = '', ...rest] = missing
    return insert(text, node, first, nested([...rest, name], entry))
  }
  const property = memberOf(text, node, name)
  const value = property?.children?.[1]
  if (property === undefined || value === undefined) return insert(text, node, name, entry)
  const put = render(entry, layoutOf(text, node), indentOf(text, property))
  return splice(text, [{ from: value.offset, to: value.offset + value.length, put }])
}

function remove(treeOf: TreeOf, text: string, path: readonly string[], name: string): string {
  const { node, missing } = walk(treeOf(text), text, path)
  const members = node.children ?? []
  const index = members.findIndex((member) => member.children?.[0]?.value === name)
  const member = members[index]
  if (missing.length > 0 || member === undefined)
    throw new UneditableError(`there is no "${name}" in ${path.join('.')}`)
  const end = endOf(member)
  const commaAfter = commaBetween(text, end, endOf(node) - 1)
  const previous = members[index - 1]
  const to = commaAfter === undefined ? end : commaAfter + 1
  const floor = previous === undefined ? node.offset + 1 : endOf(previous)
  const own = wholeLines(text, floor, member.offset, to)
  if (members.length === 1 && text.slice(node.offset + 1, own.from).trim() === '') {
    const rest = text.slice(own.to, endOf(node) - 1)
    if (rest.trim() === '') return splice(text, [{ from: node.offset, to: endOf(node), put: '{}' }])
  }
  const edits = [{ ...own, put: '' }]
  // The comma that parted it from the one before has nothing to part any more.
  if (commaAfter === undefined && previous !== undefined) {
    const comma = commaBetween(text, endOf(previous), member.offset)
    if (comma !== undefined) edits.push({ from: comma, to: comma + 1, put: '' })
  }
  return splice(text, edits)
}

function jsonTree(text: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error === undefined) return objectOf(text, root)
  const found = text.slice(error.offset, error.offset + 20)
  const got = found === '' ? 'the end' : JSON.stringify(found)
  throw new ConfigSyntaxError(`it is not JSON: ${got} is not expected here`, placeOf(text, error.offset))
}

function objectOf(text: string, root: Node | undefined): Node {
  if (root?.type === 'object') return root
  const got = root?.type ?? 'nothing'
  throw new ConfigSyntaxError(`expected an object, got ${got}`, placeOf(text, root?.offset ?? 0))
}

/** The innermost object on the way that is there, and the names of those that are not. */
function walk(root: Node, text: string, path: readonly string[]): { node: Node; missing: readonly string[] } {
  let node = root
  for (const [depth, name] of path.entries()) {
    const value = memberOf(text, node, name)?.children?.[1]
    if (value === undefined) return { node, missing: path.slice(depth) }
    if (value.type !== 'object') {
      const where = path.slice(0, depth + 1).join('.')
      throw new ConfigSyntaxError(
        `"${where}" must be an object, got ${value.type}`,
        placeOf(text, value.offset),
      )
    }
    node = value
  }
  return { node, missing: [] }
}

function memberOf(text: string, node: Node, name: string): Node | undefined {
  const found = (node.children ?? []).filter((member) => member.children?.[0]?.value === name)
  const [first, second] = found
  if (second === undefined) return first
  throw new ConfigSyntaxError(`"${name}" is there twice`, placeOf(text, second.offset))
}

/** Adds a last member. Comments stay where they are: one that ends the line of the last member stays on its line. */
function insert(text: string, node: Node, name: string, value: unknown): string {
  const last = node.children?.at(-1)
  const layout = layoutOf(text, node)
  const close = endOf(node) - 1
  if (last === undefined) return insertFirst(text, node, name, value)
  const comma = commaBetween(text, endOf(last), close)
  if (!layout.isSpread) {
    const gap = layout.isMinified ? '' : ' '
    const member = `${JSON.stringify(name)}:${gap}${render(value, layout, '')}`
    const at = comma === undefined ? endOf(last) : comma + 1
    const put = comma === undefined ? `,${gap}${member}` : `${gap}${member},`
    return splice(text, [{ from: at, to: at, put }])
  }
  const indent = indentOf(text, last)
  const member = `${layout.lineEnd}${indent}${JSON.stringify(name)}: ${render(value, layout, indent)}`
  const at = endOfLine(text, comma === undefined ? endOf(last) : comma + 1, close)
  if (comma !== undefined) return splice(text, [{ from: at, to: at, put: `${member},` }])
  if (at === endOf(last)) return splice(text, [{ from: at, to: at, put: `,${member}` }])
  return splice(text, [
    { from: endOf(last), to: endOf(last), put: ',' },
    { from: at, to: at, put: member },
  ])
}

/** Into an object without members, which may have comments in it. */
function insertFirst(text: string, node: Node, name: string, value: unknown): string {
  const layout = layoutOf(text, node)
  const inside = text.slice(node.offset + 1, endOf(node) - 1)
  if (layout.isMinified && inside === '') {
    const put = `${JSON.stringify(name)}:${render(value, layout, '')}`
    return splice(text, [{ from: node.offset + 1, to: node.offset + 1, put }])
  }
  const outer = lineIndentAt(text, node.offset)
  const indent = outer + layout.unit
  const spread = { ...layout, isSpread: true, isMinified: false }
  const member = `${layout.lineEnd}${indent}${JSON.stringify(name)}: ${render(value, spread, indent)}`
  if (inside.trim() === '') {
    const put = `${member}${layout.lineEnd}${outer}`
    return splice(text, [{ from: node.offset + 1, to: endOf(node) - 1, put }])
  }
  // After the last comment; the end of the object goes to a line of its own.
  const at = node.offset + 1 + inside.trimEnd().length
  return splice(text, [{ from: at, to: endOf(node) - 1, put: `${member}${layout.lineEnd}${outer}` }])
}

type Layout = {
  readonly lineEnd: string
  /** One step of indentation. */
  readonly unit: string
  /** Members are on lines of their own. */
  readonly isSpread: boolean
  /** Nothing in the file is spaced. */
  readonly isMinified: boolean
}

function layoutOf(text: string, node: Node): Layout {
  const first = node.children?.[0]
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  const isMinified = !text.trim().includes('\n') && !/"\s*:\s/.test(text) && text.includes(':')
  const isSpread = first !== undefined && text.slice(node.offset, first.offset).includes('\n')
  return { lineEnd: lineEndOf(text), unit, isSpread, isMinified }
}

function render(value: unknown, { lineEnd, unit, isSpread, isMinified }: Layout, indent: string): string {
  if (isMinified) return JSON.stringify(value)
  if (!isSpread) return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ')
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${lineEnd}${indent}`)
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value)
}

function endOf(node: Node): number {
  return node.offset + node.length
}

/** What a member's line begins with, if it begins its line; else what the line of its object begins with. */
function indentOf(text: string, node: Node): string {
  return lineIndentAt(text, node.offset)
}

function lineIndentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** Where a comma is between two places, comments aside. */
function commaBetween(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  do scanner.scan()
  while (scanner.getTokenOffset() < to && text[scanner.getTokenOffset()] !== ',')
  return scanner.getTokenOffset() < to ? scanner.getTokenOffset() : undefined
}

/** The end of what belongs to the line of `from`: comments that begin on it are passed, blanks before its end are not. */
function endOfLine(text: string, from: number, limit: number): number {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  let end = from
  for (;;) {
    scanner.scan()
    const token = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength())
    if (scanner.getTokenOffset() >= limit) return end
    if (/^[ \t]+$/.test(token)) continue
    if (!token.startsWith('/')) return end
    end = scanner.getTokenOffset() + scanner.getTokenLength()
  }
}

/** The range without the blanks before it, up to the line end before; only up to `floor`. */
function wholeLines(text: string, floor: number, from: number, to: number): { from: number; to: number } {
  const before = /\r?\n[ \t]*$|[ \t]+$/.exec(text.slice(floor, from))
  const startsLine = before?.[0].includes('\n') === true
  const restOfLine = /^[ \t]*(?=\r?\n|$)/.exec(text.slice(to))
  // A comment that ends its line stays, and so does the line.
  if (startsLine && restOfLine === null)
    return { from, to: to + (/^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0) }
  return { from: from - (before?.[0].length ?? 0), to }
}
