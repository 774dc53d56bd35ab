import type { Page } from '@playwright/test'
import { descendantsOf } from '../process-tree.ts'
import { exchangeOf, formOf, frameOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import {
  addCommand,
  approvalOf,
  approve,
  everything,
  expectState,
  explorerOf,
  openAddDialog,
  openEntry,
  serverPage,
  serverRow,
  startServer,
} from './server-steps.ts'

const SERVER = { name: 'everything', command: 'node', args: [everything, 'stdio'] }

const filterOf = (page: Page) => page.getByRole('textbox', { name: 'Filter explorer' })

/** Calls `get-sum` by its form. */
async function addUp(page: Page, a: string, b: string): Promise<void> {
  await openEntry(page, SERVER.name, 'get-sum')
  const form = formOf(page, 'get-sum')
  await form.getByLabel('a', { exact: true }).fill(a)
  await form.getByLabel('b', { exact: true }).fill(b)
  await send(page, 'Run')
}

/** The process id that the window names for the selected server. */
async function shownPid(page: Page): Promise<number> {
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await expect(status).toContainText(/pid \d+/)
  return Number(/pid (\d+)/.exec(await status.innerText())?.[1])
}

test('This app is there: a note is made and listed, and every byte of it is on the timeline', async ({
  page,
}) => {
  await expectState(page, 'This app', 'connected')
  await openEntry(page, 'This app', 'create_note')
  await formOf(page, 'create_note').getByLabel('title', { exact: true }).fill('Milk and bread')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('Milk and bread')
  await expect(resultOf(page)).toContainText('matches outputSchema')

  await openEntry(page, 'This app', 'list_notes')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('Milk and bread')
  // The note is a resource of its own, and the explorer tells so without being asked.
  await expect(
    explorerOf(page, 'This app').getByRole('treeitem', { name: /Milk and bread|notes:\/\/(?!index|\{)/ }),
  ).toBeVisible()

  await exchangeOf(page, 'create_note').click()
  const frame = frameOf(page)
  await expect(frame).toContainText('response to tools/call')
  await expect(frame).toContainText('HTTP 200')
  await expect(frame).toContainText('content-type')
  await expect(frame.getByRole('region', { name: 'raw, as received' })).toContainText(
    /^\{.*"structuredContent":.*\}$/s,
  )
  await frame.getByRole('button', { name: 'Frame before' }).click()
  await expect(frame).toContainText('request tools/call')
  await expect(frame).toContainText(/POST http:\/\/127\.0\.0\.1:\d+\/mcp/)
  await expect(frame).toContainText('mcp-method')
  const sent = frame.getByRole('region', { name: 'raw, as sent' })
  await expect(sent).toContainText(/^\{"jsonrpc":"2\.0",.*"arguments":\{"title":"Milk and bread"\}.*\}$/s)
  await expect(frame.getByRole('tree', { name: 'parsed message' })).toContainText('"title": "Milk and bread"')
})

test('a server that nobody here wrote is added, read, approved and called', async ({ page }) => {
  await test.step('the whole command is shown before anything runs', async () => {
    await addCommand(page, SERVER)
    const approval = approvalOf(page, SERVER.name)
    await expect(approval).toContainText('This runs a program on your computer with your rights.')
    for (const part of ['node', ...SERVER.args])
      await expect(approval.getByText(part, { exact: true })).toBeVisible()
    await expectState(page, SERVER.name, 'needs approval')
  })

  await test.step('approved, it starts and lists what it offers', async () => {
    await approve(page, SERVER.name)
    await expectState(page, SERVER.name, 'connected')
    for (const entry of ['echo', 'get-sum', 'get-tiny-image', 'args-prompt']) {
      await filterOf(page).fill(entry)
      await expect(explorerOf(page, SERVER.name).getByRole('treeitem', { name: entry })).toBeVisible()
    }
    await filterOf(page).fill('')
  })

  await test.step('a click in the list of servers opens its page, whatever is open', async () => {
    await openEntry(page, SERVER.name, 'echo')
    await serverRow(page, SERVER.name).getByRole('button', { name: SERVER.name, exact: true }).click()
    await expect(serverPage(page).getByRole('heading', { name: SERVER.name, exact: true })).toBeVisible()
  })

  await test.step('40 and 2 are 42', async () => {
    await addUp(page, '40', '2')
    await expect(resultOf(page).getByRole('region', { name: 'Content 1: text' })).toContainText(
      'The sum of 40 and 2 is 42.',
    )
  })

  await test.step('every byte of it is on the timeline', async () => {
    await exchangeOf(page, 'get-sum').click()
    const frame = frameOf(page)
    await expect(frame.getByRole('region', { name: 'raw, as received' })).toContainText(
      /^\{"result":\{"content":\[\{"type":"text","text":"The sum of 40 and 2 is 42\."\}\]\},"jsonrpc":"2\.0","id":\d+\}\s*$/,
    )
    await frame.getByRole('button', { name: 'Frame before' }).click()
    await expect(frame.getByRole('region', { name: 'raw, as sent' })).toContainText(
      /^\{"jsonrpc":"2\.0","id":\d+,"method":"tools\/call","params":\{"name":"get-sum","arguments":\{"a":40,"b":2\}.*\}\}\s*$/,
    )
    await frame.getByRole('button', { name: 'Close frames' }).click()
  })

  await test.step('its image is an image', async () => {
    await openEntry(page, SERVER.name, 'get-tiny-image')
    await send(page, 'Run')
    const image = resultOf(page).getByRole('img', { name: /^Image from the server, image\/png/ })
    await expect(image).toBeVisible()
    // It has its place before it is read.
    await expect
      .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
      .toBeGreaterThan(0)
  })

  await test.step('a resource is read', async () => {
    await filterOf(page).fill('architecture')
    await openEntry(page, SERVER.name, 'architecture.md')
    await send(page, 'Read')
    await expect(resultOf(page)).toContainText('Everything Server – Architecture')
  })

  await test.step('a prompt is got', async () => {
    await filterOf(page).fill('args')
    await openEntry(page, SERVER.name, 'args-prompt')
    await formOf(page, 'args-prompt').getByLabel('city', { exact: true }).fill('Oslo')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(resultOf(page)).toContainText('user')
    await expect(resultOf(page)).toContainText("What's weather in Oslo?")
  })
})

test('a server that is killed says why, keeps its timeline, and is back with one click', async ({
  app,
  page,
}) => {
  await startServer(page, SERVER)
  await addUp(page, '40', '2')
  await expect(resultOf(page)).toContainText('42')
  const pid = await shownPid(page)
  expect(descendantsOf(app.pid)).toContain(pid)

  process.kill(pid, 'SIGKILL')
  await expectState(page, SERVER.name, 'failed')
  await expect(page.getByRole('status').filter({ hasText: 'everything is not connected' })).toContainText(
    'SIGKILL',
  )
  await expect(page.getByText('last known, not running')).toBeVisible()
  const lastKnown = page.getByRole('tree', { name: `What ${SERVER.name} offered last` })
  await lastKnown.getByRole('treeitem', { name: 'echo' }).click()
  await expect(page.getByRole('heading', { name: 'echo' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Run/ })).toBeDisabled()

  await serverRow(page, SERVER.name).getByRole('button', { name: SERVER.name, exact: true }).click()
  const alert = serverPage(page).getByRole('alert')
  await expect(alert).toContainText(`ended by SIGKILL`)
  await expect(alert).toContainText('Somebody killed it, or the system did because memory ran out.')
  await expect(serverPage(page).getByRole('region', { name: 'stderr' })).toContainText(
    'Starting default (STDIO) server...',
  )

  await exchangeOf(page, 'get-sum').click()
  await expect(frameOf(page).getByRole('region', { name: 'raw, as received' })).toContainText(
    'The sum of 40 and 2 is 42.',
  )

  await alert.getByRole('button', { name: 'Restart' }).click()
  await expectState(page, SERVER.name, 'connected')
  expect(await shownPid(page)).not.toBe(pid)
  await addUp(page, '30', '3')
  await expect(resultOf(page)).toContainText('The sum of 30 and 3 is 33.')
})

test('what is typed where there is no server yet is in the dialog as it was, and is added by keys', async ({
  page,
}) => {
  const field = page.getByRole('textbox', { name: 'Command, URL or JSON' })
  await field.fill('node server.mjs')
  await field.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  const pasted = dialog.getByLabel('Configuration')
  await expect(pasted).toHaveValue('node server.mjs')
  await expect(dialog.getByRole('button', { name: 'Add server' })).toBeEnabled()
  await pasted.press('ControlOrMeta+Enter')
  await expect(page.getByRole('region', { name: /^Approval of / })).toBeVisible()
})

test('a field for a secret says how secrets are stored', async ({ page }) => {
  const dialog = await openAddDialog(page, 'URL')
  await dialog.getByLabel('bearer token').fill('secret')
  await expect(dialog.getByLabel('bearer token')).toHaveAccessibleDescription(
    /Secrets are stored .*(It is not encrypted|encrypted with the key chain)/,
  )
})
