import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RegistryChange } from '../../registry/entries.ts'
import { ScriptedInvocation } from '../../registry/scripted-invocation.test-support.ts'
import { apiServer } from '../api-server.test-support.ts'
import { composeRegistry, type ComposedRegistry } from '../compose.ts'
import { compositionSchema, type CompositionInput } from '../config-data.ts'
import type { OpenedSource } from '../opened-source.ts'
import { openDirectory } from './directory-source.ts'
import { openFile } from './file-source.ts'
import { openUrl } from './url-source.ts'

const closing: (() => Promise<unknown>)[] = []
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-resources-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function put(file: string, text: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
  await writeFile(path.join(folder, file), text)
}

async function composedOf(input: CompositionInput, prefix?: string) {
  const { files = [], directories = [], urls = [] } = compositionSchema.parse(input)
  const secretOf = (name: string) => Promise.resolve(name === 'token' ? 'Bearer t' : undefined)
  const opened: readonly OpenedSource[] = [
    ...(await Promise.all(files.map((data, at) => openFile(data, { id: `file ${at}`, folder })))),
    ...(await Promise.all(
      directories.map((data, at) => openDirectory(data, { id: `folder ${at}`, folder })),
    )),
    ...urls.map((data, at) => openUrl(data, { id: `url ${at}`, secretOf })),
  ]
  for (const each of opened) closing.push(() => each.close())
  return { opened, composed: composeRegistry(opened.map(({ source }) => ({ ...source, prefix }))) }
}

async function read(composed: ComposedRegistry, uri: string) {
  const found = composed.resourceFor(uri)
  if (found === undefined) throw new Error(`nothing reads ${uri}`)
  return (await found.read(new ScriptedInvocation())).contents
}

/** Resolves when a change comes that is like that. */
function heard(
  composed: ComposedRegistry,
  isIt: (change: RegistryChange) => boolean,
): Promise<RegistryChange> {
  return new Promise((resolve) => {
    const stop = composed.onChange((change) => {
      if (!isIt(change)) return
      stop()
      resolve(change)
    })
  })
}

const updated = (uri: string) => (change: RegistryChange) => change.type === 'updated' && change.uri === uri

