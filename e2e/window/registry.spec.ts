import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { formOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import {
  chooseNew,
  editorOf,
  entryRow,
  hostOfThisApp,
  switchTokenOff,
  openInspector,
  openRegistry,
  selectEntry,
  textOf,
  trialOf,
  tryIt,
  writeFile,
} from './registry-steps.ts'
import { addUrl, approve, everything, expectState, openEntry, startServer } from './server-steps.ts'
import { repository } from './start-app.ts'

/** A tool that says this word, on line 6. */
const saying = (word: string): string => `import { tool, z } from 'patchbay'

export default tool({
  description: 'Greets somebody.',
  input: z.object({ name: z.string() }),
  output: z.object({ greeting: z.string() }),
  run: ({ name }) => ({ greeting: \`${word}, \${name}!\` }),
})
`
/** The same, cut off in line 7. */
const cutOff = saying('Cut').replace(/\}\),\n\}\)\n$/, '')

const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets/{kind}': {
      get: {
        operationId: 'listPets',
        summary: 'Pets of a kind.',
        parameters: [{ name: 'kind', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'Names', content: { 'application/json': { schema: {} } } } },
      },
    },
  },
}

/** Serves an HTTP interface that describes itself at `/openapi.json`. */
async function servePets(): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const body = request.url === '/openapi.json' ? PETS : { asked: request.url, names: ['Rex', 'Bello'] }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** An official client that stays connected, and how often it received a change of the list of tools. */
async function connectOfficialClient(host: string) {
  const client = new Client({ name: 'official', version: '1' })
  let told = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    told += 1
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://${host}/mcp`)))
  const greet = async (): Promise<unknown> => {
    // It holds results against the output schema that it was listed last.
    await client.listTools()
    const { structuredContent } = await client.callTool({ name: 'greet', arguments: { name: 'Ann' } })
    return structuredContent
  }
  return { client, greet, told: () => told }
}

/** Calls `greet` from the inspector over the connection to a server. */
async function greetOver(page: Page, server: string): Promise<void> {
  await page.getByRole('list', { name: 'Servers' }).getByRole('button', { name: server, exact: true }).click()
  await openEntry(page, server, 'greet')
  await formOf(page, 'greet').getByLabel('name', { exact: true }).fill('Bo')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('Good day, Bo!')
  await expect(resultOf(page)).toContainText('matches outputSchema')
}

