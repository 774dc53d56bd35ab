import { expect, it } from 'vitest'
import { connectTo } from '../../client/connect-to.ts'
import { ConnectError } from '../../client/errors.ts'
import { ConnectWatch, type ConnectWatchOptions } from './connect-watch.ts'

const NEVER = 2_000_000_000

function watchOf(options: Partial<ConnectWatchOptions>): { watch: ConnectWatch; told: Promise<string> } {
  const told = Promise.withResolvers<string>()
  const watch = new ConnectWatch({
    what: 'the server',
    timeoutMs: NEVER,
    noticeMs: NEVER,
    noJsonMs: Infinity,
    writeStderr: told.resolve,
    ...options,
  })
  return { watch, told: told.promise }
}

/** Connects to a program written in one line of JavaScript, which lives on. */
function connectToScript(script: string, watch: ConnectWatch): Promise<unknown> {
  const args = ['-e', `${script}; process.stdin.resume()`]
  return connectTo(
    { transport: 'stdio', command: process.execPath, args, env: {} },
    { identity: { name: 'test', version: '1' }, signal: watch.signal },
    { tap: watch.tap },
  ).then(
    () => 'connected',
    async (error: unknown) => {
      if (error instanceof ConnectError) await error.ended
      return error
    },
  )
}

it('gives up a process that writes only text, and keeps what it wrote', async () => {
  const { watch } = watchOf({ noJsonMs: 50 })
  expect(await connectToScript('console.log("Welcome"); console.log("again")', watch)).toMatchObject({
    code: 'cancelled',
    evidence: { strayOutput: 'Welcome' },
  })
  expect(watch.givenUp?.type).toBe('no-json')
  expect(watch.text).toMatchObject({ first: 'Welcome' })
})

it('gives up when the time for connecting is over, whatever was tried', async () => {
  const { watch } = watchOf({ timeoutMs: 50 })
  expect(await connectToScript('', watch)).toBeInstanceOf(ConnectError)
  expect(watch.givenUp).toEqual({ type: 'timeout', message: 'no answer within 50 ms' })
})

it('says what is waited for, with what the process wrote until then', async () => {
  const { watch, told } = watchOf({ noticeMs: 20 })
  watch.tap.record({ kind: 'stderr', direction: 'received', bytes: Buffer.from('installing\n\n') })
  watch.tap.record({ kind: 'invalid', direction: 'received', bytes: Buffer.from('hello'), reason: '' })
  expect((await told).split('\n')).toEqual([
    expect.stringMatching(/^Waiting for the server to answer \(up to .*--timeout MS/),
    '  It wrote text that is not JSON: hello',
    '  Its last line on stderr: installing',
  ])
  watch.connected()
})

it('does not count the time that a person takes', async () => {
  const { watch } = watchOf({ timeoutMs: 40 })
  const answered = Promise.withResolvers<string>()
  const pause = watch.paused(() => answered.promise)
  // Longer than the whole limit.
  await new Promise((resolve) => setTimeout(resolve, 80))
  expect(watch.givenUp).toBeUndefined()
  answered.resolve('yes')
  expect(await pause).toBe('yes')
  await new Promise((resolve) => watch.signal.addEventListener('abort', resolve))
  expect(watch.givenUp?.type).toBe('timeout')
})

it('does not give up a server that writes text and then messages', async () => {
  const { watch } = watchOf({ noJsonMs: 5 })
  watch.tap.record({ kind: 'invalid', direction: 'received', bytes: Buffer.from('hello'), reason: '' })
  watch.tap.record({ kind: 'message', direction: 'received', bytes: Buffer.from('{}') })
  const later = Promise.withResolvers<void>()
  setTimeout(later.resolve, 10)
  await later.promise
  expect(watch.givenUp).toBeUndefined()
  watch.connected()
})
