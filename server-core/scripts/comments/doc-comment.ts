import type { SyntaxNode } from './syntax-node.ts'

/** What a doc comment says: its text before the first tag, and the parameters that `@param` tags describe. */
export type DocComment = {
  readonly description?: string
  readonly parameters: Readonly<Record<string, string>>
}

/** A line that is not joined with the one before: an item of a list, or code. */
const OWN_LINE = /^(?:[-*+] |\d+[.)] |\s{4}|\||```)/
const PARAM = /^@(?:param|arg|argument)\s+(?:\{[^}]*\}\s*)?\[?([\w$.-]+)(?:=[^\]]*)?\]?\s*(?:-\s*)?([^]*)$/

/** Finds the doc comment directly before a node: nothing but white space and line comments is between them. */
export type CommentBefore = (node: SyntaxNode) => string | undefined

/** White space and line comments. */
const BETWEEN = /(?:\s|\/\/[^\n]*(?:\n|$))*/y

/**
 * Returns a function that finds the doc comment before a node. It compares positions, since the parser counts a comment
 * as part of the statement before it, if that has no semicolon and the next one begins in the same line.
 */
export function docComments(root: SyntaxNode, source: string): CommentBefore {
  const before = new Map<number, string>()
  root.cursor().iterate(({ name, from, to }) => {
    if (name !== 'BlockComment') return
    const text = source.slice(from, to)
    BETWEEN.lastIndex = to
    BETWEEN.exec(source)
    if (text.startsWith('/**') && text.length > '/***/'.length) before.set(BETWEEN.lastIndex, text)
  })
  return ({ from }) => before.get(from)
}

/** Reads a doc comment. Lines of a paragraph are joined; links are their text. */
export function readDocComment(comment: string): DocComment {
  const lines = comment
    .slice('/**'.length, -'*/'.length)
    .split(/\r?\n/)
    .map((line, index) => (index === 0 ? line : line.replace(/^\s*\*(?: |$)?/, '')).trimEnd())
  const sections: string[][] = [[]]
  for (const line of lines) {
    if (/^\s*@\w/.test(line)) sections.push([line.trim()])
    else sections.at(-1)?.push(line)
  }
  const [head = [], ...tags] = sections
  const description = joined(head)
  const parameters: Record<string, string> = {}
  for (const tag of tags) {
    const [, name = '', said = ''] = PARAM.exec(tag.join('\n')) ?? []
    const text = joined(said.split('\n'))
    // Handlers have one parameter, whose members are meant.
    if (name !== '' && text !== '') parameters[name.replace(/^(?:args|arguments|input|params)\./, '')] = text
  }
  return { ...(description === '' ? {} : { description }), parameters }
}

function joined(lines: readonly string[]): string {
  const paragraphs: string[] = ['']
  let isCode = false
  for (const line of lines) {
    const last = paragraphs.length - 1
    const text = isCode ? line : line.replaceAll(/\{@link\s+([^}\s|]+)(?:[\s|]+([^}]+))?\}/g, linkText)
    if (text.trim() === '' && !isCode) {
      if (paragraphs[last] !== '') paragraphs.push('')
      continue
    }
    const isFence = text.trimStart().startsWith('```')
    const before = paragraphs[last] ?? ''
    const ownLine = isCode || isFence || (before !== '' && OWN_LINE.test(text)) || before.endsWith('```')
    paragraphs[last] =
      before === '' ? text.trim() : `${before}${ownLine ? '\n' : ' '}${ownLine ? text : text.trim()}`
    if (isFence) isCode = !isCode
  }
  return paragraphs.join('\n\n').trim()
}

function linkText(_: string, target: string, label: string | undefined): string {
  return label?.trim() ?? target
}
