import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { exchangeOf, formOf, frameOf, resultOf, send, typeJson } from './call-steps.ts'
import {
  addCommand,
  addUrl,
  approvalOf,
  approve,
  everything,
  expectState,
  explorerOf,
  openAddDialog,
  openEntry,
  serverPage,
  startServer,
} from './server-steps.ts'
import { startGuardedServer } from './servers/guarded-server.ts'

/** Looks at the window as it is now; the words say what is to be seen. */
export type Look = (screen: string) => Promise<void>

const askingServer = path.join(import.meta.dirname, 'servers/asking-server.ts')
const argumentServer = path.join(import.meta.dirname, 'servers/argument-server.ts')

/** Writes an invalid message, and nothing else. */
const WELCOME = 'console.log("Welcome!"); setInterval(() => {}, 1000)'

/** Servers from their adding to their failing, and calls of what they offer. */
export async function walkServersAndCalls(page: Page, look: Look): Promise<void> {
  await walkServers(page, look)
  await walkCalls(page, look)
}

/** What servers ask, the timeline, and the other pages of servers. */
export async function walkQuestionsAndPages(page: Page, look: Look): Promise<void> {
  await walkQuestions(page, look)
  await walkTimeline(page, look)
  await walkPages(page, look)
  await walkEmpty(page, look)
}

