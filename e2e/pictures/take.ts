/** `npm run pictures`: takes the pictures of the README and of the manual from the real window. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { provideBrowser } from '../browser.ts'
import { formOf, resultOf, send } from '../window/call-steps.ts'
import { openInbox } from '../window/inbox-steps.ts'
import { entryRow, openRegistry, selectEntry, textOf } from '../window/registry-steps.ts'
import { everything, explorerOf, openEntry } from '../window/server-steps.ts'
import { repository, StartedApp } from '../window/start-app.ts'

const images = path.join(repository, 'docs', 'images')
const COMMAND = [process.execPath, path.join(repository, 'server-core/launcher/patchbay.ts')]

const profile = await mkdtemp(path.join(os.tmpdir(), 'patchbay-pictures-'))
const words = ['--profile', profile, '--mcp-port', '0', '--headless', '--name', 'everything']
const app = new StartedApp([...words, process.execPath, everything, 'stdio'], {}, COMMAND)
const browser = await chromium.launch({ executablePath: await provideBrowser((line) => console.error(line)) })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
  await page.goto(await app.address())
  await explorerOf(page, 'everything').waitFor()
  await openEntry(page, 'everything', 'get-sum')
  const form = formOf(page, 'get-sum')
  await form.getByRole('textbox', { name: /^a\b/ }).fill('40')
  await form.getByRole('textbox', { name: /^b\b/ }).fill('2')
  await send(page, 'Run')
  await resultOf(page).waitFor()
  await page.screenshot({ path: path.join(images, 'readme-inspector.png') })
  await openEntry(page, 'everything', 'get-structured-content')
  await formOf(page, 'get-structured-content').getByRole('radio', { name: 'Chicago' }).click()
  await send(page, 'Run')
  await resultOf(page).getByText('matches outputSchema').waitFor()
  await page.screenshot({ path: path.join(images, 'inspector.png') })
  await openEntry(page, 'everything', 'trigger-elicitation-request')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const inbox = await openInbox(page)
  await inbox.getByRole('button', { name: 'Accept' }).waitFor()
  await page.screenshot({ path: path.join(images, 'inbox.png') })
  await inbox.getByRole('button', { name: 'Decline' }).click()
  await inbox.getByRole('button', { name: 'Close inbox' }).click()
  await openRegistry(page)
  await entryRow(page, 'search_notes').waitFor()
  await selectEntry(page, 'search_notes')
  await textOf(page, 'tools/notes.ts').getByText('search_notes').first().waitFor()
  await page.screenshot({ path: path.join(images, 'readme-registry.png') })
} finally {
  await browser.close()
  await app.end()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}
