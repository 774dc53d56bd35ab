import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { childEnvironment } from './child-environment.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type TransportErrorCode,
  type TransportEvidence,
} from '../../ports/contract.ts'
import { stdioTransport, type StdioOptions } from './stdio-client.ts'
import type { Frame } from '../../ports/tap.ts'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-stdio-'))
const open = new Set<ClientTransport>()
afterEach(async () => {
  await Promise.all([...open].map((transport) => transport.close()))
  open.clear()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A receiver whose events can be waited for. */
const connectionTo = (options: Partial<StdioOptions>) => {
  const frames: Frame[] = []
  const messages: unknown[] = []
  const invalid: string[] = []
  const closed = Promise.withResolvers<TransportError>()
  const waiting: { count: number; resolve: () => void }[] = []
  const receiver: ClientReceiver = {
    message: ({ value }) => {
      messages.push(value)
      for (const each of waiting) if (messages.length >= each.count) each.resolve()
    },
    invalid: (bytes) => invalid.push(Buffer.from(bytes).toString()),
    requestFailed: () => undefined,
    closed: (error) => closed.resolve(error),
  }
  const transport = stdioTransport({
    command: process.execPath,
    args: [],
    env: {},
    graceMs: 300,
    tap: { record: (frame) => frames.push(frame) },
    ...options,
  })
  open.add(transport)
  const received = (count: number): Promise<void> =>
    new Promise((resolve) => (messages.length >= count ? resolve() : waiting.push({ count, resolve })))
  return { transport, receiver, frames, messages, invalid, closed: closed.promise, received }
}
const script = (code: string): Pick<StdioOptions, 'args'> => ({ args: ['-e', code] })
/** For one that ends by itself, however late it comes to it. */
const PATIENT = { graceMs: 15_000 }

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A process that nobody waited for yet is dead all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const ECHO = `
  let rest = ''
  process.stdin.on('data', (chunk) => {
    rest += chunk
    for (let end = rest.indexOf('\\n'); end !== -1; end = rest.indexOf('\\n')) {
      const { id, params } = JSON.parse(rest.slice(0, end))
      rest = rest.slice(end + 1)
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: params ?? {} }) + '\\n')
    }
  })
`
const request = (id: number, params = {}) => ({ jsonrpc: '2.0', id, method: 'echo', params }) as const

describe('stdioTransport', () => {
  it('sends and receives messages, and records the bytes of each without the line feed', async () => {
    const { transport, receiver, messages, frames, received, closed } = connectionTo(script(ECHO))
    await transport.start(receiver)
    await Promise.all([transport.send(request(1, { text: 'a\u2028b' })), transport.send(request(2))])
    await received(2)
    expect(messages).toEqual([
      { jsonrpc: '2.0', id: 1, result: { text: 'a\u2028b' } },
      { jsonrpc: '2.0', id: 2, result: {} },
    ])
    const seen = frames
      .filter((frame) => frame.kind === 'message')
      .map((frame) => [frame.direction, Buffer.from(frame.bytes).toString()])
    expect(seen.slice(0, 2)).toEqual([
      ['sent', '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"a\u2028b"}}'],
      ['sent', '{"jsonrpc":"2.0","id":2,"method":"echo","params":{}}'],
    ])
    expect(seen[2]).toEqual(['received', '{"jsonrpc":"2.0","id":1,"result":{"text":"a\u2028b"}}'])
    await transport.close()
    expect(await closed).toMatchObject({ code: 'closed' })
    expect(frames.filter((frame) => frame.kind === 'lifecycle').map((frame) => frame.event)).toEqual([
      'opened',
      'closed',
    ])
    await expect(transport.send(request(3))).rejects.toMatchObject({ code: 'closed' })
  })

  it('carries a message of 10 MB each way', async () => {
    const { transport, receiver, messages, received } = connectionTo(script(ECHO))
    await transport.start(receiver)
    const text = 'é'.repeat(5 * 1024 * 1024)
    await transport.send(request(1, { text }))
    await received(1)
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { text } }])
  })

  it('takes noise between messages, quotes the first of it and goes on', async () => {
    const code = `process.stdout.write('Server ready\\r\\n\\n{broken\\n\\ufeff{"jsonrpc":"2.0","method":"a"}\\r\\n{"jsonrpc":"2.0","method":"b"}\\n'); process.stdin.resume()`
    const { transport, receiver, messages, invalid, received, frames } = connectionTo(script(code))
    await transport.start(receiver)
    await received(2)
    expect(invalid).toEqual(['Server ready', '{broken'])
    expect(messages).toEqual([
      { jsonrpc: '2.0', method: 'a' },
      { jsonrpc: '2.0', method: 'b' },
    ])
    expect(transport.evidence().strayOutput).toBe('Server ready')
    expect(frames.filter((frame) => frame.kind === 'invalid')).toHaveLength(2)
  })

  it('gives the child the few inherited variables and the configured ones, and nothing interprets the arguments', async () => {
    const code = `process.stdout.write(JSON.stringify({ env: process.env, argv: process.argv.slice(1) }) + '\\n'); process.stdin.resume()`
    const argument = '$HOME; touch canary | "quoted" \'single\' `x` %PATH% \n*'
    const { transport, receiver, messages, received } = connectionTo({
      args: ['-e', code, '--', argument],
      env: { EXTRA: 'yes' },
    })
    await transport.start(receiver)
    await received(1)
    const mark = expect.stringMatching(/^[\da-f-]{36}\/\d+\/$/) as string
    const env = { ...childEnvironment({ EXTRA: 'yes' }), PATCHBAY_PROCESS: mark }
    expect(messages).toEqual([{ env, argv: [argument] }])
  })

  it('waits for a slow reader, and gives up a reader that takes nothing', async () => {
    const limits = { ...DEFAULT_LIMITS, outgoingStallMs: 400 }
    const { transport, receiver, closed } = connectionTo({
      ...script('setInterval(() => undefined, 1000)'),
      limits,
    })
    await transport.start(receiver)
    const sent = transport.send(request(1, { text: 'x'.repeat(1024 * 1024) }))
    await expect(sent).rejects.toMatchObject({ code: 'stalled' })
    expect((await closed).message).toMatch(/did not read its stdin/)
  })

  it('gives up a reader behind which more waits than allowed', async () => {
    const limits = { ...DEFAULT_LIMITS, outgoingBufferBytes: 1024 * 1024 }
    const { transport, receiver, closed } = connectionTo({
      ...script('setInterval(() => undefined, 1000)'),
      limits,
    })
    await transport.start(receiver)
    const sent = Array.from({ length: 4 }, (_, id) =>
      transport.send(request(id, { text: 'x'.repeat(900_000) })),
    )
    const outcomes = await Promise.allSettled(sent)
    expect(outcomes.at(-1)).toMatchObject({ status: 'rejected' })
    expect((await closed).code).toBe('stalled')
  })

  it('refuses to send a message over the bound and stays open', async () => {
    const { transport, receiver, received } = connectionTo({
      ...script(ECHO),
      limits: { ...DEFAULT_LIMITS, messageBytes: 200 },
    })
    await transport.start(receiver)
    await expect(transport.send(request(1, { text: 'x'.repeat(300) }))).rejects.toMatchObject({
      code: 'limit',
    })
    await transport.send(request(2))
    await received(1)
  })
})

