import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCli, patchbay } from '../../server-core/cli/cli-process.test-support.ts'
import { buildParts } from '../../server-core/launcher/build-parts.ts'
import { BROWSER_PARTS, PARTS } from '../../server-core/launcher/parts.ts'
import { freePort } from '../../server-core/free-port.test-support.ts'
import { exchange, openSession } from '../../server-core/server/interop/http-raw.test-support.ts'
import { isListening, repository, StartedCommand } from '../signals/started-command.ts'

let home = ''
beforeAll(async () => {
  await buildCli()
  await buildParts(
    repository,
    PARTS.filter(({ name }) => BROWSER_PARTS.includes(name)),
  )
  home = await mkdtemp(path.join(tmpdir(), 'patchbay-file-modes-'))
}, 120_000)
afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))

/** Starts a command whose user lets everybody read and write what it makes. */
function startOpenly(command: readonly string[]): StartedCommand {
  return new StartedCommand(['sh', '-c', 'umask 000; exec "$@"', 'sh', ...command], { home })
}

/** The user's own files, and those of npm. */
const NOT_OURS = ['workspace', '.npm']

/** What other users of the machine may open in a folder. Files in a folder closed to them cannot be reached. */
async function openToOthers(folder: string): Promise<string[]> {
  const open: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (NOT_OURS.includes(entry.name) || entry.isSymbolicLink()) continue
    const place = path.join(folder, entry.name)
    const mode = (await stat(place)).mode & 0o777
    if ((mode & 0o077) === 0) continue
    open.push(`${mode.toString(8)} ${path.relative(home, place)}`)
    if (entry.isDirectory()) open.push(...(await openToOthers(place)))
  }
  return open
}

it.runIf(process.platform !== 'win32')(
  'no file, folder or socket that serve or the window makes can be opened by other users, whatever the umask',
  async () => {
    const folder = path.join(home, 'workspace')
    await mkdir(path.join(folder, 'tools'), { recursive: true })
    const script = `import { tool } from 'patchbay'\nexport default tool({ run: () => 'here' })\n`
    await writeFile(path.join(folder, 'tools/hello.ts'), script)
    const record = path.join(home, 'calls.ndjson')
    const profile = ['--profile', path.join(home, 'profile')]
    const serving = [process.execPath, patchbay, 'serve', folder, '--trust', '--http', '--record', record]
    const served = startOpenly([...serving, ...profile])
    const url = await served.url()
    const session = await openSession(url.href)
    await (
      await session.request(1, 'tools/call', { name: 'hello', arguments: {} })
    ).ended

    const port = await freePort()
    const launcher = path.join(repository, 'server-core/launcher/start.ts')
    const flags = ['--headless', '--mcp-port', String(port), ...profile]
    const window = startOpenly([process.execPath, launcher, ...flags])
    const embedded = new URL(`http://127.0.0.1:${port}/mcp`)
    await expect.poll(() => isListening(embedded)).toBe(true)
    await expect
      .poll(async () => (await exchange(embedded.href, { method: 'GET' })).status)
      .toBeGreaterThan(0)

    expect(await readdir(home)).toEqual(expect.arrayContaining(['calls.ndjson', 'profile']))
    expect(await openToOthers(home)).toEqual([])
    for (const command of [served, window]) process.kill(command.pid, 'SIGTERM')
    expect([await served.left(), await window.left()]).toEqual([[], []])
    expect(await openToOthers(home)).toEqual([])
  },
)
