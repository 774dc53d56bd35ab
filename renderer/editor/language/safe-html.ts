const ALLOWED = new Set([
  'P',
  'PRE',
  'CODE',
  'EM',
  'STRONG',
  'UL',
  'OL',
  'LI',
  'BR',
  'SPAN',
  'HR',
  'BLOCKQUOTE',
  'H1',
  'H2',
  'H3',
  'H4',
])
const DROPPED = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'EMBED', 'SVG', 'MATH'])

/**
 * The documentation of a symbol as HTML of which only paragraphs, lists, emphasis and coloured code are left: no links,
 * no pictures, nothing that loads or runs. Other elements leave their text.
 */
export function safeHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const clean = document.createElement('div')
  copy(body, clean)
  return clean.innerHTML
}

function copy(from: Node, into: Element): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) into.append(node.textContent ?? '')
    else if (node instanceof Element && !DROPPED.has(node.tagName.toUpperCase())) {
      const kept = ALLOWED.has(node.tagName) ? document.createElement(node.tagName) : undefined
      // Classes colour code; they are names of our own style sheets.
      if (kept !== undefined && node.tagName === 'SPAN') kept.className = node.className
      copy(node, kept ?? into)
      if (kept !== undefined) into.append(kept)
    }
  }
}
