import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { walkScreens } from './screens.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']

/** What axe finds on the page as it is now. */
async function findings(page: Page, where: string, only?: readonly string[]): Promise<string[]> {
  // The page has no frames of its own, so axe needs no second page to gather what it found.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  const { violations } = await (only === undefined ? axe.withTags(TAGS) : axe.withRules([...only])).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${where}: ${id}: ${html}\n  ${failureSummary}`),
  )
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 1000, height: 700 },
]) {
  test.describe(`at ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport })
    test.setTimeout(300_000)

    test('axe finds nothing on any screen, light or dark', async ({ page }) => {
      const found: string[] = []
      await walkScreens(page, async (screen) => {
        await page.emulateMedia({ colorScheme: 'light' })
        found.push(...(await findings(page, `${screen}, light`)))
        // The theme changes nothing but colours.
        await page.emulateMedia({ colorScheme: 'dark' })
        found.push(...(await findings(page, `${screen}, dark`, ['color-contrast'])))
      })
      expect(found).toEqual([])
    })
  })
}
