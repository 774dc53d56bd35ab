import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { walkConformance } from './conformance-screens.ts'
import { expect, test } from './fixtures.ts'
import { walkRegistry } from './registry-screens.ts'
import { walkQuestionsAndPages, walkServersAndCalls } from './screens.ts'

type Violation = { readonly id: string; readonly nodes: readonly { html: string; failureSummary?: string }[] }

/** The part of axe that is used, as it is in the page. */
type AxeInPage = {
  run: (where: Document, options: object) => Promise<{ readonly violations: readonly Violation[] }>
}

const LOOKS = 3

const EVERYTHING = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
}

/** Puts axe into the page, where it stays. */
async function putAxeInto(page: Page): Promise<void> {
  await new AxeBuilder({ page }).setLegacyMode(true).withRules(['html-has-lang']).analyze()
}

/**
 * What axe finds on the page as it is now. It looks for a second and tells elements by their places: where the page
 * changes meanwhile it looks again, for what is wrong stays so.
 */
async function findings(page: Page, where: string): Promise<string[]> {
  for (let look = 1; look < LOOKS; look += 1) {
    const [outcome] = await Promise.allSettled([findingsNow(page, where)])
    if (outcome.status === 'fulfilled' && outcome.value.length === 0) return []
  }
  return findingsNow(page, where)
}

async function findingsNow(page: Page, where: string): Promise<string[]> {
  const violations = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: AxeInPage }
      const { violations: found } = await axe.run(document, options)
      return found.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary = '' }) => `${html}\n  ${failureSummary}`),
      }))
    },
    { runOnly: EVERYTHING, resultTypes: ['violations'] },
  )
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${where}: ${id}: ${node}`))
}

// A walk of this length has thousands of steps, and each would be kept with the whole page.
test.use({
  trace: 'off',
  viewport: { width: 1440, height: 900 },
  // A colour that is still on its way to another has the contrast of neither.
  contextOptions: { reducedMotion: 'reduce' },
})

const WALKS = [
  { screens: 'of servers and calls', walk: walkServersAndCalls },
  { screens: 'of questions, the timeline and pages of servers', walk: walkQuestionsAndPages },
  { screens: 'of the registry', walk: walkRegistry },
  { screens: 'of conformance', walk: walkConformance },
]

/** Colours do not depend on the size of the window, and the theme changes nothing but colours. */
const VIEWS = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1000, height: 700 },
] as const

for (const { screens, walk } of WALKS) {
  test(`axe finds nothing on any screen ${screens}, wide in light and narrow in dark`, async ({ page }) => {
    test.setTimeout(600_000)
    const found: string[] = []
    await putAxeInto(page)
    await walk(page, async (screen) => {
      for (const { colorScheme, ...size } of VIEWS.toReversed()) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(size)
        found.push(...(await findings(page, `${screen}, ${colorScheme}`)))
      }
    })
    expect(found).toEqual([])
  })
}
