import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { alive } from '../../../server-core/processes/testing/alive.test-support.ts'
import { runProgram, type RunOptions } from './run-program.ts'

function run(source: string, options: Partial<RunOptions> = {}) {
  return runProgram({
    program: process.execPath,
    words: ['-e', source],
    folder: tmpdir(),
    env: {},
    input: undefined,
    timeLimitMs: 15_000,
    outputBytes: 1_000,
    signal: new AbortController().signal,
    onLine: () => undefined,
    ...options,
  })
}

/** A program that starts another, tells its pid, and neither ends nor minds a polite end. */
const STUBBORN = `process.on('SIGTERM', () => {})
const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")'], { stdio: ['ignore', 'inherit', 'ignore'] })
console.log(pid)
setInterval(() => {}, 1000)`

test('output, exit code and input go through, line by line and to the end', async () => {
  const lines: string[] = []
  const ended = await run(
    'process.stdin.on("data", (b) => process.stdout.write(b)).on("end", () => { console.error("bad"); process.exit(3) })',
    { input: 'one\ntwö\n', onLine: (line) => lines.push(line) },
  )
  expect(ended).toMatchObject({
    exitCode: 3,
    signal: null,
    stdout: 'one\ntwö\n',
    stderr: 'bad\n',
    isCut: false,
  })
  expect(lines.toSorted()).toEqual(['bad', 'one', 'twö'])
})

test('output beyond the limit is read and left out', async () => {
  const ended = await run('process.stdout.write("x".repeat(5_000_000)); process.stdout.write("end")')
  expect(ended).toMatchObject({ exitCode: 0, stdout: 'x'.repeat(1_000), isCut: true })
})

test('it gets the variables that it is given and no other', async () => {
  const { stdout } = await run('console.log(JSON.stringify(process.env))', { env: { TZ: 'UTC' } })
  expect(JSON.parse(stdout)).toEqual({ TZ: 'UTC' })
})

test('after its time it ends with all that it started', async () => {
  const pids: number[] = []
  const ended = await run(STUBBORN, {
    timeLimitMs: 1_000,
    onLine: (line) => {
      if (/^\d+$/.test(line)) pids.push(Number(line))
    },
  })
  expect(ended).toMatchObject({ exitCode: null, signal: 'SIGKILL', isLate: true })
  expect(pids).toHaveLength(1)
  await expect.poll(() => alive(pids)).toEqual([])
})

test('a cancelled call ends it too', async () => {
  const controller = new AbortController()
  let child = 0
  const running = run(STUBBORN, {
    signal: controller.signal,
    onLine: (line) => {
      if (/^\d+$/.test(line)) child = Number(line)
      if (line === 'up') controller.abort(new Error('cancelled'))
    },
  })
  await expect(running).rejects.toThrow('cancelled')
  await expect.poll(() => alive([child])).toEqual([])
})

test('a program that is not there is an error of the system', async () => {
  await expect(run('', { program: 'no-such-program' })).rejects.toMatchObject({ code: 'ENOENT' })
})
