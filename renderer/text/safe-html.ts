/** One node of documentation: text, or an element that only arranges text. */
export type SafeNode =
  string | { readonly tag: string; readonly className?: string; readonly children: readonly SafeNode[] }

const ALLOWED = new Set('p pre code em strong ul ol li br span hr blockquote h1 h2 h3 h4 h5 h6'.split(' '))
const VOID = new Set(['br', 'hr'])
/** A tag; a `<` that does not begin a tag is text. */
const TAG = /<(\/?)([a-z][a-z0-9]*)(\s[^<>]*)?\/?>/gi
/** Names of our own style sheets, which colour code. */
const CLASS = /^\s+class="([\p{L}\p{N} _-]+)"\s*$/u
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
}

/**
 * Reads the documentation of a symbol, of which only paragraphs, lists, emphasis and coloured code are left: no links, no
 * pictures, nothing that loads or runs. Other elements leave their text. The text is read here, because a browser
 * fetches what it parses, even where it is never shown.
 */
export function readHtml(html: string): readonly SafeNode[] {
  const root: SafeNode[] = []
  const open: { readonly tag: string; readonly children: SafeNode[] }[] = [{ tag: '', children: root }]
  const add = (node: SafeNode): void => {
    if (node !== '') open.at(-1)?.children.push(node)
  }
  let at = 0
  for (const found of html.matchAll(TAG)) {
    const [all, end, name = '', attributes = ''] = found
    add(decoded(html.slice(at, found.index)))
    at = found.index + all.length
    const tag = name.toLowerCase()
    if (!ALLOWED.has(tag)) continue
    if (VOID.has(tag)) add({ tag, children: [] })
    else if (end === '') {
      const className = tag === 'span' ? CLASS.exec(attributes)?.[1] : undefined
      const element = { tag, children: [], ...(className !== undefined && { className }) }
      add(element)
      open.push(element)
    } else {
      const place = open.findLastIndex((element) => element.tag === tag)
      if (place > 0) open.length = place
    }
  }
  add(decoded(html.slice(at)))
  return root
}

/** The same as HTML text, for a library that wants it so. */
export function safeHtml(html: string): string {
  return readHtml(html).map(written).join('')
}

/** Puts documentation into an element of the page. */
export function appendHtml(parent: Element, html: { toString(): string }): void {
  // Trusted markup is an object, not a string.
  appendNodes(parent, readHtml(html.toString()))
}

function appendNodes(parent: Element, nodes: readonly SafeNode[]): void {
  for (const node of nodes) {
    if (typeof node === 'string') parent.append(node)
    else {
      const element = document.createElement(node.tag)
      if (node.className !== undefined) element.className = node.className
      appendNodes(element, node.children)
      parent.append(element)
    }
  }
}

function written(node: SafeNode): string {
  if (typeof node === 'string')
    return node.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const { tag, className, children } = node
  const start = className === undefined ? `<${tag}>` : `<${tag} class="${className}">`
  return VOID.has(tag) ? start : `${start}${children.map(written).join('')}</${tag}>`
}

function decoded(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
}
