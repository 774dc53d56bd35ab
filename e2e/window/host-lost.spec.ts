import { expect, test } from './fixtures.ts'
import { PausableHost } from './pausable-host.ts'
import { addUrl, approvalOf } from './server-steps.ts'

test('what was typed into a dialog stays when the host is lost and found again', async ({
  blankPage: page,
  app,
}) => {
  const host = await PausableHost.between(page, await app.address())
  await addUrl(page, 'far', 'http://127.0.0.1:1/mcp')
  await approvalOf(page, 'far').getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit far' })
  const url = dialog.getByRole('textbox', { name: 'URL' })
  await url.fill('http://127.0.0.1:2/half-typed')
  const typedInto = await url.elementHandle()

  await host.lose()
  // Everything is asked for again, what the dialog began with among it.
  await expect.poll(() => host.asked).toContain('2 /servers/draft')
  expect(await typedInto.evaluate((field) => field.isConnected)).toBe(true)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(approvalOf(page, 'far')).toContainText('http://127.0.0.1:2/half-typed')
})
