import path from 'node:path'
import type { Page } from '@playwright/test'
import { formOf, jsonOf, send, typeJson } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { explorerOf, openEntry, startServer } from './server-steps.ts'
import { PATTERNS } from './servers/pattern-server.ts'

/** Patterns that are tried one after another in one app, each by a server of its own. */
const GROUPS = [PATTERNS.slice(0, 5), PATTERNS.slice(5)]

const verdict = (page: Page) =>
  page.getByRole('region', { name: 'Arguments as JSON' }).getByRole('status').first()

/** Opens the tool with this exact name. */
async function openTool(page: Page, server: string, name: string): Promise<void> {
  await explorerOf(page, server).getByText(name, { exact: true }).click()
  await expect(jsonOf(page)).toBeVisible()
}

/** Patterns that only an engine that backtracks can test are given up, the others decided. */
function expected(pattern: string, decided: string): string {
  return /\(\?|\\1/.test(pattern) ? 'not checked: took too long' : decided
}

/** The page draws and checks something else. */
async function expectAnswers(page: Page, server: string): Promise<void> {
  await openEntry(page, server, 'plain')
  await typeJson(page, '{ "n": 0 }')
  await expect(verdict(page)).toContainText('0 is below the minimum 1')
  await typeJson(page, '{ "n": 1 }')
  await expect(verdict(page)).toHaveText('valid')
}

/** Has a pattern checked in each place of a schema and each way for a text to come there. */
async function tryPattern(page: Page, index: number): Promise<void> {
  const { pattern = '', text = '' } = PATTERNS[index] ?? {}
  const name = `patterns-${index}`
  const program = path.join(import.meta.dirname, 'servers/pattern-server.ts')
  await startServer(page, { name, command: process.execPath, args: [program, String(index)] })

  await test.step('in a default', async () => {
    await openTool(page, name, 'with_default')
    await expect(verdict(page)).toContainText(expected(pattern, 'does not match the pattern'))
    await expectAnswers(page, name)
  })

  await test.step('typed, and pasted', async () => {
    await openTool(page, name, 'with_text')
    const field = formOf(page, 'with_text').getByLabel('s', { exact: true })
    await field.pressSequentially(text)
    await expect(verdict(page)).toContainText(expected(pattern, 'does not match the pattern'))
    await field.press('ControlOrMeta+a')
    await page.keyboard.insertText(text.repeat(3))
    await expect(field).toHaveValue(text.repeat(3))
    await expect(verdict(page)).toContainText(expected(pattern, 'does not match the pattern'))
  })

  await test.step('for the names of members', async () => {
    await openTool(page, name, 'with_names')
    await typeJson(page, JSON.stringify({ [text]: 1 }))
    await expect(verdict(page)).toContainText(expected(pattern, 'is not allowed as a key'))
    await openTool(page, name, 'with_members')
    await typeJson(page, JSON.stringify({ [text]: 1 }))
    await expect(verdict(page)).toContainText(expected(pattern, 'valid'))
  })

  await test.step('in the tabs that a reload brings back', async () => {
    await openTool(page, name, 'with_default')
    await page.reload()
    await expect(explorerOf(page, name)).toBeVisible()
    await expect(verdict(page)).toContainText(expected(pattern, 'does not match the pattern'))
    await send(page, 'Run')
    await expectAnswers(page, name)
  })
}

for (const group of GROUPS) {
  const patterns = group.map(({ pattern }) => pattern)
  test(`patterns that backtrack do not stop the page: ${patterns.join(' ')}`, async ({ page }) => {
    test.setTimeout(300_000)
    for (const each of group) {
      await test.step(each.pattern, () => tryPattern(page, PATTERNS.indexOf(each)))
    }
  })
}