async function walkServers(page: Page, look: Look): Promise<void> {
  await expect(explorerOf(page, 'This app')).toBeVisible()
  await look('the page of This app')
  for (const way of ['Paste', 'Command', 'URL'] as const) {
    const dialog = await openAddDialog(page, way)
    if (way === 'Paste') {
      await dialog
        .getByLabel('Configuration')
        .fill('{"mcpServers":{"a":{"command":"npx","args":["x"]},"b":{"bad":1}}}')
      await expect(dialog.getByRole('group', { name: 'Servers found' })).toContainText('npx')
    } else {
      if (way === 'Command') await dialog.getByRole('button', { name: 'Add variable' }).click()
      await dialog.getByRole('button', { name: 'Add server' }).click()
    }
    await look(`adding a server: ${way}`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  // A variable that is warned of, and that does nothing to Node.
  const broken = {
    command: 'node',
    args: ['-e', 'console.error("Error: no key"); process.exit(3)'],
    env: { PAGER: 'less' },
  }
  const dialog = await openAddDialog(page, 'Paste')
  await dialog.getByLabel('Configuration').fill(JSON.stringify({ mcpServers: { broken } }))
  await dialog.getByRole('button', { name: 'Add server' }).click()
  await expect(approvalOf(page, 'broken')).toContainText('PAGER decides')
  await look('the question before a program is started')
  await serverPage(page).getByRole('button', { name: 'Edit…' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit broken' })).toBeVisible()
  await look('a server being edited')
  await page.keyboard.press('Escape')
  await approve(page, 'broken')
  await expectState(page, 'broken', 'failed')
  await look('a server that failed')
  await addCommand(page, { name: 'silent', command: process.execPath, args: ['-e', WELCOME] })
  await approve(page, 'silent')
  await expect(serverPage(page).getByRole('status', { name: 'Waiting for a response' })).toBeVisible()
  await look('a server that does not answer yet')
  await serverPage(page).getByRole('button', { name: 'Disconnect' }).click()
  await addUrl(page, 'away', 'http://127.0.0.1:1/mcp')
  await expect(approvalOf(page, 'away')).toBeVisible()
  await look('the question before an address is contacted')
}

async function walkCalls(page: Page, look: Look): Promise<void> {
  await startServer(page, { name: 'arguments', command: process.execPath, args: [argumentServer] })
  await look('the page of a connected server')
  await openEntry(page, 'arguments', 'wire')
  await look('a tool before its first call')
  await typeJson(page, '{ "count": "many", ')
  await look('arguments that are not JSON')
  await typeJson(page, '{ "count": "many" }')
  await expect(formOf(page, 'wire').getByLabel('count', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await look('arguments that break the schema')
  for (const tool of ['tool_error', 'rpc_error']) {
    await openEntry(page, 'arguments', tool)
    await send(page, 'Run')
    await look(`the result of ${tool}`)
  }
  await startServer(page, { name: 'everything', command: 'node', args: [everything, 'stdio'] })
  for (const [tool, seen] of [
    ['get-tiny-image', 'image'],
    ['get-resource-links', 'resource_link'],
  ] as const) {
    await openEntry(page, 'everything', tool)
    await send(page, 'Run')
    await expect(resultOf(page)).toContainText(seen)
    await look(`the result of ${tool}`)
  }
  await openEntry(page, 'everything', 'get-structured-content')
  await look('a form with a choice')
  await formOf(page, 'get-structured-content').getByText('Chicago').click()
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('matches outputSchema')
  await look('a structured result')
  await page.getByRole('tab', { name: 'Definition' }).click()
  await look('the definition of a tool')
  await openEntry(page, 'everything', 'get-tiny-image')
  await page.getByRole('tab', { name: 'History' }).click()
  await look('the history of a tool')
  await openEntry(page, 'everything', 'architecture.md')
  await send(page, 'Read')
  await look('a resource')
  const filter = page.getByRole('textbox', { name: 'Filter explorer' })
  await filter.fill('dynamic')
  await openEntry(page, 'everything', '/text/{resourceId}')
  await look('a resource template')
  await filter.fill('prompt')
  await openEntry(page, 'everything', 'args-prompt')
  await filter.fill('')
  await formOf(page, 'args-prompt').getByLabel('city', { exact: true }).fill('Oslo')
  await send(page, 'Get')
  await look('a prompt')
}

async function walkQuestions(page: Page, look: Look): Promise<void> {
  await startServer(page, { name: 'asking', command: process.execPath, args: [askingServer] })
  await page.getByRole('button', { name: /^Client capabilities/ }).click()
  await expect(page.getByRole('dialog', { name: 'Declared to asking' })).toBeVisible()
  await look('what is declared to a server')
  await page.keyboard.press('Escape')
  for (const tool of ['book_desk', 'sign_in', 'name_birds', 'change_mind']) {
    await openEntry(page, 'asking', tool)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
  }
  await expect(page).toHaveTitle('(4) Patchbay')
  await page.keyboard.press('Alt+5')
  const inbox = page.getByRole('region', { name: 'Inbox', exact: true })
  await expect(inbox.getByRole('form', { name: 'Answer of asking' })).toBeVisible()
  await look('a form that a server asks for')
  await inbox.getByRole('button', { name: /^Elicitation asking · book_desk/ }).click()
  await inbox.getByRole('button', { name: /^Elicitation \(URL\)/ }).click()
  await inbox.getByRole('button', { name: /^Sampling/ }).click()
  await expect(inbox.getByRole('img')).toBeVisible()
  await look('an address and a sampling that a server asks for')
  await inbox.getByRole('button', { name: 'More' }).last().click()
  await page.getByRole('menuitem', { name: 'Answer with raw JSON' }).click()
  await openEntry(page, 'asking', 'take_back')
  await send(page, 'Run')
  await expect(inbox).toContainText('cancelled by the server')
  await look('an answer as raw JSON, and a question that is over')
  await inbox.getByRole('button', { name: 'Rules' }).click()
  const rules = page.getByRole('dialog', { name: 'Responders' })
  for (const [kind, rule] of [
    ['Sampling', 'Model'],
    ['Elicitation', 'Wait, then…'],
    ['Roots', 'Template'],
  ] as const) {
    await rules.getByRole('combobox', { name: `Responder to ${kind}`, exact: true }).click()
    await page.getByRole('option', { name: rule, exact: true }).click()
  }
  await rules.getByRole('button', { name: 'Add endpoint' }).click()
  await rules.getByRole('button', { name: 'Save', exact: true }).click()
  await look('the rules that answer questions')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Alt+4')
  await page.keyboard.press('ControlOrMeta+i')
}

async function walkTimeline(page: Page, look: Look): Promise<void> {
  // Only rows in sight are in the page.
  const filter = page.getByRole('searchbox', { name: 'Filter timeline' })
  await filter.fill('take_back')
  await exchangeOf(page, 'take_back').click()
  await expect(frameOf(page)).toBeVisible()
  await look('the frames of an exchange over stdio')
  await openEntryOfThisApp(page)
  await filter.fill('list_notes')
  await exchangeOf(page, 'list_notes').click()
  await expect(frameOf(page)).toContainText('HTTP 200')
  await look('the frames of an exchange over HTTP')
  await filter.fill('')
  await page.getByRole('button', { name: 'Timeline menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await look('an open menu')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
  await look('the palette')
  await page.getByRole('combobox').fill('no such thing anywhere')
  await look('the palette without a match')
  await page.keyboard.press('Escape')
}

/** The pages of servers, and what is set up on them. */
async function walkPages(page: Page, look: Look): Promise<void> {
  const app = page
    .getByRole('list', { name: 'Servers' })
    .getByRole('button', { name: 'This app', exact: true })
  await page.getByRole('button', { name: /^Log level of This app/ }).click()
  await expect(page.getByRole('menuitemradio', { name: 'warning' })).toBeVisible()
  await look('log levels to choose from')
  await page.keyboard.press('Escape')
  await openPage(page, 'Composer')
  await look('the composer before anything was sent')
  await page.getByRole('button', { name: 'Template' }).click()
  await page.getByRole('menuitem', { name: 'tools/list', exact: true }).click()
  await page.getByRole('button', { name: 'Break it' }).click()
  await page.getByRole('menuitem', { name: 'Leave out jsonrpc' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const cameBack = page.getByRole('region', { name: 'Received', exact: true })
  await expect(cameBack.getByRole('option').nth(1)).toBeVisible()
  await cameBack.getByRole('option').first().click()
  await expect(cameBack.getByRole('list', { name: 'Findings' })).toBeVisible()
  await look('a broken message, and what came back')
  await openPage(page, 'Subscriptions')
  await look('no subscription')
  const form = page.getByRole('form', { name: 'Subscribe to a resource' })
  await form.getByRole('textbox').fill('notes://index')
  await form.getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByRole('button', { name: 'Unsubscribe from notes://index' })).toBeVisible()
  await look('a subscription')
  await openPage(page, 'Tasks')
  await look('no task')
  await startServer(page, { name: 'everything', command: 'node', args: [everything, 'stdio'] })
  const filter = page.getByRole('textbox', { name: 'Filter explorer' })
  await filter.fill('completable')
  await openEntry(page, 'everything', 'completable-prompt')
  await formOf(page, 'completable-prompt').getByRole('combobox', { name: 'department' }).press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Engineering' })).toBeVisible()
  await look('values of an argument')
  await page.keyboard.press('Escape')
  await filter.fill('simulate')
  await openEntry(page, 'everything', 'simulate-research-query')
  await filter.fill('')
  await formOf(page, 'simulate-research-query').getByLabel('topic', { exact: true }).fill('tides')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  // Its stages take seconds by themselves.
  await expect(page.getByRole('group', { name: 'Task', exact: true })).toContainText('completed', {
    timeout: 30_000,
  })
  await openPage(page, 'Tasks')
  await expect(page.getByRole('region', { name: 'Task result' })).toContainText('tides')
  await look('a task that is over')
  await addUrl(page, 'away', 'http://127.0.0.1:1/mcp')
  await openPage(page, 'Authorization')
  await look('an authorization before its first step')
  await page.getByRole('button', { name: 'Settings…' }).click()
  await expect(page.getByRole('dialog', { name: 'Authorization settings' })).toBeVisible()
  await look('the settings of an authorization')
  await page.keyboard.press('Escape')
  await walkAuthorization(page, look)
  await app.click()
}

/** An authorization that is held before its requests, and on to where it waits for the browser. */
async function walkAuthorization(page: Page, look: Look): Promise<void> {
  const server = await startGuardedServer()
  await addUrl(page, 'guarded', server.url)
  await approve(page, 'guarded')
  await serverPage(page).getByRole('button', { name: 'Authorize…' }).click()
  const authorization = page.getByRole('region', { name: 'Authorization', exact: true })
  const hold = authorization.getByRole('switch', { name: 'Pause before each request' })
  await hold.click()
  await authorization.getByRole('button', { name: 'Authorize', exact: true }).click()
  const held = page.getByRole('form', { name: 'Paused request' })
  await expect(held).toBeVisible()
  await look('a request of an authorization that is held')
  const browser = page.getByRole('form', { name: 'Sign-in' })
  await expect(async () => {
    if (await held.isVisible()) await held.getByRole('button', { name: 'Continue' }).click({ timeout: 1_000 })
    await expect(browser).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 60_000 })
  await look('an authorization that waits for the browser')
  await page
    .getByRole('listbox', { name: 'Steps' })
    .getByRole('option', { name: /Resource metadata/ })
    .last()
    .click()
  await expect(page.getByRole('region', { name: 'Step', exact: true })).toBeVisible()
  await look('a step of an authorization')
  await server.close()
}

async function openPage(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Server menu' }).click()
  await page.getByRole('menuitem', { name: title }).click()
  await expect(page.getByRole('region', { name: title, exact: true })).toBeVisible()
}

async function openEntryOfThisApp(page: Page): Promise<void> {
  await page
    .getByRole('list', { name: 'Servers' })
    .getByRole('button', { name: 'This app', exact: true })
    .click()
  await openEntry(page, 'This app', 'list_notes')
  await send(page, 'Run')
}

async function walkEmpty(page: Page, look: Look): Promise<void> {
  await page.getByRole('searchbox', { name: 'Filter timeline' }).fill('method:nothing/here')
  await page.getByRole('textbox', { name: 'Filter explorer' }).fill('nothing is called that')
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await look('filters that leave nothing')
  await page.getByRole('textbox', { name: 'Filter explorer' }).fill('')
  const tabs = page.getByRole('tablist', { name: 'Open items' }).getByRole('tab')
  for (let left = await tabs.count(); left > 0; left--) {
    await page.keyboard.press('Alt+w')
    await expect(tabs).toHaveCount(left - 1)
  }
  await look('no open tab')
  await page.getByRole('button', { name: 'Server menu' }).click()
  await page.getByRole('menuitem', { name: 'Disconnect' }).click()
  await expectState(page, 'This app', 'not connected')
  await look('a server that is not connected')
}