describe('a file', () => {
  it('is read as it is then, as text or bytes, and told when it changes while somebody is subscribed', async () => {
    await put('docs/a note.md', '# One')
    await put('logo.png', Buffer.from([1, 2, 3]))
    const { composed } = await composedOf({
      files: ['docs/a note.md', { path: 'logo.png', uri: 'shop://logo', name: 'Logo' }],
    })
    const uri = 'file:///docs/a%20note.md'
    expect(composed.resources()).toMatchObject([
      { uri, name: 'a note.md', mimeType: 'text/markdown' },
      { uri: 'shop://logo', name: 'Logo', mimeType: 'image/png' },
    ])
    expect(await read(composed, uri)).toEqual([{ uri, mimeType: 'text/markdown', text: '# One' }])
    expect(await read(composed, 'shop://logo')).toMatchObject([{ blob: 'AQID' }])

    const stop = await composed.upstream.subscribe(uri)
    const changed = heard(composed, updated(uri))
    // As editors save: another file takes its place.
    await put('docs/new', '# Two')
    await rename(path.join(folder, 'docs/new'), path.join(folder, 'docs/a note.md'))
    await changed
    expect(await read(composed, uri)).toMatchObject([{ text: '# Two' }])
    stop()
    await unlink(path.join(folder, 'docs/a note.md'))
    // Listed no more, or not there when it is read: whichever comes first.
    await expect(read(composed, uri)).rejects.toThrow(/nothing reads|no resource/)
  })

  it('that leads out of the workspace, is too large or none is refused', async () => {
    const outside = await mkdtemp(path.join(os.tmpdir(), 'patchbay-outside-'))
    closing.push(() => rm(outside, { recursive: true, force: true }))
    await writeFile(path.join(outside, 'secret'), 'secret')
    await symlink(path.join(outside, 'secret'), path.join(folder, 'link'))
    await put('large', 'x'.repeat(100))
    await mkdir(path.join(folder, 'sub'))
    const { composed } = await composedOf({
      files: [
        { path: path.join('..', path.basename(outside), 'secret'), uri: 'x:up' },
        { path: 'link', uri: 'x:link' },
        { path: 'large', uri: 'x:large', maximumBytes: 99 },
        { path: 'sub', uri: 'x:sub' },
      ],
    })
    expect(composed.resources().map(({ uri }) => uri)).toEqual(['x:large'])
    await expect(read(composed, 'x:large')).rejects.toThrow('has 100 bytes; 99 at most')
    const refused = { state: 'failing', fault: { code: 'outside' } }
    expect(composed.entries()).toMatchObject([
      { shownName: 'x:up', ...refused },
      { shownName: 'x:link', ...refused },
      { shownName: 'x:large', state: 'served' },
      {
        shownName: 'x:sub',
        state: 'failing',
        fault: { message: `${path.join(folder, 'sub')} is not a file` },
      },
    ])
    // It was one when it was looked for.
    await unlink(path.join(folder, 'large'))
    await symlink(path.join(outside, 'secret'), path.join(folder, 'large'))
    await expect(read(composed, 'x:large')).rejects.toThrow()
  })

  it('that is not there is an entry with its fault, and comes and goes with the file', async () => {
    const { composed } = await composedOf({ files: ['later/a.md'] })
    const uri = 'file:///later/a.md'
    const missing = { code: 'configuration', message: `there is no file ${path.join(folder, 'later/a.md')}` }
    const failing = [{ key: `resource:${uri}`, state: 'failing', fault: missing }]
    expect(composed.resources()).toEqual([])
    expect(composed.entries()).toMatchObject(failing)
    for (const text of ['# One', '# Two']) {
      const came = heard(composed, ({ type }) => type === 'list')
      await put('later/a.md', text)
      await came
      expect(composed.entries()).toMatchObject([{ state: 'served' }])
      expect(await read(composed, uri)).toMatchObject([{ text }])
      const gone = heard(composed, ({ type }) => type === 'list')
      await rm(path.join(folder, 'later'), { recursive: true })
      await gone
      expect(composed.entries()).toMatchObject(failing)
    }
  })
})

