import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildCli } from '../../server-core/cli/cli-process.test-support.ts'
import { commandOf, isListening, StartedCommand, type Way } from './started-command.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGKILL'] as const
const SERVE = ['serve', '--http', '--port', '0']

let home = ''
beforeAll(buildCli, 60_000)
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'patchbay-signals-'))
})
afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))

async function serving(command: readonly string[]): Promise<{ command: StartedCommand; url: URL }> {
  const started = new StartedCommand(command, { home })
  const url = await started.url()
  expect(await isListening(url)).toBe(true)
  // Remembers who runs before anything is killed.
  started.processes()
  return { command: started, url }
}

async function expectNothingLeft(command: StartedCommand, url: URL): Promise<void> {
  expect(await command.left()).toEqual([])
  expect(await isListening(url)).toBe(false)
}

describe('a signal to the process that was started', () => {
  const ways: readonly Way[] = ['wrapper', 'launcher', 'built']
  test.each(ways.flatMap((way) => SIGNALS.map((signal) => [way, signal] as const)))(
    '%s gets %s: no process is left and the port is closed',
    async (way, signal) => {
      const { command, url } = await serving([...commandOf(way), ...SERVE])
      process.kill(command.pid, signal)
      expect(await command.exited).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0)
      await expectNothingLeft(command, url)
    },
  )

  test('the wrapper is one process', async () => {
    const { command, url } = await serving([...commandOf('wrapper'), ...SERVE])
    expect(command.processes()).toEqual([command.pid])
    process.kill(command.pid)
    await expectNothingLeft(command, url)
  })
})

describe('npm', () => {
  const targets = {
    npm: /^npm run/,
    'the shell of npm': /^\S*sh -c /,
    'the launcher below npm': /^\S*node \S*launcher\/patchbay\.ts/,
  }
  const cases = Object.entries(targets).flatMap(([name, pattern]) =>
    SIGNALS
      // npm and its shell wait for their child when SIGINT comes to them alone; nothing ends then.
      .filter((signal) => signal !== 'SIGINT' || name === 'the launcher below npm')
      .map((signal) => [name, signal, pattern] as const),
  )
  test.each(cases)('%s gets %s: no process is left and the port is closed', async (_name, signal, target) => {
    const { command, url } = await serving([...commandOf('npm'), ...SERVE])
    process.kill(command.find(target), signal)
    await expectNothingLeft(command, url)
  })

  test('Ctrl-C in a terminal, which the whole group gets, ends all of it', async () => {
    const { command, url } = await serving([...commandOf('npm'), ...SERVE])
    command.signalGroup('SIGINT')
    await expectNothingLeft(command, url)
  })
})

describe('what other programs send', () => {
  test.each(['wrapper', 'npm'] as const)('timeout(1) ends %s', async (way) => {
    const { command, url } = await serving(['timeout', '300', ...commandOf(way), ...SERVE])
    // What `timeout` does when the time is up.
    process.kill(command.pid, 'SIGTERM')
    await expectNothingLeft(command, url)
  })

  test.each(['wrapper', 'npm'] as const)(
    'a cancelled job: %s and its shell get SIGTERM as a group, and SIGKILL after a while',
    async (way) => {
      const line = [...commandOf(way), ...SERVE].map((word) => `'${word}'`).join(' ')
      const { command, url } = await serving(['sh', '-c', `${line}; true`])
      command.signalGroup('SIGTERM')
      await command.exited
      command.signalGroup('SIGKILL')
      await expectNothingLeft(command, url)
    },
  )

  test.each(['wrapper', 'npm'] as const)('a killed process group of %s', async (way) => {
    const { command, url } = await serving([...commandOf(way), ...SERVE])
    command.signalGroup('SIGKILL')
    await expectNothingLeft(command, url)
  })

  test('a service manager: SIGTERM to the main process is enough', async () => {
    const { command, url } = await serving([...commandOf('wrapper'), ...SERVE])
    process.kill(command.pid, 'SIGTERM')
    expect(await command.exited).toBe(0)
    await expectNothingLeft(command, url)
  })
})

describe('what npm did not start survives its parent', () => {
  test('setsid', async () => {
    const line = `setsid ${commandOf('wrapper').join(' ')} ${SERVE.join(' ')} & wait`
    const { command, url } = await serving(['sh', '-c', line])
    const server = command.find(/^\S*node \S*launcher\/patchbay\.ts/)
    command.signalGroup('SIGKILL')
    await command.exited
    expect(await isListening(url)).toBe(true)
    process.kill(server, 'SIGTERM')
    await expectNothingLeft(command, url)
  })

  test('nohup, when the terminal hangs up', async () => {
    const line = `nohup ${commandOf('wrapper').join(' ')} ${SERVE.join(' ')} & wait`
    const { command, url } = await serving(['sh', '-c', line])
    const server = command.find(/^\S*node \S*launcher\/patchbay\.ts/)
    command.signalGroup('SIGHUP')
    await command.exited
    // A second one comes after the first was handled.
    process.kill(server, 'SIGHUP')
    expect(await (await fetch(url)).text()).not.toBe('')
    process.kill(server, 'SIGTERM')
    await expectNothingLeft(command, url)
  })

  test('without nohup, a terminal that hangs up ends it', async () => {
    const { command, url } = await serving([...commandOf('wrapper'), ...SERVE])
    process.kill(command.pid, 'SIGHUP')
    expect(await command.exited).toBe(0)
    await expectNothingLeft(command, url)
  })

  test('a script of another package that runs the wrapper and ends', async () => {
    const line = `${commandOf('wrapper').join(' ')} ${SERVE.join(' ')} & wait`
    const started = new StartedCommand(['sh', '-c', line], {
      home,
      env: {
        npm_lifecycle_event: 'patchbay',
        npm_package_json: path.join(home, 'package.json'),
        INIT_CWD: '/',
      },
    })
    const url = await started.url()
    const server = started.find(/^\S*node \S*launcher\/patchbay\.ts/)
    process.kill(started.pid, 'SIGKILL')
    await started.exited
    expect(await isListening(url)).toBe(true)
    process.kill(server, 'SIGTERM')
    await expectNothingLeft(started, url)
  })
})
