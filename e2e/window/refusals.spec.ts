import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { resultOf, send } from './call-steps.ts'
import { expect, test as base } from './fixtures.ts'
import { switchTokenOff } from './registry-steps.ts'
import { explorerOf, openEntry, serverPage } from './server-steps.ts'

/** A call of a tool in the modern era, which needs no session: whoever reaches the server can make it. */
function callOf(title: string): { headers: Record<string, string>; body: string } {
  const revision = '2026-07-28'
  const key = (name: string): string => `io.modelcontextprotocol/${name}`
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'create_note',
      arguments: { title },
      _meta: {
        [key('protocolVersion')]: revision,
        [key('clientInfo')]: { name: 'foreign', version: '1' },
        [key('clientCapabilities')]: {},
      },
    },
  }
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': 'create_note',
    },
    body: JSON.stringify(body),
  }
}

const test = base.extend<{ foreign: Page; mcp: string }>({
  /** A page of another origin in the same browser. */
  foreign: async ({ context }, use) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>foreign</title>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const foreign = await context.newPage()
    await foreign.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await use(foreign)
    await foreign.close()
    server.close()
    server.closeAllConnections()
  },
  /** The address of the embedded server, as the window shows it; by then it has what would be called. */
  mcp: async ({ page }, use) => {
    await explorerOf(page, 'This app').getByRole('treeitem', { name: 'create_note' }).waitFor()
    // What is refused is then refused by its origin alone.
    await switchTokenOff(page)
    const shown = serverPage(page)
      .getByText(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
      .first()
    await use(await shown.innerText())
  },
})

/** The notes that there are, by the window's own eyes. */
async function expectNotes(page: Page, ...titles: string[]): Promise<void> {
  await openEntry(page, 'This app', 'list_notes')
  await send(page, 'Run')
  await page.getByRole('tab', { name: 'Message' }).click()
  await expect(resultOf(page)).toContainText('structuredContent')
  for (const title of titles) await expect(resultOf(page)).toContainText(title)
  await expect(resultOf(page)).not.toContainText('foreign-')
}

test('a page of another origin reaches nothing of the embedded server', async ({ page, foreign, mcp }) => {
  const outcomes = await foreign.evaluate(
    async ({ mcp, fetched, plain, beaconed }) => {
      const tell = (promise: Promise<unknown>): Promise<string> =>
        promise.then(
          () => 'answered',
          () => 'refused',
        )
      return {
        fetch: await tell(fetch(mcp, { method: 'POST', ...fetched })),
        read: await tell(fetch(mcp)),
        // The browser lets these out without asking, and tells nobody what came back.
        opaque: await tell(fetch(mcp, { method: 'POST', mode: 'no-cors', body: plain })),
        beacon: navigator.sendBeacon(mcp, beaconed),
        events: await new Promise<string>((resolve) => {
          const source = new EventSource(mcp)
          source.onopen = () => resolve('answered')
          source.onerror = () => resolve('refused')
        }),
      }
    },
    {
      mcp,
      fetched: callOf('foreign-fetch'),
      plain: callOf('foreign-plain').body,
      beaconed: callOf('foreign-beacon').body,
    },
  )
  expect(outcomes).toEqual({
    fetch: 'refused',
    read: 'refused',
    opaque: 'answered',
    beacon: true,
    events: 'refused',
  })

  const posted = foreign.waitForResponse(
    (response) => response.url() === mcp && response.request().isNavigationRequest(),
  )
  await foreign.evaluate(
    ({ mcp, body }) => {
      // A form as text/plain sends the name, an equals sign and the value: together they are JSON.
      const cut = body.lastIndexOf('"}') + 1
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: mcp, enctype: 'text/plain' })
      const field = document.createElement('input')
      Object.assign(field, { name: body.slice(0, cut - 1), value: body.slice(cut - 1) })
      form.append(field)
      document.body.append(form)
      form.submit()
    },
    { mcp, body: callOf('foreign-form=').body },
  )
  expect((await posted).status()).toBe(403)

  // The same call of a program, which has no origin, does arrive: it is the origin that is refused.
  const own = await fetch(mcp, { method: 'POST', ...callOf('own') })
  expect(own.status).toBe(200)
  expect(await own.text()).toContain('"own"')
  await expectNotes(page, 'own')
  await expect(page.getByRole('treegrid', { name: 'Exchanges' })).not.toContainText('foreign-')
})

test("a page of another origin does not reach the window's server, not even with the token", async ({
  app,
  page,
  foreign,
}) => {
  const address = new URL(await app.address())
  const token = address.hash.replace('#token=', '')
  expect(token).not.toBe('')
  const outcomes = await foreign.evaluate(
    async ({ origin, token }) => {
      const socket = (protocols: string[]): Promise<string> =>
        new Promise((resolve) => {
          const opened = new WebSocket(`${origin.replace('http', 'ws')}/socket`, protocols)
          opened.onopen = () => resolve('opened')
          opened.onclose = () => resolve('refused')
        })
      return {
        page: await fetch(origin).then(
          () => 'answered',
          () => 'refused',
        ),
        bare: await socket([]),
        withToken: await socket(['patchbay.v1', `patchbay.token.${token}`]),
      }
    },
    { origin: address.origin, token },
  )
  expect(outcomes).toEqual({ page: 'refused', bare: 'refused', withToken: 'refused' })

  const framed = await foreign.evaluate(async (url) => {
    const frame = document.createElement('iframe')
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    frame.src = url
    document.body.append(frame)
    await loaded
    return frame.contentDocument === null
  }, address.href)
  expect(framed).toBe(true)
  const inner = foreign.frames().find((frame) => frame !== foreign.mainFrame())
  await expect(foreign.frameLocator('iframe').getByRole('heading', { name: 'Patchbay' })).toHaveCount(0)
  expect(inner?.url()).not.toContain(address.origin)

  // The window's own socket is as it was.
  await expect(page.getByRole('treegrid', { name: 'Exchanges' })).toBeVisible()
})
