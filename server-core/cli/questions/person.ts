import { createInterface } from 'node:readline/promises'
import { visibleText } from '../../protocol/visible-text.ts'
import { pending } from '../output/output.ts'

/** Somebody at a terminal. */
export interface Person {
  /** Shows lines. */
  print(text: string): void
  /** Asks for a line, and gives it without white space around it. Throws the reason of the signal. */
  line(prompt: string, signal: AbortSignal): Promise<string>
}

type Terminal = {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Ctrl+C, which a terminal that is read from does not turn into a signal. */
  readonly interrupt: () => void
  /** Receives how the question that waits is shown again; undefined when none waits. */
  readonly waiting?: (showAgain: (() => void) | undefined) => void
}

/** Who sits at the terminal of this process; undefined if there is none to ask and be answered at. */
export function personHere(): Person | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  // Answers of commands go to stdout, which may be a pipe.
  return personAt({
    input: process.stdin,
    output: process.stderr,
    interrupt: () => process.kill(process.pid, 'SIGINT'),
    waiting: (showAgain) => (pending.showAgain = showAgain),
  })
}

export function personAt({ input, output, interrupt, waiting }: Terminal): Person {
  return {
    print: (text) => void output.write(`${visibleText(text)}\n`),
    line: async (prompt, signal) => {
      signal.throwIfAborted()
      const lines = createInterface({ input, output })
      const over = new AbortController()
      lines.on('SIGINT', interrupt)
      // The end of the input is nobody's answer.
      lines.on('close', () => over.abort(new Error('the terminal was closed')))
      try {
        waiting?.(() => lines.prompt(true))
        return (
          await lines.question(visibleText(prompt), { signal: AbortSignal.any([signal, over.signal]) })
        ).trim()
      } catch (error) {
        signal.throwIfAborted()
        throw over.signal.aborted ? over.signal.reason : error
      } finally {
        waiting?.(undefined)
        lines.close()
      }
    },
  }
}

/** Asks for one of a few words, by their first letters; an empty line is the first. */
export async function choose<Word extends string>(
  person: Person,
  prompt: string,
  words: readonly [Word, ...Word[]],
  signal: AbortSignal,
): Promise<Word> {
  for (;;) {
    const typed = (await person.line(`${prompt} ${words.join('/')} [${words[0]}]: `, signal)).toLowerCase()
    if (typed === '') return words[0]
    const word = words.find((each) => each.startsWith(typed))
    if (word !== undefined) return word
    person.print(`Please type ${words.join(' or ')}.`)
  }
}
