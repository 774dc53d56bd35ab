import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { electronExecutable, electronPackageFolder, type FetchOptions } from './electron-executable.ts'
import { ProgressLine } from './progress-line.ts'

let folder = ''
let packageFolder = ''
let server: Server | undefined
let shown: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-electron-'))
  shown = []
  vi.stubEnv('electron_config_cache', path.join(folder, 'cache'))
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', undefined)
  packageFolder = await packageCopy()
})

afterEach(async () => {
  vi.unstubAllEnvs()
  server?.closeAllConnections()
  server?.close()
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

/** A copy of the electron package that has no executable yet. */
async function packageCopy(): Promise<string> {
  const from = electronPackageFolder()
  const to = path.join(folder, 'node_modules/electron')
  await mkdir(to, { recursive: true })
  for (const name of ['package.json', 'install.js', 'index.js', 'checksums.json'])
    await cp(path.join(from, name), path.join(to, name))
  for (const scope of ['@electron', '@electron-internal'])
    await symlink(path.join(from, '..', scope), path.join(folder, 'node_modules', scope))
  return to
}

async function mirror(listener: RequestListener): Promise<void> {
  const listening = createServer(listener)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('the mirror has no port')
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${String(address.port)}/`)
}

async function find(quietMs = 20_000): Promise<ReturnType<typeof electronExecutable>> {
  const output = {
    isTTY: false,
    write: (text: string) => {
      shown.push(text.trim())
      return true
    },
  }
  const options: FetchOptions = {
    progress: new ProgressLine(output),
    signal: new AbortController().signal,
    quietMs,
    packageFolder,
  }
  return electronExecutable(options)
}

test('fetches it with progress shown, checks its sum and unpacks it', async () => {
  const { version } = JSON.parse(
    await readFile(path.join(electronPackageFolder(), 'package.json'), 'utf8'),
  ) as { version: string }
  const archive = zip({ electron: '#!/bin/sh\n', version })
  const name = `electron-v${version}-${process.platform}-${process.arch}.zip`
  await mirror((_request, response) => response.end(archive))
  const sum = createHash('sha256').update(archive).digest('hex')

  const refused = await find()
  expect(refused).toMatchObject({ state: 'unavailable', reason: expect.stringContaining('checksum') })

  await writeFile(path.join(packageFolder, 'checksums.json'), JSON.stringify({ [name]: sum }))
  const found = await find()
  expect(found).toEqual({ state: 'ready', file: path.join(packageFolder, 'dist/electron') })
  expect(shown).toContain(`Fetching Electron ${version} (once) …`)
  expect(shown).toContain(`Unpacking Electron ${version} …`)
})

test('gives up when nothing arrives any more', async () => {
  await mirror((_request, response) => {
    response.writeHead(200, { 'content-length': '1000000' })
    response.write('some bytes')
  })
  const found = await find(300)
  expect(found).toEqual({
    state: 'unavailable',
    reason: expect.stringMatching(/^Electron could not be fetched: .*nothing arrived for/),
  })
})

test.each([
  [
    'a status that is not a file',
    (): RequestListener => (_request, response) => response.writeHead(404).end(),
    /404/,
  ],
  [
    'a connection that breaks',
    (): RequestListener => (request) => request.socket.destroy(),
    /fetch failed \(/,
  ],
])('names %s', async (_name, listener, reason) => {
  await mirror(listener())
  expect(await find()).toEqual({ state: 'unavailable', reason: expect.stringMatching(reason) })
})

test('takes the folder that the user names, and says when it holds no executable', async () => {
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', folder)
  expect(await find()).toMatchObject({ state: 'unavailable', reason: expect.stringContaining(folder) })
  await writeFile(path.join(folder, 'electron'), '')
  expect(await find()).toEqual({ state: 'ready', file: path.join(folder, 'electron') })
})

/** A zip archive of stored files. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(text), 10)
    facts.writeUInt32LE(text.length, 14)
    facts.writeUInt32LE(text.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name + text)])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    centrals.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), facts, rest, Buffer.from(name)]),
    )
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(centrals)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(centrals.length, 4)
  end.writeUInt16LE(centrals.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, central, Buffer.from('PK\x05\x06'), end])
}
