/**
 * Runs hosts for the tests of one worker, one after another, in this process: what a start loads and compiles is then there
 * for the next one. `host-process.ts` starts it and sends it `RunnerRequest`s.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from '../../server-core/launcher/ensure-built.ts'
import { BROWSER_PARTS } from '../../server-core/launcher/parts.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'
import type { RunnerReply, RunnerRequest } from './host-process.ts'
import { repository } from './start-app.ts'

const distFolder = path.join(repository, 'dist')

const built = await ensureBuilt(repository, BROWSER_PARTS, 2)
if (built.state !== 'ready') throw new Error('the window could not be built; see the errors above')
const entry = pathToFileURL(path.join(distFolder, 'host/browser-window.js')).href
const { runBrowserWindow } = (await import(
  entry
)) as typeof import('../../server-core/host/window/browser-window.ts')

let stopping = new AbortController()

async function run({ profile, port }: Extract<RunnerRequest, { type: 'start' }>): Promise<RunnerReply> {
  stopping = new AbortController()
  const options = {
    profile,
    port,
    mcpPort: 0,
    mode: 'headless',
    startFolder: repository,
    distFolder,
  } as const
  try {
    await runBrowserWindow(options, stopping.signal)
    return { type: 'stopped' }
  } catch (error) {
    return { type: 'failed', message: error instanceof Error ? (error.stack ?? '') : messageOf(error) }
  }
}

process.on('message', (request: RunnerRequest) => {
  if (request.type === 'stop') stopping.abort()
  else void run(request).then((reply) => process.send?.(reply))
})
// The worker that it works for has ended.
process.on('disconnect', () => process.exit(0))
process.send?.({ type: 'ready' } satisfies RunnerReply)
