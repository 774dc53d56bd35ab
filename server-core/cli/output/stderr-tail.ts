/** A frame of a stack, and what Node writes in place of several. */
const FRAME = /^\s+(?:at\s|\.\.\. \d+ lines matching)/
/** Where in Node's own code an error was thrown: place, piece of code and mark, up to an empty line. */
const INSIDE_NODE = /^node:internal\/\S+:\d+\r?\n(?:[^\r\n]+\r?\n)*\r?\n/gm
const NAMES_ERROR = /\b(?:\w*Error|\w*Exception|error|fatal|panic(?:ked)?)\b\s*(?:\[[^\]]*\])?:/i

/**
 * The lines at the end of what a process wrote on standard error that say the most: without the frames of stacks, and
 * with the last line that names an error, also where more was written below it.
 *
 * @param most how many lines at most, 2 at least
 */
export function stderrTail(stderr: string, most: number): readonly string[] {
  const lines = stderr
    .replaceAll(INSIDE_NODE, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !FRAME.test(line))
  // Nothing but frames: some of them are better than nothing.
  if (lines.length === 0) return stderr.trimEnd().split(/\r?\n/).slice(-most)
  if (lines.length <= most) return lines
  const tail = lines.slice(-most)
  if (tail.some((line) => NAMES_ERROR.test(line))) return tail
  const error = lines.findLast((line) => NAMES_ERROR.test(line))
  return error === undefined ? tail : [error, '…', ...tail.slice(2)]
}
