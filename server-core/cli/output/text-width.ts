/** What a terminal shows over two columns: East Asian wide characters, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
/** What it shows over none. */
const NARROW = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** How many columns a terminal needs for one line of text. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  return Array.from(graphemes.segment(text), ({ segment }) => widthOf(segment)).reduce((a, b) => a + b, 0)
}

/** The beginning of a line that fits into so many columns, with an ellipsis if it was cut. */
export function fitted(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let shown = ''
  let width = 1
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment)
    if (width > columns) break
    shown += segment
  }
  return `${shown.trimEnd()}…`
}

/** A line with spaces behind it, up to so many columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

function widthOf(grapheme: string): number {
  if (NARROW.test(grapheme)) return 0
  return WIDE.test(grapheme) ? 2 : 1
}
