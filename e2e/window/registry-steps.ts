import { expect, type Locator, type Page } from '@playwright/test'

/** Shows the page of the server that the app itself hosts. */
export async function openRegistry(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Registry' }).click()
  await expect(page.getByRole('main', { name: 'Registry' })).toBeVisible()
}

/** Shows the page of the client. */
export async function openInspector(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Inspector' }).click()
  await expect(page.getByRole('main', { name: 'Inspector' })).toBeVisible()
}

/** The row of an entry in the table. */
export function entryRow(page: Page, name: string): Locator {
  return page
    .getByRole('treegrid', { name: 'Entries' })
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell', { name, exact: true }) })
}

/** Selects an entry by its row, which shows where it is made. */
export async function selectEntry(page: Page, name: string): Promise<void> {
  await entryRow(page, name).getByRole('gridcell', { name, exact: true }).click()
}

/** Adds something by the menu of the table. */
export async function chooseNew(page: Page, what: string): Promise<void> {
  await page.getByRole('region', { name: 'Entries' }).getByRole('button', { name: 'New entry' }).click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
}

/** The column in the middle: the files that are open, and what else has a tab. */
export function editorOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Editor', exact: true })
}

/** The text of the file in front. */
export function textOf(page: Page, file: string): Locator {
  return editorOf(page).getByRole('textbox', { name: file })
}

/** Types a whole file over the one in front, and saves it. */
export async function writeFile(page: Page, file: string, text: string): Promise<void> {
  await editorOf(page).getByRole('tab', { name: file }).click()
  await textOf(page, file).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
  await page.keyboard.press('ControlOrMeta+s')
}

/** Lets clients in that cannot send a token, from the page of This app, which a start shows. */
export async function switchTokenOff(page: Page): Promise<void> {
  const token = page.getByRole('switch', { name: 'Require a token' })
  await expect(token).toBeChecked()
  await token.click()
  // It goes once the host says so.
  await expect(page.getByRole('button', { name: 'Copy token' })).toBeHidden()
}

/** Where other clients reach the server, by the status bar: `127.0.0.1:4040`. */
export async function hostOfThisApp(page: Page): Promise<string> {
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await expect(status).toContainText(/on 127\.0\.0\.1:\d+/)
  return /on (127\.0\.0\.1:\d+)/.exec(await status.innerText())?.[1] ?? ''
}

/** The result of the selected entry, tried in place. */
export function trialOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Result of the call' })
}

/** Runs the selected entry in place. */
export async function tryIt(page: Page): Promise<void> {
  // In a narrow window it is a tab.
  const tab = page.getByRole('tab', { name: 'Try and connected' })
  if (await tab.isVisible()) await tab.click()
  await page
    .getByRole('complementary', { name: 'Try, connected, faults' })
    .getByRole('button', { name: /^(Run|Read|Get)/ })
    .click()
  await expect(trialOf(page)).toBeVisible({ timeout: 30_000 })
}
