/** How much work a pattern may make of a text, at most: `fixed × length ** power` steps. */
export type Effort = { readonly fixed: number; readonly power: number }

type Group = {
  /** Something in it may repeat a varying number of times. */
  varies: boolean
  /** It has a choice of branches. */
  chooses: boolean
}

const QUANTIFIER = /[*+?]|\{(\d+)(,?)(\d*)\}/y
/** What stands for one character, or for none. */
const ATOM = /\\[pPu]\{[^}]*\}|\\k<[^>]*>|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^()|]/y

/**
 * The most work that a pattern (one that `new RegExp(source, 'u')` takes) can be, or undefined where it can grow without
 * a bound that is worth naming: where what varies, or chooses, is repeated as a whole.
 */
export function effortOf(source: string): Effort | undefined {
  let fixed = 1
  // The text is walked once, and from each of its characters where the pattern is not anchored.
  let power = source.startsWith('^') ? 1 : 2
  const open: Group[] = [{ varies: false, chooses: false }]
  for (let at = 0; at < source.length;) {
    const within = open.at(-1)
    if (within === undefined) return undefined
    let closed: Group | undefined
    if (source[at] === '(') {
      open.push({ varies: false, chooses: false })
      // What kind of group it is takes a question mark, which is not a quantifier.
      at += source[at + 1] === '?' ? 2 : 1
      continue
    } else if (source[at] === '|') {
      within.chooses = true
      // A branch is anchored by itself.
      if (open.length === 1) power = Math.max(power, 2)
      fixed += 1
      at += 1
      continue
    } else if (source[at] === ')') {
      closed = open.pop()
      at += 1
    } else {
      ATOM.lastIndex = at
      if (!ATOM.test(source)) return undefined
      at = ATOM.lastIndex
    }
    const outer = open.at(-1)
    if (outer === undefined) return undefined
    if (closed?.varies === true) outer.varies = true
    if (closed?.chooses === true) outer.chooses = true
    QUANTIFIER.lastIndex = at
    const found = QUANTIFIER.exec(source)
    if (found === null) continue
    const [text, least, comma, most] = found
    at += text.length + (source[at + text.length] === '?' ? 1 : 0)
    if (text !== '?' && (closed?.varies === true || closed?.chooses === true)) return undefined
    if (text === '?') fixed *= 2
    else if (text === '*' || text === '+' || (comma === ',' && most === '')) power += 1
    else fixed *= comma === ',' ? Number(most) - Number(least) + 1 : 1
    if (least === undefined || comma === ',') outer.varies = true
  }
  return { fixed, power }
}
