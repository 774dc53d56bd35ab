import type { WebSocketRoute } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { addUrl, approvalOf } from './server-steps.ts'

test('what was typed into a dialog stays when the host is lost and found again', async ({ page, app }) => {
  const sockets: WebSocketRoute[] = []
  const asked: string[] = []
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const host = socket.connectToServer()
    const place = sockets.push(socket)
    socket.onMessage((message) => {
      const [, procedure] = /"u":"([^"]*)"/.exec(String(message)) ?? []
      if (procedure !== undefined) asked.push(`${place} ${procedure}`)
      host.send(message)
    })
  })
  await page.goto('about:blank')
  await page.goto(await app.address())
  await addUrl(page, 'far', 'http://127.0.0.1:1/mcp')
  await approvalOf(page, 'far').getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit far' })
  const url = dialog.getByRole('textbox', { name: 'URL' })
  await url.fill('http://127.0.0.1:2/half-typed')
  const typedInto = await url.elementHandle()

  await sockets[0]?.close()
  // Everything is asked for anew, what the dialog began with among it.
  await expect.poll(() => asked).toContain('2 /servers/draft')
  expect(await typedInto?.evaluate((field) => field.isConnected)).toBe(true)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(approvalOf(page, 'far')).toContainText('http://127.0.0.1:2/half-typed')
})
