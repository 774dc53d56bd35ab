import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withFileLock } from '../workspace/file-lock.ts'
import { tidyProfile } from './tidy-profile.ts'

let profile = ''
/** The number of a process that has ended. */
const dead = spawnSync(process.execPath, ['-e', '']).pid
const temporary = (file: string, pid: number | undefined, letter = 'a') =>
  `${file}.${String(pid)}-${letter.repeat(12)}.tmp`
const never = new AbortController().signal

beforeEach(async () => {
  profile = await mkdtemp(path.join(tmpdir(), 'patchbay-tidy-'))
})
afterEach(() => rm(profile, { recursive: true, force: true }))

async function put(name: string, at?: number): Promise<string> {
  const file = path.join(profile, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, 'a secret, perhaps')
  if (at !== undefined) await utimes(file, at, at)
  return file
}

/** Makes a lock as its holder left it so many seconds ago. */
async function lock(name: string, ageS: number): Promise<void> {
  const place = path.join(profile, name)
  await mkdir(place, { recursive: true })
  const at = Date.now() / 1_000 - ageS
  await utimes(place, at, at)
}

const left = async () => (await readdir(profile, { recursive: true })).sort()

test('temporary files and locks of dead processes go, everything else stays', async () => {
  await put('settings.json')
  await put('notes.tmp')
  await put('drafts/abc/def.json')
  await put('workspace/yarn.lock')
  await put('workspace/full.lock/file')
  await put(`workspace/node_modules/${temporary('a.json', dead)}`)
  const before = await left()
  await put(temporary('secrets.json', dead))
  await put(temporary('secrets.json.previous', dead))
  await put(temporary('drafts/abc/def.json', dead))
  await put(temporary('workspace/patchbay.json', dead))
  await put(temporary('old.json', process.pid), Date.now() / 1_000 - process.uptime() - 60)
  await lock('settings.json.lock', 60)
  await lock('workspace/patchbay.json.lock', 60)
  await tidyProfile(profile, never)
  expect(await left()).toEqual(before)
})

test('what living processes use stays', async () => {
  const alive = fork(path.join(import.meta.dirname, '../workspace/tidy-holder.test-support.ts'), [profile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    await once(alive, 'message')
    await put(temporary('a.json', alive.pid))
    await put(temporary('b.json', process.pid))
    // Another process writes this file: the number may be of another system that shares the folder.
    await put(temporary('held.json', dead))
    const before = await left()
    await tidyProfile(profile, never)
    expect(await left()).toEqual(before)
  } finally {
    alive.kill('SIGKILL')
    await once(alive, 'exit')
  }
}, 30_000)

test('a lock whose holder was killed just now goes once it is old enough', async () => {
  await lock('settings.json.lock', 3.9)
  await tidyProfile(profile, never)
  expect(await left()).toEqual([])
})

test('locks that are held are left, and giving up ends the wait', async () => {
  await withFileLock(path.join(profile, 'settings.json'), async () => {
    const stop = new AbortController()
    const tidying = tidyProfile(profile, stop.signal)
    stop.abort()
    await tidying
    expect(await left()).toEqual(['settings.json.lock'])
  })
})
