import { describe, expect, it } from 'vitest'
import { connect, type ConnectOptions } from './connect.ts'
import type { ConnectError } from './errors.ts'
import { ProbeMemory } from './probe-memory.ts'
import {
  DISCOVERED,
  INITIALIZED,
  scriptedServer,
  type Heard,
  type Script,
  type Side,
} from './scripted-server.test-support.ts'

const identity = { name: 'patchbay', version: '0' }
/** So long that no test waits for it. */
const LONG_MS = 60_000

const tryConnect = async (script: Script, options: Partial<ConnectOptions> = {}) => {
  const server = scriptedServer(script)
  const steps: string[] = []
  const outcome = await connect({
    open: server.open,
    identity,
    probeTimeoutMs: 1,
    requestTimeoutMs: LONG_MS,
    onStep: ({ step, outcome: said, verdict }) =>
      steps.push(`${step.split(' ')[0]} ${verdict}: ${said.split(/[;:]/)[0]}`),
    ...options,
  }).catch((error: unknown) => error)
  return { ...server, outcome, steps, methods: server.heard.map(({ method }) => method) }
}

/** A server that reads only once both openings are there, as one does that was slow to start. */
const late = (answer: (discover: Heard, initialize: Heard, side: Side) => void): Script => {
  let discover: Heard | undefined
  let initialize: Heard | undefined
  return (each, side) => {
    if (each.method === 'server/discover') discover = each
    if (each.method === 'initialize') initialize = each
    if (discover === undefined || initialize === undefined || !/discover|initialize/.test(each.method)) return
    answer(discover, initialize, side)
  }
}
const SHAKEN = ['server/discover', 'initialize', 'notifications/initialized']

describe('a server that is silent to server/discover at first', () => {
  it('is found to be modern in the same process, whichever it answers first', async () => {
    for (const first of ['discover', 'initialize'] as const) {
      const { outcome, methods, connections, closed } = await tryConnect(
        late((discover, initialize, side) => {
          if (first === 'discover') side.result(discover, DISCOVERED)
          side.error(initialize, -32601, 'Method not found')
          if (first === 'initialize') side.result(discover, DISCOVERED)
        }),
      )
      expect(outcome).toMatchObject({ revision: '2026-07-28' })
      expect(methods).toEqual(['server/discover', 'initialize'])
      expect([connections(), closed]).toEqual([1, []])
    }
  })

  it('is reported immediately, and gets a handshake that claims to be of 2026-07-28', async () => {
    const { heard, steps } = await tryConnect(
      late((_discover, initialize, side) => side.result(initialize, INITIALIZED)),
    )
    expect(steps).toEqual(['server/discover next: no answer within 1 ms', 'initialize agreed: answered'])
    expect(heard[1]?.params).toMatchObject({
      protocolVersion: '2025-11-25',
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    })
  })

  it('is an old one if it takes the handshake, in the same process', async () => {
    for (const script of [
      late((_discover, initialize, side) => side.result(initialize, INITIALIZED)),
      late((discover, initialize, side) => {
        side.error(discover, -32601, 'Method not found')
        side.result(initialize, INITIALIZED)
      }),
      late((_discover, initialize, side) => {
        side.send({ jsonrpc: '2.0', error: { code: -32600, message: 'no' } })
        side.result(initialize, INITIALIZED)
      }),
    ]) {
      const { outcome, methods, connections, closed } = await tryConnect(script)
      expect(outcome).toMatchObject({ revision: '2025-11-25' })
      expect(methods).toEqual(SHAKEN)
      expect([connections(), closed]).toEqual([1, []])
    }
  })

  it('gets the plain handshake if it minds the claim', async () => {
    const claims = (each: Heard): boolean => each.params['_meta'] !== undefined
    for (const isSilent of [true, false]) {
      const { outcome, methods, connections } = await tryConnect((each, side) => {
        if (each.method !== 'initialize') return
        if (!claims(each)) {
          side.result(each, INITIALIZED)
          return
        }
        side.error(each, -32602, 'Unknown member _meta')
        if (!isSilent) side.error({ ...each, id: 1 }, -32601, 'Method not found')
      })
      expect(outcome).toMatchObject({ revision: '2025-11-25' })
      expect(methods).toEqual(['server/discover', 'initialize', 'initialize', 'notifications/initialized'])
      expect(connections()).toBe(1)
    }
  })

  it('uses 2026-07-28 on another connection if the server accepted the handshake of this one too', async () => {
    const { outcome, connections, closed } = await tryConnect((each, side, connection) => {
      if (connection === 2) side.result(each, DISCOVERED)
      else if (each.method === 'initialize') {
        side.result({ ...each, id: 1 }, DISCOVERED)
        side.result(each, INITIALIZED)
      }
    })
    expect(outcome).toMatchObject({ revision: '2026-07-28' })
    expect([connections(), closed]).toEqual([2, [1]])
  })

  it('is asked for the handshake alone in another process, if it stays silent to both', async () => {
    const memory = new ProbeMemory()
    const deaf: Script = (each, side, connection) => {
      if (connection === 2 && each.method === 'initialize') side.result(each, INITIALIZED)
    }
    const { outcome, methods, steps, connections, closed } = await tryConnect(deaf, { memory, silenceMs: 5 })
    expect(outcome).toMatchObject({ revision: '2025-11-25' })
    expect(methods).toEqual(['server/discover', 'initialize', ...SHAKEN.slice(1)])
    expect([connections(), closed]).toEqual([2, [1]])
    expect(steps.at(-1)).toBe('initialize agreed: answered')
    expect(memory.handshakeFirst).toBe(true)
  })

  it('lives on beside the other process, and may still answer first', async () => {
    const waiting: (() => void)[] = []
    const { outcome, steps, connections, closed } = await tryConnect(
      (each, side, connection) => {
        if (connection === 1 && each.method === 'server/discover') {
          waiting.push(() => {
            side.result(each, DISCOVERED)
          })
        }
        if (connection === 1 && each.method === 'initialize')
          waiting.push(() => side.error(each, -32601, 'no'))
        if (connection === 2) for (const answer of waiting) answer()
      },
      { silenceMs: 5 },
    )
    expect(outcome).toMatchObject({ revision: '2026-07-28' })
    expect([connections(), closed]).toEqual([2, [2]])
    expect(steps.filter((step) => step.includes('failed'))).toEqual([])
  })

  it('leaves nothing running if neither process answers', async () => {
    const { outcome, connections, closed } = await tryConnect(() => undefined, {
      requestTimeoutMs: 20,
      silenceMs: 5,
    })
    expect(outcome).toMatchObject({ code: 'timeout' })
    await (outcome as ConnectError).ended
    expect([connections(), [...closed].sort()]).toEqual([2, [1, 2]])
  })

  it('is replaced if it ends at the second opening', async () => {
    const { outcome, methods, connections } = await tryConnect((each, side, connection) => {
      if (each.method !== 'initialize') return
      if (connection === 1) side.end('process-exited')
      else side.result(each, INITIALIZED)
    })
    expect(outcome).toMatchObject({ revision: '2025-11-25' })
    expect(methods).toEqual(['server/discover', 'initialize', ...SHAKEN.slice(1)])
    expect(connections()).toBe(2)
  })

  it('fails with its refusal if it answers nothing else', async () => {
    for (const code of [-32000, -32601]) {
      const { outcome } = await tryConnect(
        (each, side) => {
          if (each.method === 'initialize') side.error(each, code, 'not today')
        },
        { requestTimeoutMs: 50 },
      )
      expect(outcome).toMatchObject({
        code: 'refused',
        message: expect.stringMatching(/not today/) as string,
      })
    }
  })
})

