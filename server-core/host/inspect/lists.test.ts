import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startTestHost, watchUntil } from '../host.test-support.ts'

/** A server with page after page of tools; it notes what it is asked, and answers the third page never. */
const ENDLESS = `
  const { appendFileSync } = require('node:fs')
  const answers = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
  }
  let pages = 0
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    appendFileSync(process.argv[1], method + '\\n')
    if (id === undefined) return
    if (method === 'tools/list') {
      pages += 1
      if (pages === 3) return
      answers[method] = { tools: [], nextCursor: String(pages) }
    }
    const result = answers[method]
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

it('reading the pages of a list ends with whoever asked for it', async () => {
  const test = await startTestHost()
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-lists-')), 'asked')
  const { id } = await test.addApproved({
    name: 'endless',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', ENDLESS, file], env: [] },
  })
  await test.client.servers.connect({ id })
  const asked = async (): Promise<string[]> =>
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .filter((method) => /list|cancelled/.test(method))
  const caller = new AbortController()
  const reading = test.client.inspect.lists({ serverId: id }, { signal: caller.signal })
  const pages = ['tools/list', 'tools/list', 'tools/list']
  await expect.poll(asked).toEqual(pages)
  caller.abort()
  await expect(reading).rejects.toThrow()
  await expect.poll(asked).toEqual([...pages, 'notifications/cancelled'])
  await test.close()
})

/** Declares every list; a call of anything reports that its tools changed. */
const CHANGING = `
  const { appendFileSync } = require('node:fs')
  const listChanged = { listChanged: true }
  const answers = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: listChanged, resources: listChanged, prompts: listChanged },
      serverInfo: { name: 'x', version: '1' },
    },
    'tools/list': { tools: [{ name: 'one', inputSchema: { type: 'object' } }] },
    'resources/list': { resources: [{ name: 'r', uri: 'x:r' }] },
    'resources/templates/list': { resourceTemplates: [] },
    'prompts/list': { prompts: [] },
    'tools/call': { content: [] },
  }
  const write = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    appendFileSync(process.argv[1], method + '\\n')
    if (id === undefined) return
    if (method === 'tools/call') write({ method: 'notifications/tools/list_changed' })
    const result = answers[method]
    write({ id, ...(result === undefined ? { error: { code: -32601, message: 'no' } } : { result }) })
  })`

it('publishes a change of one list by its kind, and reads no other list', async () => {
  const test = await startTestHost()
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-lists-')), 'asked')
  const { id } = await test.addApproved({
    name: 'changing',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', CHANGING, file], env: [] },
  })
  await test.client.servers.connect({ id })
  const all = await test.client.inspect.lists({ serverId: id })
  expect([all.tools.length, all.resources.length]).toEqual([1, 1])
  const told = watchUntil(test.client, (batch) => batch.listsChanged !== undefined)
  await test.client.inspect.request({
    serverId: id,
    callId: 'c',
    method: 'tools/call',
    paramsText: '{"name":"one"}',
  })
  expect((await told).at(-1)?.listsChanged).toEqual([{ serverId: id, kinds: ['tools'] }])
  await writeFile(file, '')
  const read = await test.client.inspect.lists({ serverId: id, kinds: ['tools'] })
  expect(read.tools).toHaveLength(1)
  expect(read.resources).toEqual([])
  expect(await readFile(file, 'utf8')).toBe('tools/list\n')
  await test.close()
})

it('lists go over the wire once, until the server announces a change or the user refreshes them', async () => {
  const test = await startTestHost()
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-lists-')), 'asked')
  const { id: serverId } = await test.addApproved({
    name: 'changing',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', CHANGING, file], env: [] },
  })
  const asked = async (): Promise<string[]> => {
    const methods = (await readFile(file, 'utf8')).split('\n').filter((method) => method.includes('list'))
    await writeFile(file, '')
    return methods.sort()
  }
  const all = ['prompts/list', 'resources/list', 'resources/templates/list', 'tools/list']
  await test.client.servers.connect({ id: serverId })
  const first = await test.client.inspect.lists({ serverId })
  expect(await asked()).toEqual(all)
  // Another page, or the same one loaded again.
  expect(await test.client.inspect.lists({ serverId })).toEqual(first)
  expect(await test.client.inspect.lists({ serverId, kinds: ['prompts'] })).toEqual({
    ...first,
    tools: [],
    resources: [],
  })
  expect(await asked()).toEqual([])
  const told = watchUntil(test.client, (batch) => batch.listsChanged !== undefined)
  await test.client.inspect.request({
    serverId,
    callId: 'c',
    method: 'tools/call',
    paramsText: '{"name":"one"}',
  })
  await told
  await test.client.inspect.lists({ serverId })
  expect(await asked()).toEqual(['tools/list'])
  await test.client.inspect.refreshLists({ serverId })
  await test.client.inspect.lists({ serverId })
  expect(await asked()).toEqual(all)
  await test.client.servers.restart({ id: serverId })
  await test.client.inspect.lists({ serverId })
  expect(await asked()).toEqual(all)
  await test.close()
})

it('a server that was connected again may list anything', async () => {
  const test = await startTestHost()
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-lists-')), 'asked')
  const { id } = await test.addApproved({
    name: 'changing',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', CHANGING, file], env: [] },
  })
  await test.client.servers.connect({ id })
  const told = watchUntil(test.client, (batch) => batch.listsChanged !== undefined)
  await test.client.servers.restart({ id })
  expect((await told).at(-1)?.listsChanged).toEqual([
    { serverId: id, kinds: ['tools', 'resources', 'prompts'] },
  ])
  await test.close()
})

/** Tools on three pages, one a page, the second malformed; it notes what cursor it is asked for. */
const PAGED = `
  const { appendFileSync } = require('node:fs')
  const tools = [{ name: 'one', inputSchema: { type: 'object' } }, { name: 'two' }, { name: 'three', inputSchema: { type: 'object' } }]
  const answers = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    if (method === 'tools/list') {
      const at = Number(params?.cursor ?? 0)
      appendFileSync(process.argv[1], at + ' ')
      answers[method] = { tools: [tools[at]], ...(at < 2 && { nextCursor: String(at + 1) }) }
    }
    const result = answers[method]
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

