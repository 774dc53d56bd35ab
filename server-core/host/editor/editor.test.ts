import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LanguageServerEvent } from '../contract/editor.ts'
import { EditorService, type EditorServiceOptions } from './editor-service.ts'

const TYPES = `export type Context = { progress(done: number, total?: number): void }
export declare function tool<I>(definition: { run(args: I, ctx: Context): unknown }): I
`
const SCRIPT = `import { tool } from 'patchbay'
import { answer } from '../lib/answer.ts'

export default tool<{ name: string }>({
  run({ name }, ctx) {
    const wrong: number = name
    ctx.
    return answer
  },
})
`
const PROJECT = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    allowImportingTsExtensions: true,
    paths: { patchbay: ['./.patchbay/types/patchbay.d.ts'] },
  },
}

let folder: string
let service: EditorService
const services: EditorService[] = []
function serviceOf(more: Partial<EditorServiceOptions> = {}): EditorService {
  const made = new EditorService({
    folder,
    drafts: path.join(folder, '..', 'drafts'),
    isTrusted: () => true,
    ...more,
  })
  services.push(made)
  return made
}

beforeEach(async () => {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-editor-')))
  folder = path.join(base, 'workspace')
  for (const place of ['tools', 'lib', '.patchbay/types'])
    await mkdir(path.join(folder, place), { recursive: true })
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(PROJECT))
  await writeFile(path.join(folder, '.patchbay', 'types', 'patchbay.d.ts'), TYPES)
  await writeFile(path.join(folder, 'tools', 'greet.ts'), SCRIPT)
  service = serviceOf()
})
afterEach(async () => {
  await Promise.all(services.splice(0).map((each) => each.close()))
  await rm(path.dirname(folder), { recursive: true, force: true, maxRetries: 3 })
})

type Reply = { readonly id?: number; readonly method?: string; readonly result?: unknown }

/** What a page does: speaks with the language server by the stream and `send`. */
class Page {
  readonly ended = Promise.withResolvers<LanguageServerEvent>()
  readonly #service: EditorService
  readonly #stop = new AbortController()
  readonly #started = Promise.withResolvers<string>()
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #lastId = 0

  constructor(of: EditorService, restart = false) {
    this.#service = of
    void this.#read(restart).catch((error: unknown) => this.#started.reject(error))
  }

  async ask(method: string, params: unknown): Promise<unknown> {
    const id = (this.#lastId += 1)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, resolve)
    await this.notify(method, params, id)
    return promise
  }

  async notify(method: string, params: unknown, id?: number): Promise<void> {
    const message = JSON.stringify({ jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) })
    this.#service.sendToLanguageServer(await this.#started.promise, [message])
  }

  async open(file: string, text: string): Promise<{ uri: string }> {
    await this.ask('initialize', {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      capabilities: { textDocument: { completion: {}, diagnostic: {} }, workspace: { configuration: true } },
    })
    await this.notify('initialized', {})
    const uri = pathToFileURL(path.join(folder, file)).href
    await this.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'typescript', version: 1, text },
    })
    return { uri }
  }

  leave(): void {
    this.#stop.abort()
  }

  async #read(restart: boolean): Promise<void> {
    for await (const event of this.#service.languageServer(restart, this.#stop.signal)) {
      if (event.type === 'started') this.#started.resolve(event.session)
      else if (event.type === 'ended') this.ended.resolve(event)
      else for (const text of event.messages) this.#receive(JSON.parse(text) as Reply)
    }
  }

  #receive({ id, method, result }: Reply): void {
    if (method === undefined && id !== undefined) this.#waiting.get(id)?.(result)
  }
}

async function diagnosticsOf(page: Page, textDocument: { uri: string }): Promise<string[]> {
  const report = (await page.ask('textDocument/diagnostic', { textDocument })) as {
    items: { message: string }[]
  }
  return report.items.map(({ message }) => message).filter((message) => !message.includes('never read'))
}

