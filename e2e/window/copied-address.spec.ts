import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from './fixtures.ts'
import { switchTokenOff } from './registry-steps.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('the copied address of This app is all that a client needs, with the token and without', async ({
  page,
}) => {
  const copiedAddress = async (): Promise<URL> => {
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('button', { name: 'Copy address' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('')
    return new URL(await page.evaluate(() => navigator.clipboard.readText()))
  }
  const toolsAt = async (address: URL): Promise<number> => {
    const client = new Client({ name: 'official', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(address))
    const { tools } = await client.listTools()
    await client.close()
    return tools.length
  }
  const withToken = await copiedAddress()
  expect(withToken.pathname).toMatch(/^\/t\/[\w-]{20,}\/mcp$/)
  expect(await toolsAt(withToken)).toBeGreaterThan(0)
  await expect(page.getByText(`/t/${withToken.pathname.split('/')[2] ?? ''}`)).toHaveCount(0)
  await expect(toolsAt(new URL('/mcp', withToken))).rejects.toThrow(/401|Unauthorized/)

  await switchTokenOff(page)
  const withoutToken = await copiedAddress()
  expect(withoutToken.pathname).toBe('/mcp')
  expect(await toolsAt(withoutToken)).toBeGreaterThan(0)
})