it('a list is read page by page, as far as somebody asks', async () => {
  const test = await startTestHost()
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-lists-')), 'asked')
  const { id } = await test.addApproved({
    name: 'paged',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', PAGED, file], env: [] },
  })
  await test.client.servers.connect({ id })
  const { tools, more = [] } = await test.client.inspect.lists({ serverId: id, isPaged: true })
  expect(tools.map(({ name }) => name)).toEqual(['one'])
  expect(more.map(({ list }) => list)).toEqual(['tools'])
  expect(await readFile(file, 'utf8')).toBe('0 ')
  const [{ readingId } = { readingId: '' }] = more
  const second = await test.client.inspect.nextPage({ serverId: id, readingId })
  expect(second).toMatchObject({ list: 'tools', hasMore: true, entries: [{ name: 'two' }] })
  expect(second.entries[0]?.malformed).toContain('inputSchema')
  const third = await test.client.inspect.nextPage({ serverId: id, readingId })
  expect(third).toMatchObject({ hasMore: false, entries: [{ name: 'three' }] })
  // A page that is loaded again gets what was read so far.
  const again = await test.client.inspect.lists({ serverId: id, isPaged: true })
  expect(again.tools.map(({ name }) => name)).toEqual(['one', 'two', 'three'])
  expect(again.more).toBeUndefined()
  await expect(test.client.inspect.nextPage({ serverId: id, readingId })).rejects.toThrow('fetch it again')
  expect(await readFile(file, 'utf8')).toBe('0 1 2 ')
  await test.close()
})

/** Declares every list, and knows the method of one. */
const PARTIAL = `
  const answers = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: 'x', version: '1' },
    },
    'tools/list': { tools: [{ name: 'one', inputSchema: { type: 'object' } }] },
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (id === undefined) return
    const result = answers[method]
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

it('a list whose method the server does not know is empty with a note, and no failure', async () => {
  const test = await startTestHost()
  const { id } = await test.addApproved({
    name: 'partial',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', PARTIAL], env: [] },
  })
  await test.client.servers.connect({ id })
  const { tools, problems } = await test.client.inspect.lists({ serverId: id })
  expect(tools).toMatchObject([{ name: 'one' }])
  const methods = ['resources/list', 'resources/templates/list', 'prompts/list']
  expect(problems.map(({ message }) => message).sort()).toEqual(
    methods.map((method) => `The server does not know ${method}`).sort(),
  )
  expect(problems.every(({ isHarmless }) => isHarmless === true)).toBe(true)
  await test.close()
})
