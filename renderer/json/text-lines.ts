/** A line longer than this is cut, so that no line costs more than a row. */
export const LINE_LENGTH = 200

/** Where each line of a text starts; long lines are cut into several. */
export function cutLines(text: string): Uint32Array {
  let starts = new Uint32Array(1_024)
  let count = 0
  const add = (start: number): void => {
    if (count === starts.length) {
      const larger = new Uint32Array(starts.length * 2)
      larger.set(starts)
      starts = larger
    }
    starts[count] = start
    count += 1
  }
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    add(start)
    let cut = start
    while (end - cut > LINE_LENGTH) {
      cut += splitsPair(text, cut + LINE_LENGTH) ? LINE_LENGTH - 1 : LINE_LENGTH
      add(cut)
    }
    start = end + 1
  }
  return starts.subarray(0, count)
}

/** One line, without its line feed. */
export function lineAt(text: string, starts: Uint32Array, line: number): string {
  const start = starts[line] ?? 0
  const end = starts[line + 1] ?? text.length
  return text.slice(start, end).replace(/\r?\n$/, '')
}

function splitsPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}
