import type { Locator, Page } from '@playwright/test'

/** What the page keeps for a measurement that is under way. */
type Kept = { painted: Promise<number>; letters: Promise<number>[] }

/** Prints one measurement. Times depend on the machine, so no test asserts them. */
export function measured(what: string, ms: number): void {
  console.log(`measured: ${what}: ${ms.toFixed(0)} ms`)
}

/** Milliseconds from the navigation until something of the page was painted. */
export function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => {
          for (const { name, startTime } of list.getEntries())
            if (name === 'first-contentful-paint') resolve(startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
}

/** From the next click on, waits until something is painted that was not there. */
export async function watchPaint(page: Page, selector: string): Promise<void> {
  await page.evaluate((selector) => {
    const kept = window as unknown as Kept
    const before = document.querySelector(selector)
    kept.painted = new Promise((resolve) => {
      const onClick = ({ timeStamp }: MouseEvent): void => {
        const look = (): void => {
          const found = document.querySelector(selector)
          if (found === null || found === before) requestAnimationFrame(look)
          // The frame that shows it is done when the next task runs.
          else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
        }
        look()
      }
      document.addEventListener('click', onClick, { capture: true, once: true })
    })
  }, selector)
}

/** Milliseconds from that click to the paint. */
export function painted(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Kept).painted)
}

/** Types letter by letter; returns the milliseconds of the middle letter from the press until it was painted. */
export async function typeAndMeasure(page: Page, field: Locator, text: string): Promise<number> {
  await field.click()
  await page.evaluate(() => {
    const kept = window as unknown as Kept
    kept.letters = []
    const onPress = ({ timeStamp }: KeyboardEvent): void => {
      const letter = new Promise<number>((resolve) =>
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp))),
      )
      kept.letters.push(letter)
    }
    document.addEventListener('keydown', onPress, true)
  })
  await field.pressSequentially(text, { delay: 60 })
  const letters = await page.evaluate(() => Promise.all((window as unknown as Kept).letters))
  return letters.toSorted((one, other) => one - other)[Math.floor(letters.length / 2)] ?? Number.NaN
}
