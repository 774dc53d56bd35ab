import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { MARK_VARIABLE, runMark } from '../../processes/process-mark.ts'
import { bootName, identityOf } from '../../processes/process-table.ts'
import { startTestHost } from '../host.test-support.ts'

it('ends at its start what a run that was killed has left, says so, and keeps a journal of its own', async () => {
  const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-leftovers-'))
  const run = '5b0c4f9e-0000-4000-8000-0123456789ab'
  const left = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => 0, 1000)'], {
    env: { [MARK_VARIABLE]: `${runMark(run)}1/` },
    detached: true,
  })
  const gone = once(left, 'exit')
  await once(left.stdout, 'data')
  const started = await identityOf(left.pid ?? 0)
  const head = { run, boot: bootName(), host: { pid: process.pid, startedAt: 1 } }
  await mkdir(path.join(profile, 'processes'))
  const lines = [head, { started, command: 'a-server' }].map((line) => `${JSON.stringify(line)}\n`)
  await writeFile(path.join(profile, 'processes', `${run}.jsonl`), lines.join(''))

  const test = await startTestHost({ profile })
  expect(await gone).toEqual([null, 'SIGTERM'])
  await expect
    .poll(async () => (await test.client.app.info()).notices)
    .toMatchObject([
      {
        tone: 'info',
        title: 'A process that an earlier run had left was ended',
        detail: 'Patchbay itself was killed while servers ran (a-server).',
      },
    ])
  expect(await readdir(path.join(profile, 'processes'))).toHaveLength(1)
  await test.close()
  expect(await readdir(path.join(profile, 'processes'))).toEqual([])
})