describe('a folder', () => {
  it('lists what fits its pattern, hidden files and folders in it only if asked', async () => {
    for (const file of [
      'a.md',
      'b.txt',
      'sub/c.md',
      'sub/deep/d.md',
      '.hidden.md',
      '.git/e.md',
      'out/f.md',
    ]) {
      await put(`docs/${file}`, file)
    }
    const listed = async (more: object) => {
      const { composed } = await composedOf({ directories: [{ folder: 'docs', uri: 'docs://', ...more }] })
      return composed.resources().map(({ uri }) => uri.slice('docs://'.length))
    }
    expect(await listed({})).toEqual(['a.md', 'b.txt', 'out/f.md', 'sub/c.md', 'sub/deep/d.md'])
    expect(await listed({ pattern: '**/*.md', exclude: 'out/**' })).toEqual([
      'a.md',
      'sub/c.md',
      'sub/deep/d.md',
    ])
    expect(await listed({ recursive: false, hidden: true })).toEqual(['.hidden.md', 'a.md', 'b.txt'])
    expect(await listed({ hidden: true, pattern: ['**/e.md', '*.txt'] })).toEqual(['.git/e.md', 'b.txt'])
  })

  it('reports what comes, changes and goes, and reads what it lists and nothing else', async () => {
    await put('docs/one.md', '1')
    await put('secret.md', 'secret')
    const { composed } = await composedOf({ directories: [{ folder: 'docs', pattern: '**/*.md' }] }, 'p')
    expect(composed.resources().map(({ uri }) => uri)).toEqual(['file://p//docs/one.md'])
    const uri = composed.resources()[0]?.uri ?? ''
    expect(await read(composed, uri)).toEqual([{ uri, mimeType: 'text/markdown', text: '1' }])
    const came = heard(composed, ({ type }) => type === 'list')
    await put('docs/new/two.md', '2')
    await came
    expect(composed.resources()).toHaveLength(2)
    const changed = heard(composed, updated(uri))
    await put('docs/one.md', 'one')
    await changed
    const gone = heard(composed, ({ type }) => type === 'list')
    await unlink(path.join(folder, 'docs/one.md'))
    await gone
    expect(composed.resources().map(({ name }) => name)).toEqual(['new/two.md'])
    const base = uri.slice(0, -'one.md'.length)
    for (const other of [
      '../secret.md',
      '%2e%2e%2fsecret.md',
      'none.md',
      '..%5csecret.md',
      '%2fetc%2fhosts.md',
    ]) {
      await expect(read(composed, `${base}${other}`)).rejects.toThrow()
    }
    const completion = await composed.complete(
      { type: 'ref/resource', uri: `${base}{+path}` },
      { name: 'path', value: 'NEW' },
      {},
      new ScriptedInvocation(),
    )
    expect(completion?.values).toEqual(['new/two.md'])
  })

  it('follows no link out of it, lists no more than it may, and says so where it is not there', async () => {
    await put('docs/a', 'a')
    await put('docs/b', 'b')
    await put('else/c', 'c')
    await symlink(path.join(folder, 'else'), path.join(folder, 'docs/linked'))
    await symlink(path.join(folder, 'else/c'), path.join(folder, 'docs/c'))
    await symlink(path.join(folder, 'docs/a'), path.join(folder, 'docs/same'))
    const { opened, composed } = await composedOf({
      directories: [
        { folder: 'docs', uri: 'd://' },
        { folder: 'docs', uri: 'e://', maximumFiles: 1 },
        'none',
        '..',
      ],
    })
    expect(composed.resources().map(({ uri }) => uri)).toEqual(['d://a', 'd://b', 'd://same', 'e://a'])
    await expect(read(composed, 'd://linked/c')).rejects.toThrow('is not in the folder')
    expect(opened.map((each) => each.fault()?.code)).toEqual([
      undefined,
      'too-many',
      'configuration',
      'outside',
    ])
    expect(await read(composed, 'e://b')).toMatchObject([{ text: 'b' }])
  })

  it.each([true, false])(
    'that comes later is listed then, and its fault is over (recursive: %s)',
    async (recursive) => {
      const { opened, composed } = await composedOf({
        directories: [{ folder: 'later/docs', uri: 'd://', recursive, hidden: true }],
      })
      const [source] = opened
      const message = `there is no folder ${path.join(folder, 'later/docs')}`
      for (const text of ['one', 'two']) {
        expect(source?.fault()).toMatchObject({ message })
        const came = heard(composed, ({ type }) => type === 'list')
        await put('later/beside.md', 'nobody asked for it')
        await put('later/docs/a.md', text)
        await came
        expect(source?.fault()).toBeUndefined()
        expect(composed.resources().map(({ uri }) => uri)).toEqual(['d://a.md'])
        expect(await read(composed, 'd://a.md')).toMatchObject([{ text }])
        const gone = new Promise<void>((resolve) => {
          source?.onFault(() => source.fault() !== undefined && resolve())
        })
        await rm(path.join(folder, 'later'), { recursive: true })
        await gone
        expect(composed.resources()).toEqual([])
      }
    },
  )

  it('lists its files as JSON too, if asked, and notifies of changes', async () => {
    await put('docs/a note.md', '12')
    const { composed } = await composedOf({ directories: [{ folder: 'docs', listing: true }] }, 'p')
    const [listing] = composed.resources()
    expect(listing).toMatchObject({ uri: 'file://p//docs/', name: 'docs', mimeType: 'application/json' })
    const uri = listing?.uri ?? ''
    const listed = async () => {
      const [content] = await read(composed, uri)
      return JSON.parse(String(content?.['text'])) as { files: { path: string; href: string }[] }
    }
    const first = await listed()
    expect(first).toMatchObject({
      folder: 'docs',
      files: [{ path: 'a note.md', href: 'a%20note.md', mimeType: 'text/markdown', size: 2 }],
      isComplete: true,
    })
    expect(await read(composed, new URL(first.files[0]?.href ?? '', uri).href)).toMatchObject([
      { text: '12' },
    ])
    const changed = heard(composed, updated(uri))
    await put('docs/deeper/b.txt', '')
    await changed
    // The directory and the file in it may be two changes.
    await expect
      .poll(async () => (await listed()).files.map(({ path: file }) => file))
      .toEqual(['a note.md', 'deeper/b.txt'])
    await rm(path.join(folder, 'docs'), { recursive: true })
    await expect.poll(() => listed().catch((error: unknown) => String(error))).toContain('no resource')
  })

  it('may be a link in the workspace, and is followed behind it', async () => {
    await put('docs/a', 'a')
    await symlink('docs', path.join(folder, 'linked'))
    const { composed } = await composedOf({ directories: [{ folder: 'linked', uri: 'l://' }] })
    expect(composed.resources().map(({ uri, name }) => `${name} ${uri}`)).toEqual(['a l://a'])
    const comes = heard(composed, ({ type }) => type === 'list')
    await put('docs/b', 'b')
    await comes
    expect(await read(composed, 'l://b')).toMatchObject([{ text: 'b' }])
  })
})