test('a tool is written in the window, and every client has it over every transport; broken, the one before answers', async ({
  page,
}) => {
  await switchTokenOff(page)
  await openRegistry(page)
  const host = await hostOfThisApp(page)
  const { client, greet, told } = await connectOfficialClient(host)

  await test.step('from the template', async () => {
    await chooseNew(page, 'New tool…')
    await editorOf(page).getByLabel('name').fill('greet')
    await page.keyboard.press('Enter')
    await expect(entryRow(page, 'greet')).toHaveAttribute('aria-selected', 'true')
    await expect(entryRow(page, 'greet')).toContainText('tools/greet.ts')
    // The column is narrow; what is sent without a word is said all the same.
    const form = page.getByRole('complementary', { name: 'Try, connected, faults' })
    await expect(form.getByText('default 1', { exact: true })).toBeVisible()
    await expect(form.getByRole('list', { name: 'Connected clients' })).not.toContainText('running')
    await expect.poll(told).toBeGreaterThan(0)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('greet')
    const connected = page.getByRole('list', { name: 'Connected clients' })
    await expect(connected.getByRole('listitem').filter({ hasText: 'official' })).toContainText('http 2025-')
  })

  await test.step('an entry is shown at its place in its file, and the table keeps the focus', async () => {
    await selectEntry(page, 'search_notes')
    await expect(textOf(page, 'tools/notes.ts').getByText('export const search_notes')).toBeInViewport()
    await expect(textOf(page, 'tools/notes.ts')).not.toBeFocused()
  })

  await test.step('edited and saved', async () => {
    const before = told()
    await writeFile(page, 'tools/greet.ts', saying('Good day'))
    // The client validates a result against the schema it listed, so a change between the two calls is an error.
    await expect.poll(told).toBeGreaterThan(before)
    await expect.poll(() => greet().catch(String)).toEqual({ greeting: 'Good day, Ann!' })
  })

  await test.step('called from the inspector over all four transports', async () => {
    const folder = await page.getByRole('button', { name: /^Workspace/ }).getAttribute('title')
    await openInspector(page)
    await greetOver(page, 'This app')
    for (const [name, url] of [
      ['sse', `http://${host}/sse`],
      ['ws', `ws://${host}/ws`],
    ] as const) {
      await addUrl(page, name, url)
      await approve(page, name)
      await expectState(page, name, 'connected')
      await greetOver(page, name)
    }
    const patchbay = path.join(repository, 'server-core/launcher/patchbay.ts')
    const args = [patchbay, 'serve', folder ?? '', '--stdio', '--trust']
    await startServer(page, { name: 'stdio', command: process.execPath, args })
    await greetOver(page, 'stdio')
    await openRegistry(page)
  })

  await test.step('broken: its line is shown, and the revision before answers', async () => {
    await writeFile(page, 'tools/greet.ts', cutOff)
    await expect(editorOf(page)).toContainText(/revision \d+ not loaded/)
    await expect(editorOf(page)).toContainText(/revision \d+ is still active/)
    await expect(entryRow(page, 'greet')).toContainText('error')
    await page.getByRole('tab', { name: /^Problems/ }).click()
    await expect(page.getByRole('list', { name: 'Problems' })).toContainText(/tools\/greet\.ts:7:\d+/)
    expect(await greet()).toEqual({ greeting: 'Good day, Ann!' })
  })

  await test.step('fixed', async () => {
    await writeFile(page, 'tools/greet.ts', saying('Hi'))
    await expect(editorOf(page)).not.toContainText('not loaded')
    await expect.poll(greet).toEqual({ greeting: 'Hi, Ann!' })
    await page.getByRole('tab', { name: /^Reloads/ }).click()
    await expect(page.getByRole('list', { name: 'Reloads of tools/greet.ts' })).toContainText('active')
  })
  await client.close()
})

test('a proxied tool is overridden, and an OpenAPI document becomes tools', async ({ page }) => {
  await startServer(page, { name: 'everything', command: 'node', args: [everything, 'stdio'] })
  await openRegistry(page)

  await test.step('proxied under a prefix', async () => {
    await chooseNew(page, 'Proxy a server…')
    const form = editorOf(page).getByRole('form', { name: 'Proxy a server' })
    await form.getByRole('combobox', { name: 'server' }).click()
    await page.getByRole('option', { name: 'everything' }).click()
    await form.getByLabel('prefix').fill('ev')
    await form.getByRole('button', { name: 'Add source' }).click()
    await selectEntry(page, 'ev.echo')
    await formOf(page, 'ev.echo').getByLabel('message', { exact: true }).fill('hello')
    await tryIt(page)
    await expect(trialOf(page)).toContainText('Echo: hello')
  })

  await test.step('overridden, starting from the last recorded result', async () => {
    await page.getByRole('button', { name: 'Override result…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Override ev.echo' })
    const result = dialog.getByRole('textbox', { name: 'Result' })
    await expect(result).toHaveValue(/Echo: hello/)
    await result.fill((await result.inputValue()).replace('Echo: hello', 'Overridden'))
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(async () => {
      await tryIt(page)
      await expect(trialOf(page)).toContainText('Overridden', { timeout: 2_000 })
    }).toPass()
    await expect(page.getByRole('button', { name: 'Edit override…' })).toBeVisible()
  })

  await test.step('imported from an OpenAPI document, and called', async () => {
    const pets = await servePets()
    await chooseNew(page, 'Import OpenAPI document…')
    const form = editorOf(page).getByRole('form', { name: 'Import OpenAPI document' })
    await form.getByLabel('document').fill(`${pets.origin}/openapi.json`)
    await form.getByLabel('prefix').fill('pets')
    await form.getByLabel('base URL').fill(pets.origin)
    await form.getByRole('button', { name: 'Add source' }).click()
    await selectEntry(page, 'pets.listPets')
    await formOf(page, 'pets.listPets').getByLabel('kind', { exact: true }).fill('dog')
    await tryIt(page)
    await expect(trialOf(page)).toContainText('/pets/dog')
    await expect(trialOf(page)).toContainText('Bello')
    pets.close()
  })
})
