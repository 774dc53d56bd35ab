/** Text beyond this is shown as it is: a page of so much Markdown is not read. */
export const MAX_MARKDOWN = 32 * 1024

/** Characters that are looked at: a document says soon what it is. */
const LOOKED_AT = 2_000

/** What plain text seldom has: headings, code fences, tables, and lists of more than one item. */
const SIGNS: readonly RegExp[] = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /^\|?(?: *:?-{3,}:? *\|)+ *:?-{3,}:? *\|? *$/m,
  /^(?:[-*+] \S.*\n(?:[ \t].*\n)*){2}/m,
  /^(?:\d+\. \S.*\n(?:[ \t].*\n)*){2}/m,
  /\*\*\S[^*\n]*\*\*/,
  /\[[^\]\n]+\]\(https?:[^)\s]+\)/,
]

/** Whether text reads better as Markdown than as it is. */
export function looksLikeMarkdown(text: string): boolean {
  return text.length <= MAX_MARKDOWN && SIGNS.some((sign) => sign.test(`${text.slice(0, LOOKED_AT)}\n`))
}

/** Whether a media type says that a text is Markdown (RFC 7763). */
export function isMarkdownType(mimeType: string | undefined): boolean {
  return mimeType !== undefined && /^text\/(?:x-)?markdown\b/i.test(mimeType)
}
