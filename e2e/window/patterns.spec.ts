import path from 'node:path'
import type { Page } from '@playwright/test'
import { formOf, jsonOf, send, typeJson } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { explorerOf, openEntry, startServer } from './server-steps.ts'
import { PATTERNS } from './servers/pattern-server.ts'

const NAME = 'patterns'

const verdict = (page: Page) =>
  page.getByRole('region', { name: 'Arguments as JSON' }).getByRole('status').first()

/** Opens the tool with this exact name. */
async function openTool(page: Page, name: string): Promise<void> {
  await explorerOf(page, NAME).getByText(name, { exact: true }).click()
  await expect(jsonOf(page)).toBeVisible()
}

/** Patterns that only an engine that backtracks can test are given up, the others decided. */
function expected(index: number, decided: string | RegExp): string | RegExp {
  return /\(\?|\\1/.test(PATTERNS[index]?.pattern ?? '') ? 'not checked: took too long' : decided
}

/** The page draws and checks something else. */
async function expectAnswers(page: Page): Promise<void> {
  await openEntry(page, NAME, 'plain')
  await typeJson(page, '{ "n": 0 }')
  await expect(verdict(page)).toContainText('0 is below the minimum 1')
  await typeJson(page, '{ "n": 1 }')
  await expect(verdict(page)).toHaveText('valid')
}

for (const [index, { pattern, text }] of PATTERNS.entries()) {
  test(`a pattern that backtracks does not stop the page: ${pattern}`, async ({ page }) => {
    const server = path.join(import.meta.dirname, 'servers/pattern-server.ts')
    await startServer(page, { name: NAME, command: process.execPath, args: [server, String(index)] })

    await test.step('in a default', async () => {
      await openTool(page, 'with_default')
      await expect(verdict(page)).toContainText(expected(index, 'does not match the pattern'))
      await expectAnswers(page)
    })

    await test.step('typed, and pasted', async () => {
      await openTool(page, 'with_text')
      const field = formOf(page, 'with_text').getByLabel('s', { exact: true })
      await field.pressSequentially(text)
      await expect(verdict(page)).toContainText(expected(index, 'does not match the pattern'))
      await field.press('ControlOrMeta+a')
      await page.keyboard.insertText(text.repeat(3))
      await expect(field).toHaveValue(text.repeat(3))
      await expect(verdict(page)).toContainText(expected(index, 'does not match the pattern'))
    })

    await test.step('for the names of members', async () => {
      await openTool(page, 'with_names')
      await typeJson(page, JSON.stringify({ [text]: 1 }))
      await expect(verdict(page)).toContainText(expected(index, 'is not allowed as a key'))
      await openTool(page, 'with_members')
      await typeJson(page, JSON.stringify({ [text]: 1 }))
      await expect(verdict(page)).toContainText(expected(index, 'valid'))
    })

    await test.step('in the tabs that a reload brings back', async () => {
      await openTool(page, 'with_default')
      await page.reload()
      await expect(explorerOf(page, NAME)).toBeVisible()
      await expect(verdict(page)).toContainText(expected(index, 'does not match the pattern'))
      await send(page, 'Run')
      await expectAnswers(page)
    })
  })
}