const notExecutable = join(folder, 'plain.txt')
writeFileSync(notExecutable, 'just text', { mode: 0o644 })
const noInterpreter = join(folder, 'no-interpreter')
writeFileSync(noInterpreter, '#!/no/such/interpreter\n', { mode: 0o755 })

type Failure = {
  name: string
  options: Partial<StdioOptions>
  code: TransportErrorCode
  message: RegExp
  evidence?: TransportEvidence
}
const failures: readonly Failure[] = [
  {
    name: 'unknown command',
    options: { command: 'no-such-command-here', env: { PATH: '/usr/bin:/bin' } },
    code: 'spawn-failed',
    message: /"no-such-command-here" was not found in the 2 folders of PATH \(ENOENT\)/,
    evidence: { systemCode: 'ENOENT' },
  },
  {
    name: 'path that is not there',
    options: { command: './no/such/file' },
    code: 'spawn-failed',
    message: /is not there \(ENOENT\)/,
  },
  {
    name: 'file that is not executable',
    options: { command: notExecutable },
    code: 'spawn-failed',
    message: /plain\.txt" is not executable \(EACCES\).*chmod \+x/,
    evidence: { systemCode: 'EACCES' },
  },
  {
    name: 'folder as command',
    options: { command: folder },
    code: 'spawn-failed',
    message: /is a folder, not a program/,
  },
  {
    name: 'missing interpreter',
    options: { command: noInterpreter },
    code: 'spawn-failed',
    message: /interpreter that is not there: \/no\/such\/interpreter/,
  },
  {
    name: 'missing working folder',
    options: { cwd: join(folder, 'nowhere') },
    code: 'spawn-failed',
    message: /the folder .*nowhere to start .* is not there/,
  },
  {
    name: 'NUL in an argument',
    options: { args: ['a\0b'] },
    code: 'spawn-failed',
    message: /could not be started: .*null bytes/,
  },
  {
    name: 'exits at once',
    options: script(`console.error('cannot find config'); process.exit(3)`),
    code: 'process-exited',
    message: /exited with code 3 after [\d.]+ m?s/,
    evidence: { exitCode: 3, stderr: 'cannot find config\n' },
  },
  {
    name: 'is killed by a signal',
    options: script(`process.kill(process.pid, 'SIGKILL')`),
    code: 'process-exited',
    message: /was killed by SIGKILL/,
    evidence: { signal: 'SIGKILL' },
  },
  {
    name: 'prints text and exits',
    options: script(`console.log('Usage: server [options]'); console.log('more')`),
    code: 'process-exited',
    message: /exited with code 0/,
    evidence: { exitCode: 0, strayOutput: 'Usage: server [options]' },
  },
  {
    name: 'floods stdout with text',
    options: { command: 'yes', args: ['I am no server'] },
    code: 'not-mcp',
    message: /floods its stdout/,
    evidence: { strayOutput: 'I am no server' },
  },
  {
    name: 'floods stdout with numbers',
    options: { command: 'yes', args: ['1'] },
    code: 'not-mcp',
    message: /floods its stdout/,
    evidence: { strayOutput: '1' },
  },
  {
    name: 'prints a line without end',
    options: {
      ...script(`const x = Buffer.alloc(65536, 120); const go = () => process.stdout.write(x, go); go()`),
      limits: { ...DEFAULT_LIMITS, messageBytes: 1024 * 1024 },
    },
    code: 'limit',
    message: /longer than 1,048,576 bytes \(limit messageBytes\)/,
  },
  {
    name: 'closes stdout but lives',
    options: script(
      `const fs = require('fs'); fs.writeSync(2, 'still here\\n'); fs.closeSync(1); setInterval(() => undefined, 1000)`,
    ),
    code: 'pipe-closed',
    message: /closed its stdout but its process lives on/,
    evidence: { stderr: 'still here\n' },
  },
  {
    name: 'dies and leaves a child that holds the pipes',
    options: script(
      `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'inherit' }); setTimeout(() => process.exit(7), 100)`,
    ),
    code: 'process-exited',
    message: /exited with code 7/,
    evidence: { exitCode: 7 },
  },
]

