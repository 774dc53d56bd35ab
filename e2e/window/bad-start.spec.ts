import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, test as base } from './fixtures.ts'
import { expectState, explorerOf, serverPage } from './server-steps.ts'

const ADDRESS = /http:\/\/127\.0\.0\.1:(\d+)\/mcp/
const BROKEN = '{"version":1,"theme":"da'

base.describe('a settings file that cannot be read', () => {
  const test = base.extend({
    profile: async ({ profile }, use) => {
      await writeFile(path.join(profile, 'settings.json'), BROKEN)
      await use(profile)
    },
  })

  test('is set aside and named, and the app starts', async ({ page, profile }) => {
    await expectState(page, 'This app', 'connected')
    const notice = page.getByText('settings.json could not be used and was set aside')
    await expect(notice).toBeVisible()
    const files = await readdir(profile)
    const kept = files.filter((file) => file.startsWith('settings.json.') && !file.endsWith('.lock'))
    expect(kept).toHaveLength(1)
    expect(await readFile(path.join(profile, kept[0] ?? ''), 'utf8')).toBe(BROKEN)
    await expect(page.getByText(kept[0] ?? 'no file was kept')).toBeVisible()
    await page.getByRole('button', { name: /^Dismiss: settings\.json/ }).click()
    await expect(notice).toBeHidden()
  })
})

base.describe('a port of the embedded server that is taken', () => {
  const test = base.extend({
    startFlags: async ({ startFlags }, use) => {
      const holder = createServer()
      await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
      const address = holder.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      await use([...startFlags, '--mcp-port', String(port)])
      holder.close()
    },
  })

  test('is named, another is offered, and moving there works', async ({ page, startFlags }) => {
    const alert = serverPage(page).getByRole('alert').filter({ hasText: 'is used by' })
    await expect(alert).toContainText(`Port ${startFlags.at(-1) ?? ''} is used by`)
    await expectState(page, 'This app', 'not connected')
    const offer = alert.getByRole('button', { name: /^Use port \d+$/ })
    const shown = serverPage(page).getByRole('region', { name: 'Address of This app' })
    const offers: string[] = []
    // What was free when it was offered may be taken by now: then another is offered.
    await expect(async () => {
      if (await offer.isVisible()) {
        offers.push(await offer.innerText({ timeout: 1_000 }))
        await offer.click({ timeout: 1_000 })
      }
      await expect(shown).toContainText(ADDRESS, { timeout: 2_000 })
    }).toPass()
    const [address = '', port = ''] = ADDRESS.exec(await shown.innerText()) ?? []
    expect(offers).toContain(`Use port ${port}`)
    await expectState(page, 'This app', 'connected')
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    // It is our server that listens there, and it wants its token.
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    await answer.body?.cancel()
  })

  test('keeps the error of a failed connection in the list of messages, and no longer shows it once connected', async ({
    page,
  }) => {
    const failure = page.getByText('Could not connect This app')
    await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
    await expect(failure).toBeVisible()
    const offer = serverPage(page).getByRole('button', { name: /^Use port \d+$/ })
    await expect(async () => {
      if (await offer.isVisible()) await offer.click({ timeout: 1_000 })
      await expectState(page, 'This app', 'connected', 2_000)
    }).toPass()
    await expect(failure).toBeHidden()
    await page.getByRole('button', { name: '1 error message' }).click()
    const list = page.getByRole('region', { name: 'Error messages' })
    await expect(list.getByRole('listitem')).toContainText('Could not connect This app')
    await list.getByRole('button', { name: 'Clear' }).click()
    await expect(list).toBeHidden()
    await expect(page.getByRole('button', { name: /error message/ })).toBeHidden()
  })
})

base.describe('a workspace that nobody trusted yet', () => {
  const test = base.extend({
    startFlags: async ({ startFlags }, use) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-untrusted-'))
      await mkdir(path.join(folder, 'tools'))
      const script =
        "import { tool } from 'patchbay'\nexport default tool({ name: 'hello', run: () => 'hello' })\n"
      await writeFile(path.join(folder, 'tools', 'hello.ts'), script)
      await use([...startFlags, '--workspace', folder])
      await rm(folder, { recursive: true })
    },
  })

  test('says why nothing is listed, and leads to where it is trusted', async ({ page }) => {
    const told = page.getByText('The workspace is not served until you trust its folder.')
    await expect(told).toBeVisible()
    await page.getByRole('button', { name: 'Review folder…' }).click()
    const trust = page.getByRole('region', { name: /^Trust in/ })
    await expect(trust).toContainText('tools/hello.ts')
    await trust.getByRole('button', { name: 'Trust and run' }).click()
    await trust.waitFor({ state: 'hidden' })
    await page.goBack()
    await explorerOf(page, 'This app').getByRole('treeitem', { name: 'hello' }).waitFor()
    await expect(told).toBeHidden()
  })
})
