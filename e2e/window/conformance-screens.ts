import { expect, type Page } from '@playwright/test'
import {
  checkDetail,
  checksTable,
  chooseFew,
  openConformance,
  optionsOf,
  plantFault,
  runAndWait,
} from './conformance-steps.ts'
import type { Look } from './screens.ts'
import { startServer } from './server-steps.ts'

/** The page of checks, from an empty one to an opened check, and the exam of a client. */
export async function walkConformance(page: Page, look: Look): Promise<void> {
  const faulty = await plantFault()
  await startServer(page, { name: 'faulty', command: process.execPath, args: faulty.args })
  await openConformance(page)
  await expect(page.getByRole('heading', { name: 'No checks run yet' })).toBeVisible()
  await look('no checks run yet')
  await page.getByRole('button', { name: 'Run checks…' }).click()
  const dialog = optionsOf(page, 'faulty')
  await dialog.getByText('Chosen tools').click()
  await expect(dialog.getByRole('checkbox').first()).toBeVisible()
  await look('the tools that may be called')
  await dialog.getByText('None', { exact: true }).click()
  await chooseFew(page, 'faulty', 'jsonrpc.')
  await runAndWait(page, 'faulty', 1)
  await look('a run that ended')
  await checksTable(page)
    .getByRole('row', { name: /^failed Unknown methods/ })
    .click()
  await expect(checkDetail(page)).toContainText('-32000')
  await look('a failed check')
  await page.getByRole('textbox', { name: 'Filter checks' }).fill('no such check')
  await expect(page.getByText('No check matches')).toBeVisible()
  await look('a filter that no check matches')
  await page.getByRole('radio', { name: 'Client' }).click()
  await look('no exam')
  await page.getByRole('button', { name: 'Start exam server' }).click()
  await expect(page.getByRole('region', { name: 'Checks', exact: true })).toContainText(
    'Waiting for a client',
  )
  await look('an exam that waits for its client')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await faulty.remove()
}
