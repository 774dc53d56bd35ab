import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import {
  call,
  connect,
  SDKS,
  serveWorkspace,
  SLOW,
  type Peer,
  type Served,
} from '../workspace-clients.test-support.ts'
import { PROGRAMS } from './programs.ts'

const run = promisify(execFile)
let workspace: Served

/** A folder with files and a repository, for the programs to work in. */
const served = serveWorkspace(async (folder) => {
  await mkdir(path.join(folder, 'src'))
  await writeFile(path.join(folder, 'src', 'one.txt'), 'first line\nsecond line\nthird\n')
  await writeFile(path.join(folder, 'src', 'two.txt'), 'a line of two\n')
  const git = (...words: string[]) =>
    run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], { cwd: folder })
  await git('init', '--quiet')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'Begin; echo "$HOME"')
  const env = { COMMANDS_FOLDER: folder, PATH: process.env['PATH'] ?? '' }
  workspace = { folder: import.meta.dirname, env }
  return workspace
})

describe.each(SDKS)('%s', SLOW, (sdk) => {
  test('over HTTP, declared programs are tools and nothing else is', async () => {
    const peer = await connect(sdk, { url: served.url })
    const { tools } = await peer.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(PROGRAMS).toSorted())
    expect(tools.find(({ name }) => name === 'git_log')?.inputSchema).toMatchObject({
      properties: { count: { type: 'integer', minimum: 1, maximum: 200, default: 10 } },
      additionalProperties: false,
    })

    expect(await call(peer, 'git_log')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^[0-9a-f]{7,} \d{4}-\d\d-\d\d Ada: Begin; echo "\$HOME"\n$/) as string,
    })
    expect(await call(peer, 'count_words', { files: ['src/one.txt', 'src/two.txt'] })).toMatchObject({
      stdout: expect.stringMatching(/ 4 +9 +\d+ total\n/) as string,
    })
    expect(
      await call(peer, 'sort_lines', { text: '10\n9\n10\n', numeric: true, unique: true }),
    ).toMatchObject({
      stdout: '9\n10\n',
    })
    expect(await call(peer, 'search_text', { pattern: 'no such words' })).toMatchObject({
      exitCode: 1,
      meaning: 'Nothing fits.',
    })

    const out = await peer.callTool({ name: 'list_files', arguments: { path: '..' } })
    expect(out).toMatchObject({ isError: true, content: [{ text: '"path" leads out of the folder: ..' }] })
    const bad = await peer.callTool({ name: 'search_text', arguments: { pattern: '(' } })
    expect(bad).toMatchObject({ isError: true, structuredContent: { exitCode: 2 } })
  })

  test('over stdio, lines come as progress while a program runs', async () => {
    const peer = await connect(sdk, workspace)
    const lines: (string | undefined)[] = []
    onProgress(sdk, peer, ({ params }) => lines.push(params.message))
    const params = {
      name: 'search_text',
      arguments: { pattern: 'line', path: 'src' },
      _meta: { progressToken: 'lines' },
    }
    expect(await peer.callTool(params)).toMatchObject({ structuredContent: { exitCode: 0 } })
    await expect
      .poll(() => lines.toSorted())
      .toEqual(['src/one.txt:1:first line', 'src/one.txt:2:second line', 'src/two.txt:1:a line of two'])
  })
})

type Progress = { readonly params: { readonly message?: string } }

/**
 * Learns of all progress. What the SDKs offer beside a call forgets what comes in one piece with its result, which a quick
 * program brings about.
 */
function onProgress(sdk: string, peer: Peer, listener: (progress: Progress) => void): void {
  const { setNotificationHandler } = peer as unknown as {
    setNotificationHandler: (...words: unknown[]) => void
  }
  const what = sdk.startsWith('SDK v1') ? ProgressNotificationSchema : 'notifications/progress'
  setNotificationHandler.apply(peer, [what, listener])
}
