import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { controlPath } from './control-path.ts'
import { askRunningInstance, claimInstance, type Activation, type Instance } from './instance.ts'

async function newProfile(depth = 0): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-instance-'))
  const profile = path.join(folder, ...Array.from({ length: depth }, () => 'a-folder-with-a-long-name'))
  await mkdir(profile, { recursive: true })
  return profile
}

function claim(profile: string, onActivate = (): void => undefined): Promise<Instance> {
  return claimInstance({
    profile,
    describe: () => Promise.resolve({ mode: 'browser', address: 'http://127.0.0.1:1/#token=x' }),
    onActivate: () => {
      onActivate()
      return Promise.resolve()
    },
  })
}

async function close(instance: Instance): Promise<void> {
  if (instance.state === 'first') await instance.close()
}

it.each([0, 6])(
  'lets the first start have the profile and hands every later one over (%i folders deep)',
  async (depth) => {
    const profile = await newProfile(depth)
    let activations = 0
    const first = await claim(profile, () => (activations += 1))
    expect(first.state).toBe('first')
    for (let n = 1; n <= 3; n += 1) {
      expect(await claim(profile)).toEqual({
        state: 'second',
        running: { mode: 'browser', address: 'http://127.0.0.1:1/#token=x', pid: process.pid },
      })
      expect(activations).toBe(n)
    }
    await close(first)
    const next = await claim(profile)
    expect(next.state).toBe('first')
    await close(next)
  },
)

it('tells the first start which workspace a later one was asked to open', async () => {
  const profile = await newProfile()
  const asked: (string | undefined)[] = []
  const options = {
    profile,
    describe: () => Promise.resolve({ mode: 'browser' as const }),
    onActivate: ({ workspace }: Activation) => Promise.resolve(void asked.push(workspace)),
  }
  const first = await claimInstance(options)
  await claimInstance({ ...options, workspace: '/a/workspace' })
  await askRunningInstance(profile, '/another')
  await askRunningInstance(profile)
  expect(asked).toEqual(['/a/workspace', '/another', undefined])
  await close(first)
})

it('gives one of many starts at the same moment the profile', async () => {
  const profile = await newProfile()
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(profile)))
  expect(claims.filter(({ state }) => state === 'first')).toHaveLength(1)
  await Promise.all(claims.map(close))
})

it('takes over from a start that was killed', async () => {
  const profile = await newProfile()
  const child = fork(path.join(import.meta.dirname, 'claiming.test-support.ts'), [profile], { execArgv: [] })
  await once(child, 'message')
  expect((await claim(profile)).state).toBe('second')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const next = await claim(profile)
  expect(next.state).toBe('first')
  await close(next)
})

it('lets a start wait that comes while it ends, and then have the profile', async () => {
  const profile = await newProfile()
  let activations = 0
  const first = await claim(profile, () => (activations += 1))
  if (first.state !== 'first') throw new Error('the profile is taken')
  const work = Promise.withResolvers<undefined>()
  let isWorkDone = false
  const closing = first.close(async () => {
    await work.promise
    isWorkDone = true
  })
  const next = claim(profile).then((instance) => ({ state: instance.state, isWorkDone, instance }))
  const asked = askRunningInstance(profile).then((running) => ({ running, isWorkDone }))
  const socket = connect(await controlPath(profile))
  socket.write('{"type":"activate"}\n')
  const [told] = (await once(socket, 'data')) as [Buffer]
  expect(told.toString()).toBe('{"state":"ending"}\n')
  work.resolve(undefined)
  await once(socket, 'close')
  await closing
  const claimed = await next
  expect(claimed).toMatchObject({ state: 'first', isWorkDone: true })
  expect(await asked).toMatchObject({ isWorkDone: true })
  expect(activations).toBe(0)
  await close(claimed.instance)
})

it('accepts only its own user, and only the expected messages', async () => {
  const profile = await newProfile()
  let activations = 0
  const first = await claim(profile, () => (activations += 1))
  const address = await controlPath(profile)
  if (process.platform !== 'win32') expect((await stat(address)).mode & 0o777).toBe(0o600)
  for (const line of ['nonsense\n', '{"type":"quit"}\n', `${'x'.repeat(100_000)}\n`]) {
    const socket = connect(address)
    let answer = ''
    socket.on('data', (part) => (answer += part.toString()))
    socket.on('error', () => undefined)
    // Not `once`: a refusal may come as an error, which is as good.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(line)
    await closed
    expect(answer).toBe('')
  }
  expect(activations).toBe(0)
  await close(first)
})
