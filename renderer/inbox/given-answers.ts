/**
 * The questions that were answered, or are about to be. That one is over is seen only when the host tells so: until then
 * another press is not a second answer.
 */
export class GivenAnswers {
  readonly #given = new Set<string>()

  /**
   * Answers a question, unless that was done already; then it gives `undefined`. Only what is given by `isTaken` to be an
   * end, and what is under way, keeps others away.
   */
  async give<Reply>(
    id: string,
    answer: () => Promise<Reply>,
    isTaken: (reply: Reply) => boolean,
  ): Promise<Reply | undefined> {
    if (this.#given.has(id)) return undefined
    this.#given.add(id)
    let taken = false
    try {
      const reply = await answer()
      taken = isTaken(reply)
      return reply
    } finally {
      if (!taken) this.#given.delete(id)
    }
  }

  /** Forgets the questions that are not open. */
  keepOnly(open: ReadonlySet<string>): void {
    for (const id of this.#given) if (!open.has(id)) this.#given.delete(id)
  }
}
