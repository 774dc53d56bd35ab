import { createRequire } from 'node:module'
import { expect, type Locator, type Page } from '@playwright/test'

/** An official server that nobody here wrote. */
export const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)

/** A server that is started by a command. */
export type CommandServer = {
  readonly name: string
  readonly command: string
  readonly args?: readonly string[]
}

/** The row of a server in the list of servers. */
export function serverRow(page: Page, name: string): Locator {
  return page.getByRole('list', { name: 'Servers' }).getByRole('listitem').filter({ hasText: name })
}

/** The page of the server that is open in the workbench. */
export function serverPage(page: Page): Locator {
  return page.getByRole('region', { name: 'Workbench' })
}

/** The page on which the user reads what would be run or sent. */
export function approvalOf(page: Page, name: string): Locator {
  return page.getByRole('region', { name: `Approval of ${name}` })
}

/** Opens the dialog that adds servers, with one of its ways in front. */
export async function openAddDialog(
  page: Page,
  way: 'Paste' | 'Command' | 'URL' | 'Other clients',
): Promise<Locator> {
  await page.getByRole('button', { name: 'Add server', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await dialog.getByRole('tab', { name: way }).click()
  return dialog
}

/** Adds a server by its command, one argument a line; it then waits for its approval. */
export async function addCommand(page: Page, { name, command, args = [] }: CommandServer): Promise<void> {
  const dialog = await openAddDialog(page, 'Command')
  await dialog.getByLabel('name', { exact: true }).fill(name)
  await dialog.getByLabel('command', { exact: true }).fill(command)
  await dialog.getByLabel('arguments', { exact: true }).fill(JSON.stringify(args))
  await dialog.getByRole('button', { name: 'Add server' }).click()
  await expect(approvalOf(page, name)).toBeVisible()
}

/** Adds a server by its address; it then waits for its approval. */
export async function addUrl(page: Page, name: string, url: string): Promise<void> {
  const dialog = await openAddDialog(page, 'URL')
  await dialog.getByLabel('name', { exact: true }).fill(name)
  await dialog.getByRole('textbox', { name: 'URL' }).fill(url)
  await dialog.getByRole('button', { name: 'Add server' }).click()
  await expect(approvalOf(page, name)).toBeVisible()
}

// What takes a while is waited for by `waitFor`: each look of `expect` that finds nothing yet describes the whole page,
// which takes as long as what the page itself has to do.

/** Approves what is shown. */
export async function approve(page: Page, name: string): Promise<void> {
  await approvalOf(page, name)
    .getByRole('button', { name: /^Approve and (start|connect)$/ })
    .click()
  await approvalOf(page, name).waitFor({ state: 'hidden' })
}

/** Adds a server by its command, approves it and waits until it is connected. */
export async function startServer(page: Page, server: CommandServer): Promise<void> {
  await addCommand(page, server)
  await approve(page, server.name)
  // One that does not answer its first question soon is started a second time.
  await expectState(page, server.name, 'connected', 30_000)
  await explorerOf(page, server.name).waitFor()
}

/** Waits until a server has a state, by its word in the list of servers; at most so many milliseconds. */
export async function expectState(page: Page, name: string, word: string, timeout = 20_000): Promise<void> {
  await serverRow(page, name).getByText(word, { exact: true }).waitFor({ state: 'attached', timeout })
}

/** Everything that a connected server offers. */
export function explorerOf(page: Page, name: string): Locator {
  return page.getByRole('tree', { name: `What ${name} offers` })
}

/** Opens a tool, a resource, a template or a prompt of the selected server. */
export async function openEntry(page: Page, server: string, entry: string): Promise<void> {
  await explorerOf(page, server).getByRole('treeitem', { name: entry }).first().click()
}
