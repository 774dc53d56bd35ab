import type { Page } from '@playwright/test'

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function hashOf(text: string): number {
  let hash = 0
  for (const letter of text) hash = Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)
  return hash
}

/** Passes on what it is given in the order it came, each after a while of its own. */
function delayed<Message>(
  whileMs: () => number,
  pass: (message: Message) => void,
): (message: Message) => void {
  const waiting: Message[] = []
  let isRunning = false
  const next = (): void => {
    const message = waiting.shift()
    isRunning = message !== undefined
    if (message === undefined) return
    setTimeout(() => {
      pass(message)
      next()
    }, whileMs())
  }
  return (message) => {
    waiting.push(message)
    if (!isRunning) next()
  }
}

/**
 * Makes what passes between page and host late at random, and the page slow at random: what a step relies on by luck alone
 * then comes to light. `npm run build`, and `PATCHBAY_JITTER=SEED` before Playwright.
 *
 * @param seed any number; the same one makes the same delays
 * @param test the test's title, so that each has delays of its own
 */
export async function addJitter(page: Page, seed: number, test: string): Promise<void> {
  const number = numbersFrom(seed ^ hashOf(test))
  // Most come at once, some late: what is always late arrives in the order it always has.
  const whileMs = (): number => (number() < 0.5 ? 0 : number() ** 3 * 400)
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const host = socket.connectToServer()
    socket.onMessage(delayed(whileMs, (message) => host.send(message)))
    host.onMessage(delayed(whileMs, (message) => socket.send(message)))
  })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 + Math.floor(number() * 3) })
}
