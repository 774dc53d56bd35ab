import path from 'node:path'
import type { Page } from '@playwright/test'
import { typeJson } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { explorerOf, openEntry, serverRow, startServer } from './server-steps.ts'

const argumentServer = path.join(import.meta.dirname, 'servers/argument-server.ts')

/** Everything that a window stores for its next load, with what the notice calls it. */
const STORED = {
  'patchbay.window': 'Open tabs',
  'patchbay.composer': 'Messages in the composer',
  'patchbay.inbox': 'Answers in the inbox',
  'patchbay.paged-lists': 'The choice of lists that are read page by page',
  'patchbay.editor.open': 'Open files',
  'patchbay.opening-tab': 'The tab that was being opened',
}

/** Loads the page again, with this text in the place of what it stored. */
async function reloadWith(page: Page, stored: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate((texts) => {
    // After the page's own, which stores what is open.
    addEventListener('pagehide', () => {
      for (const [key, text] of Object.entries(texts)) sessionStorage.setItem(key, text)
    })
  }, stored)
  await page.reload()
}

async function openComposer(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('composer')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: /Composer/ })).toBeVisible()
}

const notice = (page: Page, name: string) => page.getByText(`Could not restore ${name}.`)

test('the window opens when what it stored is damaged', async ({ page }) => {
  await startServer(page, { name: 'arguments', command: process.execPath, args: [argumentServer] })
  for (const [how, text] of [
    ['cut off', '{"format":1,"tabs":[{"kind":"to'],
    ['empty', ''],
    ['null', 'null'],
    ['of another version', '{"format":0,"tabs":[]}'],
    ['of wrong types', '[["a",{"way":5,"mode":[],"text":{}}],7]'],
  ] as const) {
    await test.step(how, async () => {
      await serverRow(page, 'arguments').getByRole('button', { name: 'arguments', exact: true }).click()
      await openEntry(page, 'arguments', 'wire')
      await reloadWith(page, Object.fromEntries(Object.keys(STORED).map((key) => [key, text])))
      await expect(explorerOf(page, 'This app')).toBeVisible()
      for (const key of ['patchbay.window', 'patchbay.inbox', 'patchbay.paged-lists'] as const)
        await expect(notice(page, STORED[key])).toBeVisible()

      await page.getByRole('button', { name: 'Dismiss: Could not restore Open tabs.' }).click()
      await expect(notice(page, STORED['patchbay.window'])).toBeHidden()
      await openComposer(page)
      await expect(notice(page, STORED['patchbay.composer'])).toBeVisible()

      await page.reload()
      await expect(page.getByRole('tab', { name: /Composer/ })).toBeVisible()
      await expect(page.getByText('Could not restore')).toHaveCount(0)
    })
  }
})

test('a tab whose stored arguments do not fit its schema opens', async ({ page }) => {
  await startServer(page, { name: 'arguments', command: process.execPath, args: [argumentServer] })
  await openEntry(page, 'arguments', 'wire')
  await typeJson(page, '{ "count": 3, "tags": ["a"] }')
  await page.reload()
  await expect(explorerOf(page, 'arguments')).toBeVisible()
  const text = await page.evaluate(() => sessionStorage.getItem('patchbay.window') ?? '')
  const body = /"type":"object","members":.*?,"pairs":\[\]/
  for (const [part, other] of [
    [/"type":"number","text":"3"(,"kept":"3")?/, '"type":"boolean","value":true'],
    [/"type":"text","text":""/, '"type":"choices","chosen":[1000000000]'],
    [/"presence":"set","body":\{"type":"object"/, '"presence":"null","body":{"type":"object"'],
    [body, '"type":"text","text":"x"'],
    [body, '"type":"variant","chosen":7,"drafts":{"a map of Patchbay":[]}'],
  ] as const) {
    const damaged = text.replace(part, other)
    expect(damaged).not.toBe(text)
    await reloadWith(page, { 'patchbay.window': damaged })
    await expect(explorerOf(page, 'arguments')).toBeVisible()
    await expect(page.getByRole('tab', { name: 'wire' }).first()).toBeVisible()
    await expect(notice(page, STORED['patchbay.window'])).toHaveCount(0)
  }
})

test('a tab that stopped the page while it was opened is not opened by the next load', async ({ page }) => {
  await startServer(page, { name: 'arguments', command: process.execPath, args: [argumentServer] })
  await openEntry(page, 'arguments', 'tool_error')
  await openEntry(page, 'arguments', 'wire')
  const tabs = page.getByRole('tablist', { name: 'Open items' }).getByRole('tab')
  const count = await tabs.count()
  // The page stores its tabs when it is left.
  await page.reload()
  await expect(tabs).toHaveCount(count)
  const id = await page.evaluate(() => {
    const { activeId } = JSON.parse(sessionStorage.getItem('patchbay.window') ?? '{}') as {
      activeId?: string
    }
    return activeId ?? ''
  })
  await reloadWith(page, { 'patchbay.opening-tab': JSON.stringify(id) })
  await expect(page.getByText('The tab “wire” was not restored.')).toBeVisible()
  await expect(tabs).toHaveCount(count - 1)
  await page.getByRole('button', { name: 'Open it' }).click()
  await expect(tabs).toHaveCount(count)
  await expect(tabs.filter({ hasText: 'wire' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('was not restored')).toBeHidden()

  // Opened without trouble, it comes back.
  await page.reload()
  await expect(tabs.filter({ hasText: 'wire' })).toHaveAttribute('aria-selected', 'true')
})
