/** How long a probe waits. */
export type Waits = {
  /** For an answer that is owed. */
  readonly answerMs: number
  /** For things that must not come. */
  readonly silenceMs: number
}

export const USUAL_WAITS: Waits = { answerMs: 5_000, silenceMs: 1_000 }

/** Three barriers take so long on a machine that is not slow. */
const USUAL_BARRIERS_MS = 150

/** Longer waits on a slow machine or link: by the time that three barriers took, at least 1 and at most 10 times. */
export function scaledWaits(waits: Waits, threeBarriersMs: number): Waits {
  const factor = Math.min(10, Math.max(1, threeBarriersMs / USUAL_BARRIERS_MS))
  return { answerMs: Math.round(waits.answerMs * factor), silenceMs: Math.round(waits.silenceMs * factor) }
}

/** Resolves after a time, which keeps no process alive. */
export function elapsed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
