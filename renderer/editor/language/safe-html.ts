const ALLOWED = new Set('p pre code em strong ul ol li br span hr blockquote h1 h2 h3 h4 h5 h6'.split(' '))
/** A tag, or a `<` that begins none. */
const TAG = /<(\/?)([a-z][a-z0-9]*)(\s[^<>]*)?\/?>|</gi
/** Names of our own style sheets, which colour code. */
const CLASS = /^\s+class="([\p{L}\p{N} _-]+)"\s*$/u

/**
 * The documentation of a symbol as HTML of which only paragraphs, lists, emphasis and coloured code are left, without
 * attributes: no links, no pictures, nothing that loads or runs. Other elements leave their text. It is done on the
 * text, because a browser looks at what it parses, even where that is never shown.
 */
export function safeHtml(html: string): string {
  return html.replaceAll(
    TAG,
    (tag: string, end: string, name: string | undefined, attributes: string | undefined) => {
      if (tag === '<' || name === undefined) return '&lt;'
      const element = name.toLowerCase()
      if (!ALLOWED.has(element)) return ''
      const colour = element === 'span' && end === '' ? CLASS.exec(attributes ?? '')?.[1] : undefined
      return colour === undefined ? `<${end}${element}>` : `<span class="${colour}">`
    },
  )
}
