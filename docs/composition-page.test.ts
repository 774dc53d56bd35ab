import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import type { Client as SecondClient } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, expect, test } from 'vitest'
import { apiServer, json } from '../server-core/sources/api-server.test-support.ts'
import { ForkProcessStarter } from '../server-core/processes/fork-process-starter.ts'
import { workspaceSources } from '../server-core/host/sources/workspace-sources.ts'
import { LiveWorkspace } from '../server-core/live/live-workspace.ts'
import { startScriptHost } from '../server-core/scripts/start-script-host.ts'
import { createServer } from '../server-core/server/server.ts'
import { startHttpListener } from '../server-core/listener/http-listener.ts'
import { stdioTransport } from '../server-core/transports/stdio/stdio-client.ts'
import { workspaceFile } from '../server-core/profile/profile-files.ts'
import { workspaceDocument } from '../server-core/workspace/server-entries.ts'
import { connectClient, ERAS } from './examples/example-process.test-support.ts'

const EVERYTHING = path.join(
  path.dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  ),
  'dist/index.js',
)
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The files that the page shows, by name. */
async function shownFiles(): Promise<ReadonlyMap<string, string>> {
  const page = await readFile(path.join(import.meta.dirname, 'composition.md'), 'utf8')
  return new Map(
    Array.from(page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms), ([, name = '', text = '']) => [name, text]),
  )
}

async function shop() {
  const api = await apiServer(({ method, url, headers }) => {
    if (headers['x-key'] !== 'open sesame') return json({ error: 'no key' }, 401)
    if (method === 'POST') return { status: 201 }
    return json(url.startsWith('/v1/articles/') ? { id: '7' } : [{ id: '7', colour: 'red' }])
  })
  closing.push(api.close)
  return api
}

/** The workspace of the page, served over HTTP. */
async function served() {
  const [files, api] = await Promise.all([shownFiles(), shop()])
  const status = await apiServer(() => ({ body: 'All is well', headers: { 'content-type': 'text/plain' } }))
  closing.push(status.close)
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'patchbay-composition-')))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const others = [
    ['README.md', '# Shop'],
    ['data/prices.csv', 'article,price'],
    ['handbook/start.md', '# Start'],
    ['handbook/draft.txt', 'later'],
  ] as const
  for (const [name, text] of [...files, ...others]) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(
      file,
      text.replace('https://shop.example', api.url).replace('https://status.example', status.url),
    )
  }
  const identity = { name: 'composition', version: '1' }
  const scriptHostOf = (each: string) =>
    startScriptHost({
      folder: each,
      starter: new ForkProcessStarter(),
      modules: path.join(import.meta.dirname, '../server-core/scripts'),
    })
  const documentOf = (each: string) => workspaceDocument(workspaceFile(each), 'leave')
  const configure = workspaceSources({
    identity,
    scriptHostOf,
    documentOf,
    mayRun: () => Promise.resolve(false),
    environment: { SHOP_KEY: 'open sesame' },
    transportsFor: (server) =>
      server === 'Everything'
        ? Promise.resolve({
            open: () => stdioTransport({ command: process.execPath, args: [EVERYTHING, 'stdio'], env: {} }),
          })
        : Promise.reject(new Error(`"${server}" was never approved`)),
  })(folder)
  const live = await LiveWorkspace.open({
    folder,
    host: scriptHostOf(folder),
    document: documentOf(folder),
    configure,
  })
  closing.push(() => live.close())
  const server = createServer({ registry: live.registry, info: identity })
  const listener = await startHttpListener({ server, port: 0 })
  closing.push(async () => {
    await listener.close()
    await server.close()
  })
  return { live, api, url: new URL(listener.url), folder }
}

/** Resolves when something holds of what is served. */
function until({ registry }: LiveWorkspace, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return
      stop()
      resolve()
    }
    const stop = registry.onChange(look)
    look()
  })
}

/** Looks at all of it as one client. Both SDKs have the same calls. */
async function look(client: FirstClient | SecondClient): Promise<void> {
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['birds.identify', 'every.echo', 'shop_findArticles', 'shop_order']),
  )
  for (const hidden of ['every.get-env', 'shop_reset', 'shop_getArticle']) expect(names).not.toContain(hidden)
  const text = async (name: string, args: Record<string, unknown>) =>
    JSON.stringify((await client.callTool({ name, arguments: args })).content)
  expect(await text('birds.identify', { song: 'cuckoo' })).toContain('a cuckoo')
  expect(await text('every.echo', { message: 'to all' })).toContain('to all')
  expect(await text('shop_order', { body: { article: '7' } })).toContain('answered 201')
  const found = await client.callTool({
    name: 'shop_findArticles',
    arguments: { colours: ['red', 'blue'] },
  })
  expect(JSON.stringify(found.structuredContent)).toContain('"colour":"red"')
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining(['file:///README.md', 'shop://prices', 'handbook://pages/start.md']),
  )
  const read = async (uri: string) => JSON.stringify((await client.readResource({ uri })).contents)
  expect(await read('shop://prices')).toContain('article,price')
  expect(await read('handbook://pages/start.md')).toContain('# Start')
  expect(await read('api://shop/articles/7')).toContain('{\\"id\\":\\"7\\"}')
  const status = resources.find(({ name }) => name === 'Status')
  expect(await read(status?.uri ?? '')).toContain('All is well')
}

test(
  'the workspace of the page is one server, to official clients of both SDKs and eras',
  { timeout: 60_000 },
  async () => {
    const { live, api, url, folder } = await served()
    // A server that takes long to start comes when it comes.
    await until(live, () => live.registry.tool('every.echo') !== undefined)
    expect(live.faults()).toEqual([])
    const first = new FirstClient({ name: 'first', version: '1' })
    await first.connect(new StreamableHTTPClientTransport(url))
    closing.push(() => first.close())
    const clients = [first, ...(await Promise.all(ERAS.map((era) => connectClient(url, era))))]
    for (const client of clients.slice(1)) closing.push(() => client.close())
    await Promise.all(clients.map((client) => look(client)))
    expect(api.seen.map(({ url: asked }) => asked)).toContain('/v1/articles?colours=red,blue')

    const second = 'handbook://pages/second.md'
    const changed = until(live, () => live.registry.resources().some(({ uri: each }) => each === second))
    await writeFile(path.join(folder, 'handbook/second.md'), '# Second')
    await changed
    expect((await first.listResources()).resources.map(({ uri }) => uri)).toContain(second)
  },
)

test('the registry that the page composes is what it says', async () => {
  const text = (await shownFiles()).get('compose.ts') ?? ''
  // Where the page stands, so that its imports lead where they say.
  const file = path.join(import.meta.dirname, `composition-${process.pid}.ts`)
  await writeFile(file, text)
  closing.push(() => rm(file))
  const { composed } = (await import(file)) as {
    composed: { tools(): readonly { readonly name: string }[] }
  }
  expect(composed.tools().map(({ name }) => name)).toEqual(['night.greet'])
})
