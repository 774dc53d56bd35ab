import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { Random } from '../random.ts'

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
  const random = new Random(createHash('sha256').update(`${seed} ${test}`).digest().readUInt32LE())
  // Most come at once, some late: what is always late arrives in the order it always has.
  const whileMs = (): number => (random.probability(0.5) ? 0 : random.next() ** 3 * 400)
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const host = socket.connectToServer()
    socket.onMessage(delayed(whileMs, (message) => host.send(message)))
    host.onMessage(delayed(whileMs, (message) => socket.send(message)))
  })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 + random.below(3) })
}
