import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'

const SERVER = path.resolve(
  import.meta.dirname,
  '../../server-core/host/conformance/faulty-server.test-support.ts',
)

/** A server that answers unknown methods with a wrong code until it is repaired. */
export type FaultyServer = {
  readonly args: readonly string[]
  readonly repair: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Prepares the files of a server with a planted fault. */
export async function plantFault(): Promise<FaultyServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-faulty-'))
  const [calls, fault] = [path.join(folder, 'calls.txt'), path.join(folder, 'fault.txt')]
  await writeFile(calls, '')
  await writeFile(fault, '')
  return {
    args: [SERVER, calls, fault],
    repair: () => rm(fault),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Shows the page of checks. */
export async function openConformance(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Conformance' }).click()
  await expect(page.getByRole('main', { name: 'Conformance' })).toBeVisible()
}

/** The dialog that asks what may be called and what is run. */
export function optionsOf(page: Page, server: string): Locator {
  return page.getByRole('dialog', { name: `Checks of ${server}` })
}

/** The table of the checks of one cell. */
export function checksTable(page: Page): Locator {
  return page.getByRole('grid', { name: 'Checks', exact: true })
}

/** The opened check. */
export function checkDetail(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Check', exact: true })
}

/** Chooses what takes little time: some checks in one revision; the dialog is open. */
export async function chooseFew(page: Page, server: string, filter: string): Promise<void> {
  const dialog = optionsOf(page, server)
  await dialog.getByLabel('filter').fill(filter)
  await dialog.getByRole('combobox', { name: 'revision' }).click()
  await page.getByRole('option', { name: '2025-11-25' }).click()
}

/** Runs checks by the dialog that is open, and waits until the run of that number has ended. */
export async function runAndWait(page: Page, server: string, number: number): Promise<void> {
  await optionsOf(page, server).getByRole('button', { name: 'Run', exact: true }).click()
  await waitForRun(page, number)
}

/** Waits until a run has ended and is stored. */
export async function waitForRun(page: Page, number: number): Promise<void> {
  await page
    .getByRole('combobox', { name: 'run', exact: true })
    .filter({ hasText: `Run ${number},` })
    .waitFor({ timeout: 120_000 })
}