describe('a server that is connected to again', () => {
  const silent: Script = (each, side) => {
    if (each.method === 'initialize') side.result(each, INITIALIZED)
  }
  const ending: Script = (each, side) => {
    if (each.method === 'initialize') side.result(each, INITIALIZED)
    else if (each.method === 'server/discover') side.end('process-exited')
  }
  const modern: Script = (each, side) => {
    if (each.method === 'server/discover') side.result(each, DISCOVERED)
    else side.error(each, -32601, 'Method not found')
  }

  it.each([
    ['says nothing', silent],
    ['ends', ending],
  ])('is asked for the handshake alone if it %s at server/discover', async (_what, script) => {
    const memory = new ProbeMemory()
    await tryConnect(script, { memory })
    const again = await tryConnect(script, { memory, probeTimeoutMs: LONG_MS })
    expect(again.outcome).toMatchObject({ revision: '2025-11-25' })
    expect(again.methods).toEqual(SHAKEN.slice(1))
    expect(again.connections()).toBe(1)
    expect(memory.handshakeFirst).toBe(true)
  })

  it('is found again if it has become another, in the same process where it lives on', async () => {
    for (const [script, revision, connections] of [
      [modern, '2026-07-28', 1],
      [late((discover, _initialize, side) => side.result(discover, DISCOVERED)), '2026-07-28', 1],
      [
        ((each, side, connection) =>
          connection === 1 ? side.end('process-exited') : modern(each, side, connection)) as Script,
        '2026-07-28',
        2,
      ],
      [
        ((each, side) => {
          if (each.method === 'server/discover') side.error(each, -32601, 'no')
          else if (each.params['_meta'] !== undefined) side.error(each, -32602, 'Unknown member _meta')
          else if (each.method === 'initialize') side.result(each, INITIALIZED)
        }) as Script,
        '2025-11-25',
        1,
      ],
    ] as const) {
      const memory = new ProbeMemory()
      memory.handshakeFirst = true
      const again = await tryConnect(script, { memory })
      expect(again.outcome).toMatchObject({ revision })
      expect(again.methods[0]).toBe('initialize')
      expect(again.connections()).toBe(connections)
      expect(memory.handshakeFirst).toBe(false)
    }
  })

  it('uses the required revision, whatever is remembered', async () => {
    const memory = new ProbeMemory()
    memory.handshakeFirst = true
    const { outcome, methods } = await tryConnect(modern, { memory, protocol: '2026-07-28' })
    expect(outcome).toMatchObject({ revision: '2026-07-28' })
    expect(methods).toEqual(['server/discover'])
  })
})
