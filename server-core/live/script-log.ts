import { Redaction, type Masking } from '../capture/redaction.ts'
import type { ScriptLogLine } from './live-state.ts'

/** Lines that are kept of each script. */
const KEPT = 500
/** Characters of one line. */
const LONGEST = 4_000

/** What happened in scripts, the newest lines of each, without secrets that are known. */
export class ScriptLog {
  readonly #lines = new Map<string, ScriptLogLine[]>()
  readonly #masking: Pick<Masking, 'text'>
  readonly #told: (line: ScriptLogLine) => void
  #nextId = 1

  /** @param told gets each line as it is written */
  constructor(told: (line: ScriptLogLine) => void, masking: Pick<Masking, 'text'> = new Redaction()) {
    this.#told = told
    this.#masking = masking
  }

  write(line: Omit<ScriptLogLine, 'id' | 'at'>): void {
    const written = { ...line, text: cut(this.#masking.text(line.text)), id: this.#nextId, at: Date.now() }
    this.#nextId += 1
    const lines = this.#lines.get(line.file) ?? []
    this.#lines.set(line.file, lines)
    lines.push(written)
    // Now and then, so that a script that prints a lot costs little.
    if (lines.length >= 2 * KEPT) lines.splice(0, lines.length - KEPT)
    this.#told(written)
  }

  /** The newest lines, oldest first; of one script, or of all. */
  lines(file?: string): readonly ScriptLogLine[] {
    if (file !== undefined) return (this.#lines.get(file) ?? []).slice(-KEPT)
    const all = [...this.#lines.values()].flatMap((lines) => lines.slice(-KEPT))
    return all.sort((a, b) => a.id - b.id).slice(-2 * KEPT)
  }
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}
