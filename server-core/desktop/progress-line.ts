/** What a terminal or a log file offers, e.g. `process.stderr`. */
export type ProgressOutput = { readonly isTTY: boolean; write(text: string): unknown }

/**
 * Shows what is going on: on a terminal one line that is written over, elsewhere a line each time the text has
 * changed and at least five seconds went by, so that a log stays short.
 */
export class ProgressLine {
  readonly #output: ProgressOutput
  #shown = ''
  #shownAt = 0

  constructor(output: ProgressOutput) {
    this.#output = output
  }

  /** Shows how far a step is; left out if the last text is fresh. */
  update(text: string): void {
    const leastMs = this.#output.isTTY ? 100 : 5_000
    if (text !== this.#shown && Date.now() - this.#shownAt >= leastMs) this.step(text)
  }

  /** Shows that a step begins. */
  step(text: string): void {
    this.#output.write(this.#output.isTTY ? `\r${text.padEnd(this.#shown.length)}` : `${text}\n`)
    this.#shown = text
    this.#shownAt = Date.now()
  }

  /** Ends the line, if there is one, so that other text can follow. */
  end(): void {
    if (this.#shown !== '' && this.#output.isTTY) this.#output.write('\n')
    this.#shown = ''
    this.#shownAt = 0
  }
}