describe('a URL', () => {
  it('is asked for with the validator of its last answer, and looked at while somebody is subscribed', async () => {
    let content = 'one'
    const sent: number[] = []
    const api = await apiServer(({ headers }) => {
      const status = headers['if-none-match'] === `"${content}"` ? 304 : 200
      sent.push(status)
      const body = status === 304 ? '' : content
      return { status, body, headers: { 'content-type': 'text/plain; charset=utf-8', etag: `"${content}"` } }
    })
    closing.push(api.close)
    const url = `${api.url}/news.txt`
    const { composed } = await composedOf({
      urls: [{ url, pollMs: 100, headers: { authorization: { secret: 'token' } } }],
    })
    expect(composed.resources()).toMatchObject([{ uri: url, name: 'news.txt' }])
    expect(await read(composed, url)).toEqual([{ uri: url, mimeType: 'text/plain', text: 'one' }])
    expect(await read(composed, url)).toMatchObject([{ text: 'one' }])
    expect(sent).toEqual([200, 304])
    expect(api.seen[0]?.headers.authorization).toBe('Bearer t')
    const stop = await composed.upstream.subscribe(url)
    const changed = heard(composed, updated(url))
    content = 'two'
    await changed
    expect(await read(composed, url)).toMatchObject([{ text: 'two' }])
    stop()
  })

  it('must answer within its time limit', async () => {
    const over = Promise.withResolvers<undefined>()
    const api = await apiServer(async () => {
      await over.promise
      return { body: 'late' }
    })
    closing.push(api.close)
    const url = `${api.url}/slow`
    const { composed } = await composedOf({ urls: [{ url, timeoutMs: 50 }] })
    await expect(read(composed, url)).rejects.toThrow(/50 ms/)
    over.resolve(undefined)
    expect(() => compositionSchema.parse({ urls: [{ url, timeoutMs: 0 }] })).toThrow('timeoutMs')
  })

  it('that is not there, fails or is too large says so', async () => {
    const api = await apiServer(({ url }) => ({
      status: url === '/gone' ? 410 : url === '/bad' ? 500 : 200,
      body: 'x'.repeat(100),
    }))
    closing.push(api.close)
    const { composed } = await composedOf({
      urls: [
        `${api.url}/gone`,
        `${api.url}/bad`,
        { url: `${api.url}/large`, maximumBytes: 99 },
        'http://169.254.1.1/',
      ],
    })
    await expect(read(composed, `${api.url}/gone`)).rejects.toThrow('no resource')
    await expect(read(composed, `${api.url}/bad`)).rejects.toThrow('answered 500')
    await expect(read(composed, `${api.url}/large`)).rejects.toThrow('99')
    await expect(read(composed, 'http://169.254.1.1/')).rejects.toThrow('link-local')
  })
})