it('completes, checks and learns of files that others write, by the language server of TypeScript', async () => {
  const page = new Page(service)
  const textDocument = await page.open('tools/greet.ts', SCRIPT)
  const found = (await page.ask('textDocument/completion', {
    textDocument,
    position: { line: 6, character: 8 },
  })) as { items: { label: string }[] }
  expect(found.items.map(({ label }) => label)).toContain('progress')
  expect(await diagnosticsOf(page, textDocument)).toEqual([
    'Identifier expected.',
    "Cannot find module '../lib/answer.ts' or its corresponding type declarations.",
    "Type 'string' is not assignable to type 'number'.",
  ])

  const changes = service.watch(undefined)
  const next = changes.next()
  await writeFile(path.join(folder, 'lib', 'answer.ts'), 'export const answer = 42\n')
  expect((await next).value).toEqual({ files: ['lib/answer.ts'] })
  await changes.return()
  await expect
    .poll(() => diagnosticsOf(page, textDocument))
    .not.toContainEqual(expect.stringContaining('Cannot find module'))
  page.leave()
  await expect.poll(() => service.languageServerPids).toEqual([])
})

it('starts a language server again after it was killed, three times, and then says so', async () => {
  const reasons: string[] = []
  for (let round = 0; round < 4; round += 1) {
    const page = new Page(service)
    await page.ask('initialize', { processId: null, rootUri: null, capabilities: {} })
    for (const pid of service.languageServerPids) process.kill(pid, 'SIGKILL')
    const ended = await page.ended.promise
    if (ended.type === 'ended') reasons.push(`${ended.reason}: ${ended.detail}`)
  }
  expect(reasons).toEqual([
    "crashed: TypeScript's language server was killed by SIGKILL.",
    "crashed: TypeScript's language server was killed by SIGKILL.",
    "crashed: TypeScript's language server was killed by SIGKILL.",
    expect.stringContaining('crashed 4 times in five minutes'),
  ])
  expect(await new Page(service).ended.promise).toMatchObject({ reason: 'stopped' })
  const again = new Page(service, true)
  expect(await again.ask('initialize', { processId: null, rootUri: null, capabilities: {} })).toBeDefined()
})

it('stops an unused language server, and starts none for an untrusted folder', async () => {
  const idle = serviceOf({ idleMs: 50 })
  expect(await new Page(idle).ended.promise).toMatchObject({ reason: 'idle' })
  await expect.poll(() => idle.languageServerPids).toEqual([])

  const strange = serviceOf({ isTrusted: () => false })
  await expect(strange.languageServer(false, undefined).next()).rejects.toMatchObject({ code: 'NOT_TRUSTED' })
  const missing = serviceOf({ program: path.join(folder, 'no-such-program') })
  await expect(missing.languageServer(false, undefined).next()).rejects.toThrow('could not be started')
  const noise = serviceOf({ program: '/bin/echo' })
  const events: LanguageServerEvent[] = []
  for await (const event of noise.languageServer(false, undefined)) events.push(event)
  expect(events.at(-1)).toMatchObject({ type: 'ended', reason: 'crashed' })
})

it('gives every page a language server of its own, for four pages', async () => {
  const pages = Array.from({ length: 4 }, () => new Page(service))
  await Promise.all(
    pages.map((page) => page.ask('initialize', { processId: null, rootUri: null, capabilities: {} })),
  )
  expect(new Set(service.languageServerPids).size).toBe(4)
  await expect(service.languageServer(false, undefined).next()).rejects.toThrow('4 windows already')
})

it('keeps drafts for the page that comes next, by workspace and file', async () => {
  const draft = { file: 'tools/greet.ts', text: 'typed', version: 'v', at: 1 }
  await service.drafts.keep(draft)
  await service.drafts.keep({ ...draft, text: 'typed more', at: 3 })
  await service.drafts.keep({ ...draft, file: 'lib/b.ts', version: null, at: 2 })
  expect(await serviceOf().drafts.list()).toEqual([
    { file: 'lib/b.ts', text: 'typed', version: null, at: 2 },
    { file: 'tools/greet.ts', text: 'typed more', version: 'v', at: 3 },
  ])
  await service.drafts.drop('lib/b.ts')
  expect((await service.drafts.list()).map(({ file }) => file)).toEqual(['tools/greet.ts'])
  await service.open(path.join(folder, 'lib'))
  expect(await service.drafts.list()).toEqual([])
  // A page that was not told yet of the other workspace.
  await service.draftsOf(folder).keep({ ...draft, text: 'typed last', at: 4 })
  expect(await service.drafts.list()).toEqual([])
  await service.open(folder)
  expect((await service.drafts.list()).map(({ text }) => text)).toEqual(['typed last'])
})

it('reports changes in the folder that was opened meanwhile', async () => {
  const other = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-other-')))
  const changes = service.watch(undefined)
  const next = changes.next()
  await service.open(other)
  await writeFile(path.join(other, 'second.ts'), '')
  expect((await next).value).toEqual({ files: ['second.ts'] })
  await changes.return()
})
