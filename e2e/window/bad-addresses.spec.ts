import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import type { JSHandle, Locator, Page } from '@playwright/test'
import { TEST_CERTIFICATE, TEST_KEY } from '../../server-core/transports/http/certificate.test-support.ts'
import { expect, test } from './fixtures.ts'
import { addUrl, approve, expectState, serverPage } from './server-steps.ts'

const servers: Server[] = []

test.afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Lets a server of this test listen; returns its host and port. */
async function listening(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Keeps every text that a region shows from now on, even for one frame. */
async function keepTextsOf(page: Page, label: string): Promise<JSHandle<string[]>> {
  return await page.evaluateHandle((name) => {
    const texts: string[] = []
    const look = (): void => {
      const region = document.querySelector(`section[aria-label="${name}"]`)
      if (region !== null) texts.push(region.textContent)
    }
    new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true })
    return texts
  }, label)
}

/** Connects to an address without a server, and returns the page that says why it fails. */
async function connectTo(
  page: Page,
  url: string,
  { name = 'elsewhere', word = 'failed' } = {},
): Promise<Locator> {
  await addUrl(page, name, url)
  await approve(page, name)
  await expectState(page, name, word)
  return serverPage(page)
}

const answering = (listener: RequestListener): Server => createServer(listener)

test('an address at which no MCP server answers', async ({ page }) => {
  await test.step('an address that refuses', async () => {
    // A port that was free a moment ago may be given to anyone; nobody is given this one.
    const address = '127.0.0.1:1'
    const shown = await connectTo(page, `http://${address}/mcp`, { name: 'refusing' })
    await expect(shown.getByRole('alert')).toContainText(`${address} refuses connections (ECONNREFUSED)`)
    await expect(shown.getByRole('alert')).toContainText('nothing listens on that port. Start the server')
  })

  await test.step('an address that leads to a web page', async () => {
    const address = await listening(
      answering((_request, response) => {
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<h1>Welcome</h1><script>alert(1)</script>')
      }),
    )
    const shown = await connectTo(page, `http://${address}/`, { name: 'web-page' })
    await expect(shown.getByRole('alert')).toContainText(`${address} sent a web page, not MCP`)
    await expect(shown.getByRole('alert')).toContainText('often with the path /mcp')
    await expect(shown.getByRole('region', { name: 'HTTP body' })).toContainText('<h1>Welcome</h1>')
  })

  await test.step('an address without an endpoint', async () => {
    const address = await listening(
      answering((_request, response) => response.writeHead(404).end('There is nothing here')),
    )
    const shown = await connectTo(page, `http://${address}/mpc`, { name: 'no-endpoint' })
    await expect(shown.getByRole('alert')).toContainText(`${address} answered HTTP 404`)
    await expect(shown.getByRole('alert')).toContainText('Check the path')
    await expect(shown.getByRole('region', { name: 'HTTP body' })).toContainText('There is nothing here')
  })

  await test.step('a server that fails', async () => {
    const address = await listening(
      answering((_request, response) =>
        response.writeHead(500, { 'x-request-id': 'abc-123' }).end('out of memory'),
      ),
    )
    const shown = await connectTo(page, `http://${address}/mcp`, { name: 'failing' })
    await expect(shown.getByRole('alert')).toContainText(`${address} answered HTTP 500`)
    await expect(shown.getByRole('region', { name: 'HTTP body' })).toContainText('out of memory')
    await expect(shown.getByRole('region', { name: 'HTTP 500' })).toContainText('x-request-id: abc-123')
  })
})

test('a server that wants a token, and gets it', async ({ page }) => {
  const authorizations: (string | undefined)[] = []
  const address = await listening(
    answering((request, response) => {
      authorizations.push(request.headers.authorization)
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="notes"' }).end('{}')
    }),
  )
  const shown = await connectTo(page, `http://${address}/mcp`, { word: 'needs a token' })
  await expect(shown.getByRole('alert')).toContainText(`${address} answered 401: not authorised`)
  await expect(shown.getByRole('region', { name: 'HTTP 401' })).toContainText(
    'www-authenticate: Bearer realm="notes"',
  )
  await shown.getByRole('button', { name: 'Enter a token…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit elsewhere' })
  await dialog.getByLabel('bearer token', { exact: true }).fill('secret-token-1')
  const asked = await keepTextsOf(page, 'Approval of elsewhere')
  await dialog.getByRole('button', { name: 'Save' }).click()
  // A token is sent to somebody: that is approved too, and the token is not shown for it.
  await approve(page, 'elsewhere')
  // What was approved before is not asked for again, not even until what is now has come.
  const texts = await asked.jsonValue()
  expect(texts.length).toBeGreaterThan(0)
  for (const text of texts) expect(text).toContain('Authorization')
  await expectState(page, 'elsewhere', 'needs a token')
  await expect.poll(() => authorizations.at(-1)).toBe('Bearer secret-token-1')
  await expect(page.locator('body')).not.toContainText('secret-token-1')
})

test('a certificate that nobody vouches for', async ({ page }) => {
  const requests: string[] = []
  const address = await listening(
    createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (request, response) => {
      requests.push(request.url ?? '')
      response.end()
    }),
  )
  const shown = await connectTo(page, `https://${address}/mcp`)
  await expect(shown.getByRole('alert')).toContainText(`The certificate of ${address} is not accepted`)
  await expect(shown.getByRole('alert')).toContainText('NODE_EXTRA_CA_CERTS')
  expect(requests).toEqual([])
})
