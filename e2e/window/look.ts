import path from 'node:path'
import type { Page } from '@playwright/test'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1000, height: 700 },
] as const

/**
 * Saves pictures of what the page shows, in both themes and sizes, where `PATCHBAY_SHOTS` names a folder for them. The page
 * looks as before afterwards.
 */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['PATCHBAY_SHOTS']
  if (folder === undefined) return
  const before = page.viewportSize()
  for (const colorScheme of ['dark', 'light'] as const)
    for (const size of SIZES) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(size)
      await page.screenshot({ path: path.join(folder, `${name}-${size.width}-${colorScheme}.png`) })
    }
  await page.emulateMedia({ colorScheme: null })
  if (before !== null) await page.setViewportSize(before)
}
