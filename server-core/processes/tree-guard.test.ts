import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { MARK_VARIABLE, nextMark } from './process-mark.ts'
import { GUARD_SCRIPT } from './tree-guard.ts'

/** Returns the processes that would be killed, and shortens every wait. */
const HARMLESS = 'kill() { echo "$@" >&3; }; sleep() { :; }\n'

/** Runs the guard's script on this input, without its signals, and returns the signals it would have sent. */
async function signalsAfter(told: string): Promise<string[]> {
  const guard = spawn('/bin/sh', ['-c', HARMLESS + GUARD_SCRIPT, 'patchbay-guard', MARK_VARIABLE], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  })
  const said = guard.stdio[3]
  if (guard.stdin === null || !(said !== null && said !== undefined && 'read' in said))
    throw new Error('expected pipes')
  guard.stdin.end(told)
  const lines = await text(said)
  return [...new Set(lines.split('\n').filter((line) => line !== ''))]
}

it('ends nothing for no input, a part of a mark, or an invalid one', async () => {
  const mark = `${MARK_VARIABLE}=${nextMark()}`
  for (const told of [
    '',
    '\n',
    '\n\n\n',
    `${MARK_VARIABLE}=`,
    `${MARK_VARIABLE}=\n1\n`,
    mark,
    mark.slice(0, -9) + '\n',
    'P\n1\n',
    `${mark}\nnone\n`,
  ])
    expect([told, await signalsAfter(told)]).toEqual([told, []])
})

it('asks what carries the mark to end, then kills it, and nothing else', async () => {
  const mark = nextMark()
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => 0, 1000)'], {
    env: { [MARK_VARIABLE]: mark },
    detached: true,
  })
  await once(child.stdout, 'data')
  const sent = [`-s TERM ${child.pid}`, `-s KILL ${child.pid}`]
  expect(await signalsAfter(`${MARK_VARIABLE}=${mark}\n${child.pid}\n`)).toEqual(sent)
  // Killed before it could tell the pid, a host has told the mark.
  expect(await signalsAfter(`${MARK_VARIABLE}=${mark}\n`)).toEqual(sent)
  child.kill('SIGKILL')
  await once(child, 'exit')
})
