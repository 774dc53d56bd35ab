/**
 * `npm run bench:install`: what it takes to install and start Patchbay, the official Inspector and mcp-use, each the
 * same way in the same run: from an empty npm cache, then installed. The package is built first.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { median } from './median.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')
const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const SERVER = [process.execPath, EVERYTHING, 'stdio']
const LIMIT_MS = 300_000

type Program = {
  readonly name: string
  readonly spec: string
  /** Its command, below `node_modules`. */
  readonly file: string
  /** Lists the tools of the server; undefined if it has no such command for a program. */
  readonly list?: readonly string[]
  /** Serves its window, and what it prints once that is there. */
  readonly window: readonly string[]
  readonly address: RegExp
}

const PROGRAMS: readonly Program[] = [
  {
    name: 'Patchbay',
    spec: await packed(),
    file: 'mcp-patchbay/bin/patchbay.cjs',
    list: ['list', 'tools', '--', ...SERVER],
    window: ['--headless', '--mcp-port', '0', ...SERVER],
    address: /Patchbay is at (\S+)/,
  },
  {
    name: 'Inspector',
    spec: '@modelcontextprotocol/inspector@2.12.0',
    file: '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    list: ['--cli', ...SERVER, '--method', 'tools/list'],
    window: ['--web', ...SERVER],
    address: /(http:\/\/127\.0\.0\.1:\d+\S*)/,
  },
  {
    name: 'mcp-use',
    spec: '@mcp-use/inspector@20.3.10',
    file: '@mcp-use/inspector/dist/cli.js',
    window: ['--no-open', '--port', '18080'],
    address: /started at (\S+)/,
  },
]

/** The official client in as few lines as it takes. */
const MINIMAL = `
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
const client = new Client({ name: 'minimal', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command: ${JSON.stringify(SERVER[0])}, args: ${JSON.stringify(SERVER.slice(1))} }))
console.log(JSON.stringify(await client.listTools()))
await client.close()
`

async function packed(): Promise<string> {
  const { stdout } = await run(process.execPath, [path.join(root, 'tools/package/build-package.ts')], {
    cwd: root,
  })
  return stdout.trim()
}

async function bytesIn(folder: string): Promise<{ bytes: number; files: number; esbuild: number }> {
  let [bytes, files, esbuild] = [0, 0, 0]
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const { size } = await stat(file)
    bytes += size
    files += 1
    if (/esbuild[\\/](?:[^\\/]+[\\/])?bin[\\/]esbuild/.test(file)) esbuild += size
  }
  return { bytes, files, esbuild }
}

/** Milliseconds until a command has ended, with its output unread. */
async function timeOf(words: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now()
  await run(process.execPath, [...words], { cwd: folder, env, timeout: LIMIT_MS, maxBuffer: 2 ** 26 })
  return performance.now() - began
}

/** Milliseconds until the page of a window is answered. */
async function windowTime(
  { file, window, address }: Program,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [path.join(folder, 'node_modules', file), ...window], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    let text = ''
    const found = Promise.withResolvers<string>()
    const look = (bytes: Buffer): void => {
      text += bytes.toString()
      const [, at] = address.exec(text) ?? []
      if (at !== undefined) found.resolve(at)
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.once('exit', () => found.reject(new Error(`${file} ended:\n${text}`)))
    const response = await fetch(await found.promise)
    await response.arrayBuffer()
    return performance.now() - began
  } finally {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const rounds = Number(values.rounds)
const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-install-'))
const MB = (bytes: number): string => (bytes / 1e6).toFixed(1)
const ms = (time: number | undefined): string => (time === undefined ? '-' : `${Math.round(time)} ms`)
try {
  const rows: string[][] = [
    ['', 'installed', 'without esbuild', 'files', 'install', 'install + list', 'list', 'window'],
  ]
  for (const program of PROGRAMS) {
    const place = path.join(folder, program.name)
    const home = path.join(place, 'home')
    await mkdir(home, { recursive: true })
    await writeFile(path.join(place, 'package.json'), '{ "private": true }')
    const env = {
      ...process.env,
      HOME: home,
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_INSPECTOR_SECRET_STORE: 'memory',
      npm_config_cache: path.join(place, 'cache'),
    }
    const began = performance.now()
    await run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', program.spec], {
      cwd: place,
      env,
      timeout: LIMIT_MS,
    })
    const install = performance.now() - began
    const size = await bytesIn(path.join(place, 'node_modules'))
    const command = path.join(place, 'node_modules', program.file)
    const first = program.list && (await timeOf([command, ...program.list], place, env))
    const lists: number[] = []
    const windows: number[] = []
    // The first window fills the caches.
    await windowTime(program, place, env)
    for (let round = 0; round < rounds; round += 1) {
      if (program.list) lists.push(await timeOf([command, ...program.list], place, env))
      windows.push(await windowTime(program, place, env))
    }
    rows.push([
      program.name,
      `${MB(size.bytes)} MB`,
      `${MB(size.bytes - size.esbuild)} MB`,
      String(size.files),
      ms(install),
      first === undefined ? '-' : ms(install + first),
      lists.length === 0 ? '-' : ms(median(lists)),
      ms(median(windows)),
    ])
  }
  const minimal = path.join(root, '.build', 'minimal-client.mjs')
  await writeFile(minimal, MINIMAL)
  const ours = path.join(folder, 'Patchbay')
  const env = { ...process.env, HOME: path.join(ours, 'home') }
  const list = [path.join(ours, 'node_modules/mcp-patchbay/bin/patchbay.cjs'), ...(PROGRAMS[0]?.list ?? [])]
  const ratios: number[] = []
  for (let round = 0; round < rounds * 2; round += 1) {
    const official = await timeOf([minimal], root, env)
    ratios.push((await timeOf(list, ours, env)) / official)
  }
  for (const row of rows) console.log(row.map((cell) => cell.padEnd(16)).join(''))
  console.log(`\npatchbay list: ${median(ratios).toFixed(2)} × a minimal script with the official client`)
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
