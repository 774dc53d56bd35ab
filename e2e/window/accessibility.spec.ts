import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { walkRegistry } from './registry-screens.ts'
import { walkQuestionsAndPages, walkServersAndCalls } from './screens.ts'

type Violation = { readonly id: string; readonly nodes: readonly { html: string; failureSummary?: string }[] }

/** The part of axe that is used, as it is in the page. */
type AxeInPage = {
  run: (where: Document, options: object) => Promise<{ readonly violations: readonly Violation[] }>
}

const EVERYTHING = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
}
const CONTRAST = { type: 'rule', values: ['color-contrast'] }

/** Puts axe into the page, where it stays. */
async function putAxeInto(page: Page): Promise<void> {
  await new AxeBuilder({ page }).setLegacyMode(true).withRules(['html-has-lang']).analyze()
}

/** What axe finds on the page as it is now. */
async function findings(page: Page, where: string, runOnly: object): Promise<string[]> {
  const violations = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: AxeInPage }
      const { violations: found } = await axe.run(document, options)
      return found.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary = '' }) => `${html}\n  ${failureSummary}`),
      }))
    },
    { runOnly, resultTypes: ['violations'] },
  )
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${where}: ${id}: ${node}`))
}

// A walk of this length has thousands of steps, and each would be kept with the whole page.
test.use({
  trace: 'off',
  // A colour that is still on its way to another has the contrast of neither.
  contextOptions: { reducedMotion: 'reduce' },
  // No browser of this machine is opened.
  startEnv: { BROWSER: 'true' },
})

const WALKS = [
  { screens: 'of servers and calls', walk: walkServersAndCalls },
  { screens: 'of questions, the timeline and pages of servers', walk: walkQuestionsAndPages },
  { screens: 'of the registry', walk: walkRegistry },
]

for (const { isDark, ...viewport } of [
  { width: 1440, height: 900, isDark: true },
  // Colours do not depend on the size of the window.
  { width: 1000, height: 700, isDark: false },
]) {
  test.describe(`at ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport })
    test.setTimeout(180_000)

    for (const { screens, walk } of WALKS) {
      test(`axe finds nothing on any screen ${screens}, ${isDark ? 'light or dark' : 'light'}`, async ({
        page,
      }) => {
        const found: string[] = []
        await putAxeInto(page)
        await walk(page, async (screen) => {
          await page.emulateMedia({ colorScheme: 'light' })
          found.push(...(await findings(page, `${screen}, light`, EVERYTHING)))
          if (!isDark) return
          // The theme changes nothing but colours.
          await page.emulateMedia({ colorScheme: 'dark' })
          found.push(...(await findings(page, `${screen}, dark`, CONTRAST)))
        })
        expect(found).toEqual([])
      })
    }
  })
}