describe('a server that fails', () => {
  it.each(failures)(
    '$name: the cause is known, whatever still runs or writes',
    async ({ options, code, message, evidence }) => {
      const { transport, receiver, closed, frames } = connectionTo(options)
      const error = await transport.start(receiver).then(
        () => closed,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(TransportError)
      expect(error).toMatchObject({
        code,
        message: expect.stringMatching(message) as string,
        evidence: evidence ?? {},
      })
      expect(frames.at(-1)).toMatchObject({ kind: expect.stringMatching(/life|stderr/) as string })
      await transport.close()
      const { pid } = transport.evidence()
      if (pid !== undefined) expect(isAlive(pid)).toBe(false)
    },
  )

  it('has written its last while we were busy: that is read before its end is reported', async () => {
    const [go, written] = [join(folder, 'go'), join(folder, 'written')]
    // What it leaves behind writes into its pipe, and holds it open.
    const writes = `(while [ ! -e '${go}' ]; do sleep 0.01; done; echo last >&2; : >'${written}'; exec sleep 60) & exit 3`
    const { transport, receiver, closed } = connectionTo({ command: 'sh', args: ['-c', writes] })
    await transport.start(receiver)
    while (transport.evidence().exitCode === undefined) await new Promise((resolve) => setImmediate(resolve))
    const busy = `: >'${go}'; while [ ! -e '${written}' ]; do sleep 0.01; done; sleep 0.5`
    expect(spawnSync('sh', ['-c', busy], { timeout: 30_000 }).status).toBe(0)
    expect(await closed).toMatchObject({ evidence: { exitCode: 3, stderr: 'last\n' } })
  })

  it('does not read any more and ends: a writer gets the end, not the broken pipe', async () => {
    const deaf = `require('fs').closeSync(0); console.error('deaf'); setInterval(() => undefined, 1000)`
    const { transport, receiver, closed, frames } = connectionTo(script(deaf))
    await transport.start(receiver)
    await expect.poll(() => frames.some(({ kind }) => kind === 'stderr')).toBe(true)
    // More than is handed over without waiting.
    const sending = transport.send(request(1, 'x'.repeat(2_000_000)))
    process.kill(transport.evidence().pid ?? 0, 'SIGTERM')
    const end = { code: 'process-exited', evidence: { signal: 'SIGTERM', stderr: 'deaf\n' } }
    await expect(sending).rejects.toMatchObject(end)
    expect(await closed).toMatchObject(end)
    await expect(transport.send(request(2))).rejects.toMatchObject(end)
    await transport.close()
  })

  it('is sent any bytes as they are, and what comes back is handed on', async () => {
    const { transport, receiver, messages, frames, invalid, received } = connectionTo(
      script('process.stdin.pipe(process.stdout)'),
    )
    await transport.start(receiver)
    await transport.sendRaw(Buffer.from('{"half'), { lineFeed: false })
    await transport.sendRaw(Buffer.from('":1}'))
    await transport.sendRaw(Buffer.from('no json\n{"whole":2}'))
    await received(2)
    expect(messages).toEqual([{ half: 1 }, { whole: 2 }])
    expect(invalid).toEqual(['no json'])
    const sent = frames.flatMap((frame) =>
      'direction' in frame && frame.direction === 'sent' ? [frame.kind] : [],
    )
    expect(sent).toEqual(['lifecycle', 'invalid', 'invalid', 'invalid'])
    await transport.close()
  })

  it('keeps the last 32 KiB of a flood on stderr while messages go on', async () => {
    const code = `
      const line = Buffer.from('x'.repeat(1023) + '\\n')
      for (let i = 0; i < 20000; i += 1) require('fs').writeSync(2, line)
      require('fs').writeSync(2, 'the end\\n')
      ${ECHO}`
    const { transport, receiver, received, frames } = connectionTo(script(code))
    await transport.start(receiver)
    await transport.send(request(1))
    await received(1)
    const { stderr = '' } = transport.evidence()
    expect(stderr).toHaveLength(32 * 1024)
    expect(stderr.endsWith('x\nthe end\n')).toBe(true)
    const recorded = frames.reduce(
      (sum, frame) => sum + (frame.kind === 'stderr' ? frame.bytes.length : 0),
      0,
    )
    expect(recorded).toBe(20_000 * 1_024 + 8)
  })

  it('never answers: the connection stays open until it is closed', async () => {
    const { transport, receiver, messages } = connectionTo({
      ...script('process.stdin.resume()'),
      ...PATIENT,
    })
    await transport.start(receiver)
    await transport.send(request(1))
    await transport.close()
    expect(messages).toEqual([])
    expect(transport.evidence()).toMatchObject({ exitCode: 0 })
  })

  it('ignores SIGTERM and the end of stdin, with a grandchild that does so too: none of them survives', async () => {
    const stubborn = `process.on('SIGTERM', () => undefined); process.on('SIGHUP', () => undefined); setInterval(() => undefined, 1000);`
    const code = `${stubborn}
      const child = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${stubborn} console.log('up')`)}], { stdio: ['ignore', 'pipe', 'ignore'] })
      child.stdout.once('data', () => console.log(JSON.stringify({ pids: [process.pid, child.pid] })))`
    const { transport, receiver, messages, received } = connectionTo(script(code))
    await transport.start(receiver)
    await received(1)
    const { pids } = messages[0] as { pids: number[] }
    expect(pids.map(isAlive)).toEqual([true, true])
    await transport.close()
    expect(transport.evidence().signal).toBe('SIGKILL')
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
  })

  it('exits politely but leaves a stubborn grandchild behind: it does not survive', async () => {
    const code = `
      const child = require('child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log('up')"], { stdio: ['ignore', 'pipe', 'ignore'] })
      child.stdout.once('data', () => console.log(JSON.stringify({ pid: child.pid })))
      process.stdin.on('end', () => process.exit(0)).resume()`
    const { transport, receiver, messages, received } = connectionTo({ ...script(code), ...PATIENT })
    await transport.start(receiver)
    await received(1)
    const { pid } = messages[0] as { pid: number }
    await transport.close()
    expect(transport.evidence()).toMatchObject({ exitCode: 0 })
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

describe('childEnvironment', () => {
  it('passes only what is listed, without exported functions, configured ones on top', () => {
    const own = { PATH: '/bin', HOME: '/home/a', SECRET: 'no', TERM: '() { :; }' }
    expect(childEnvironment({ HOME: '/tmp', TOKEN: 't' }, own, 'linux')).toEqual({
      PATH: '/bin',
      HOME: '/tmp',
      TOKEN: 't',
    })
    expect(childEnvironment({ Path: 'C:\\x' }, { PATH: 'C:\\w', TEMP: 'T' }, 'win32')).toEqual({
      TEMP: 'T',
      Path: 'C:\\x',
    })
  })
})
