import { mkdir, mkdtemp, rm, writeFile as writeToDisk } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import {
  chooseNew,
  editorOf,
  entryRow,
  openInspector,
  openRegistry,
  selectEntry,
  textOf,
  tryIt,
  writeFile,
} from './registry-steps.ts'
import type { Look } from './screens.ts'

/** The page of the server that the app itself hosts. */
export async function walkRegistry(page: Page, look: Look): Promise<void> {
  await openRegistry(page)
  await expect(page.getByRole('treegrid', { name: 'Entries' })).toBeVisible()
  await look('the registry with nothing open')
  await chooseNew(page, 'New tool…')
  await look('a new tool before it has a name')
  await editorOf(page).getByLabel('name').fill('greet')
  await page.keyboard.press('Enter')
  await expect(entryRow(page, 'greet')).toBeVisible()
  await textOf(page, 'tools/greet.ts').click()
  await selectEntry(page, 'greet')
  await tryIt(page)
  await look('a tool and its trial')
  await page.getByRole('treegrid', { name: 'Entries' }).focus()
  await page.keyboard.press('F2')
  await expect(page.getByRole('form', { name: 'How clients see greet' })).toBeVisible()
  await look('an entry being renamed')
  await page.keyboard.press('Escape')
  await writeFile(page, 'tools/greet.ts', "import { tool } from 'patchbay'\n\nexport default tool({\n")
  await expect(editorOf(page)).toContainText('not loaded')
  await page.getByRole('tab', { name: /^Problems/ }).click()
  await look('a script that is broken')
  await editorOf(page)
    .getByRole('button', { name: /compare revisions$/ })
    .click()
  await page.getByRole('tab', { name: /^Reloads/ }).click()
  await expect(page.getByRole('group', { name: /^Revision/ })).toBeVisible()
  await look('two revisions of a script')
  await chooseNew(page, 'Import OpenAPI document…')
  await look('an OpenAPI document to import')
  await page.getByRole('tab', { name: 'Script log' }).click()
  await walkOtherFolder(page, look)
  await openInspector(page)
}

/** A folder that nobody trusted yet. */
async function walkOtherFolder(page: Page, look: Look): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-other-'))
  await mkdir(path.join(folder, 'tools'))
  await writeToDisk(path.join(folder, 'tools', 'hello.ts'), 'export default 1\n')
  const before = await openFolder(page, folder)
  await expect(page.getByRole('region', { name: /^Trust in/ })).toContainText('tools/hello.ts')
  await look('a folder that is not trusted')
  await openFolder(page, before)
  await rm(folder, { recursive: true })
}

/** Opens another folder by the menu of the workspace; returns the one that was open. */
async function openFolder(page: Page, folder: string): Promise<string> {
  const menu = page.getByRole('button', { name: /^Workspace/ })
  const before = (await menu.getAttribute('title')) ?? ''
  await menu.click()
  await page.getByRole('menuitem', { name: 'Open another workspace folder…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open a workspace folder' })
  await dialog.getByLabel('folder').fill(folder)
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(dialog).toBeHidden()
  return before
}
