import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { connect } from './connect.ts'
import {
  closeAll,
  connectedTo,
  scriptedServer,
  type Heard,
  type Script,
} from './scripted-server.test-support.ts'

afterEach(async () => {
  vi.useRealTimers()
  await closeAll()
})

/** From now on time passes only when a test lets it: a busy machine decides nothing. */
const useFakeTime = (): void => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
}

const echo: Script = (each, side) => side.result(each, { echoed: each.params })

describe('requests', () => {
  it('each get their own answer, however answers are shuffled, doubled or addressed to nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ order: fc.nat(), doubled: fc.boolean(), stray: fc.boolean(), progress: fc.boolean() }),
          { minLength: 1, maxLength: 30 },
        ),
        async (plans) => {
          const waiting: (() => void)[] = []
          const { connection } = await connectedTo('legacy', (each, side) => {
            const plan = plans[waiting.length]
            waiting.push(() => {
              if (plan?.stray === true)
                side.send({ jsonrpc: '2.0', id: String(each.id), result: { wrong: true } })
              if (plan?.progress === true)
                side.send({
                  jsonrpc: '2.0',
                  method: 'notifications/progress',
                  params: { progressToken: 'nobody', progress: 1 },
                })
              side.result(each, each.params)
              if (plan?.doubled === true) side.error(each, -1, 'second answer')
            })
            if (waiting.length < plans.length) return
            const shuffled = waiting
              .map((answer, index) => ({ answer, order: plans[index]?.order ?? 0 }))
              .sort((a, b) => a.order - b.order)
            for (const { answer } of shuffled) answer()
          })
          const answers = await Promise.all(plans.map((_, n) => connection.request('echo', { n })))
          expect(answers.map(({ result }) => result['n'])).toEqual(plans.map((_, n) => n))
          await connection.close()
        },
      ),
      { numRuns: 50 },
    )
  })

  it('survive whatever else the server sends, and get their answers after it', async () => {
    const member = fc.oneof(fc.constantFrom(1, '1', null, -1, 1.5, '', {}, []), fc.jsonValue({ maxDepth: 2 }))
    const message = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.record(
        {
          jsonrpc: fc.constantFrom('2.0', '1.0', 2),
          id: fc.oneof(fc.constantFrom(99, '1', null, 1.5, 2 ** 60), member),
          method: fc.oneof(
            fc.constantFrom('ping', 'notifications/progress', 'notifications/cancelled', 'roots/list'),
            member,
          ),
          params: fc.oneof(fc.constant({ progressToken: 1, requestId: 1 }), member),
          result: member,
          error: fc.oneof(fc.constant({ code: 1, message: 'a' }), member),
        },
        { requiredKeys: [] },
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('legacy' as const, 'modern' as const),
        fc.array(message, { maxLength: 20 }),
        async (era, messages) => {
          const { connection } = await connectedTo(era, (each, side) => {
            if (each.method !== 'echo') return
            // What is addressed to this request is an answer; everything else is not.
            for (const value of messages)
              if (!JSON.stringify(value).includes(`"id":${String(each.id)}`)) side.send(value)
            side.result(each, { n: each.params['n'] })
          })
          expect((await connection.request('echo', { n: 7 })).result).toMatchObject({ n: 7 })
          await connection.close()
        },
      ),
      { numRuns: 500 },
    )
  })

  it('give the error of the server as it came', async () => {
    const { connection } = await connectedTo('legacy', (each, side) =>
      side.error(each, -32002, 'gone', { uri: 'a' }),
    )
    const failure = connection.request('resources/read', { uri: 'a' })
    await expect(failure).rejects.toMatchObject({
      name: 'ProtocolError',
      code: -32002,
      message: 'gone',
      data: { uri: 'a' },
    })
    const { bytes } = (await failure.catch((error: unknown) => error)) as { bytes: Uint8Array }
    expect(new TextDecoder().decode(bytes)).toContain('"message":"gone"')
  })

  it('send parameters with every number as it was typed', async () => {
    const { connection, heard } = await connectedTo('modern', echo)
    const args = '{"a":12345678901234567890,"b":1.0,"c":1e400}'
    await connection.request('tools/call', undefined, { paramsText: `{"name":"t","arguments":${args}}` })
    expect(heard()[0]?.text).toContain(`"arguments":${args}`)
    for (const [text, reason] of [
      ['{', /not JSON/],
      ['[]', /must be a JSON object/],
    ] as const) {
      const failure = connection.request('x', undefined, { paramsText: text })
      const message = expect.stringMatching(reason) as string
      await expect(failure).rejects.toMatchObject({ code: 'invalid-params', message })
    }
  })

  it('fail when the answer is not a JSON-RPC response', async () => {
    const { connection } = await connectedTo('legacy', (each, side) =>
      side.send({ jsonrpc: '2.0', id: each.id, result: 7 }),
    )
    await expect(connection.request('x')).rejects.toMatchObject({
      code: 'invalid-answer',
      message: expect.stringMatching(/"result" must be an object/) as string,
    })
  })

  it('time out, are cancelled on the wire, and say if the answer came with an id of the wrong type', async () => {
    const { connection, heard } = await connectedTo('legacy', (each, side) => {
      if (each.method === 'slow') side.send({ jsonrpc: '2.0', id: String(each.id), result: {} })
    })
    await expect(connection.request('slow', {}, { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(
        /no answer to slow within 30 ms; an answer came with the id as text/,
      ) as string,
    })
    expect(heard()[1]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: heard()[0]?.id },
    })
  })

  it('quote what came that is not JSON since they were sent, where no answer came', async () => {
    const { connection } = await connectedTo('legacy', (each, side) => {
      if (each.method === 'torn') side.invalid('{"jsonrpc":"2.0","id":2,"result":{')
      if (each.method === 'talk') side.invalid('x'.repeat(500))
    })
    await expect(connection.request('torn', {}, { timeoutMs: 30 })).rejects.toThrow(
      String.raw`no answer to torn within 30 ms; meanwhile the server sent invalid JSON (not JSON): "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{"`,
    )
    await expect(connection.request('silence', {}, { timeoutMs: 30 })).rejects.toThrow(
      /no answer to silence within 30 ms$/,
    )
    await expect(connection.request('talk', {}, { timeoutMs: 30 })).rejects.toThrow(`"${'x'.repeat(120)}…"`)
  })

  it('live on while progress comes, up to a ceiling', async () => {
    const { connection } = await connectedTo('legacy', (each, side) => {
      if (each.method !== 'busy') return
      const timer = setInterval(
        () =>
          side.send({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: each.id, progress: 1 },
          }),
        20,
      )
      setTimeout(() => {
        clearInterval(timer)
        if (each.params['ends'] === true) side.result(each, {})
      }, 500)
    })
    useFakeTime()
    const onProgress = (): void => undefined
    const answered = connection.request('busy', { ends: true }, { timeoutMs: 150, onProgress })
    await vi.advanceTimersByTimeAsync(500)
    await expect(answered).resolves.toBeDefined()
    let failure: unknown
    const failed = connection
      .request('busy', {}, { timeoutMs: 150, maximumMs: 400, onProgress })
      .catch((error: unknown) => (failure = error))
    await vi.advanceTimersByTimeAsync(399)
    expect(failure).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await failed
    expect(failure).toMatchObject({
      code: 'timeout',
      message: 'no answer to busy within 400 ms in all, although progress came',
    })
  })

  it('keep the progress token that the caller chose, with its type', async () => {
    const { connection, heard } = await connectedTo('legacy', (each, side) => {
      const token = (each.params['_meta'] as JsonObject)['progressToken']
      side.send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: String(token), progress: 9 },
      })
      side.send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress: 1, total: 2, message: 'half' },
      })
      side.result(each, {})
    })
    const seen: unknown[] = []
    await connection.request(
      'x',
      { _meta: { progressToken: 77 } },
      { onProgress: (progress) => seen.push(progress) },
    )
    expect(heard()[0]?.params['_meta']).toEqual({ progressToken: 77 })
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }])
  })

  it.each([
    ['legacy', 'stdio', ['x', 'notifications/cancelled']],
    ['modern', 'stdio', ['x', 'notifications/cancelled']],
    ['legacy', 'http', ['x', 'notifications/cancelled']],
    ['modern', 'http', ['x']],
  ] as const)(
    'are cancelled the way of the %s era over %s; a late answer is dropped',
    async (era, kind, expected) => {
      const controller = new AbortController()
      let late: (() => void) | undefined
      const { connection, heard, abandoned, methods } = await connectedTo(
        era,
        (each, side) => {
          if (each.method === 'x') late = () => side.result(each, {})
          else if (each.method === 'y') side.result(each, {})
        },
        {},
        kind,
      )
      const failure = expect(
        connection.request('x', {}, { signal: controller.signal }),
      ).rejects.toMatchObject({ code: 'cancelled' })
      controller.abort()
      await failure
      expect(methods()).toEqual(expected)
      expect(abandoned).toEqual([heard()[0]?.id])
      late?.()
      await expect(connection.request('y')).resolves.toBeDefined()
    },
  )

  it('fail with the connection, which tells why it ended', async () => {
    const closed: string[] = []
    const { connection } = await connectedTo('legacy', (_each, side) => side.end('process-exited'), {
      onClosed: (error) => closed.push(error.code),
    })
    await expect(connection.request('x')).rejects.toMatchObject({
      code: 'closed',
      cause: { code: 'process-exited' },
    })
    expect((await connection.closed).code).toBe('process-exited')
    expect(closed).toEqual(['process-exited'])
    await expect(connection.request('y')).rejects.toMatchObject({ code: 'closed' })
  })
})

describe('what a legacy server asks', () => {
  it('is answered if it was declared, and refused if it was not', async () => {
    const answers: unknown[] = []
    const done = Promise.withResolvers<undefined>()
    const server = scriptedServer((each, side) => {
      if (each.method === 'server/discover') side.error(each, -32601, 'no')
      else if (each.method === 'initialize') {
        side.result(each, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} })
        for (const [id, method, params] of [
          ['a', 'roots/list', {}],
          ['b', 'sampling/createMessage', {}],
          ['c', 'elicitation/create', { message: 'x', mode: 'url' }],
          ['d', 'elicitation/create', { message: 'x' }],
          [5, 'ping', undefined],
        ] as const) {
          side.send({ jsonrpc: '2.0', id, method, params })
        }
      } else if (each.method === '') {
        answers.push(each.message)
        if (answers.length === 5) done.resolve(undefined)
      }
    })
    const connection = await connect({
      open: server.open,
      identity: { name: 'p', version: '0' },
      responders: {
        roots: () => Promise.resolve({ roots: [] }),
        elicitation: { form: () => Promise.reject(new Error('secret')) },
      },
    })
    await done.promise
    const initialize = server.heard.find(({ method }) => method === 'initialize')
    expect(initialize?.params['capabilities']).toEqual({ elicitation: { form: {} }, roots: {} })
    expect(answers).toHaveLength(5)
    expect(answers).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 5, result: {} },
        { jsonrpc: '2.0', id: 'a', result: { roots: [] } },
        {
          jsonrpc: '2.0',
          id: 'b',
          error: { code: -32601, message: 'this client does not answer sampling/createMessage' },
        },
        {
          jsonrpc: '2.0',
          id: 'c',
          error: { code: -32602, message: 'this client does not answer elicitation in mode "url"' },
        },
        { jsonrpc: '2.0', id: 'd', error: { code: -32603, message: 'the client could not answer' } },
      ]),
    )
    await connection.close()
  })

  it('stops the clock of the request that waits for it', async () => {
    let call: Heard | undefined
    const form = () =>
      new Promise<JsonObject>((resolve) => setTimeout(() => resolve({ action: 'decline' }), 200))
    const { connection } = await connectedTo(
      'legacy',
      (each, side) => {
        if (each.method === 'tools/call') {
          call = each
          side.send({ jsonrpc: '2.0', id: 's', method: 'elicitation/create', params: { message: 'x' } })
        } else if (each.id === 's' && call !== undefined) side.result(call, { content: [] })
      },
      { responders: { elicitation: { form } } },
    )
    useFakeTime()
    const answered = connection.request('tools/call', { name: 'x' }, { timeoutMs: 100 })
    await vi.advanceTimersByTimeAsync(200)
    await expect(answered).resolves.toBeDefined()
  })

  it('is not answered any more once the server takes it back', async () => {
    const asked = Promise.withResolvers<AbortSignal>()
    const { connection, heard } = await connectedTo(
      'legacy',
      (each, side) => {
        if (each.method === 'ask') {
          side.send({ jsonrpc: '2.0', id: 's', method: 'roots/list' })
          side.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 's' } })
        }
        if (each.method !== '') side.result(each, {})
      },
      {
        responders: {
          roots: (_params, { signal }) => {
            asked.resolve(signal)
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ roots: [] })))
          },
        },
      },
    )
    await connection.request('ask')
    expect((await asked.promise).aborted).toBe(true)
    await connection.request('other')
    expect(heard().filter(({ id, method }) => id === 's' && method === '')).toEqual([])
  })
})

describe('rounds of 2026-07-28', () => {
  const asking = {
    resultType: 'input_required',
    inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?' } } },
  }
  const responders = {
    elicitation: { form: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }) },
  }

  it('repeat the request with answers and the exact state under a new id', async () => {
    const { connection, heard } = await connectedTo(
      'modern',
      (each, side) => {
        if (each.params['inputResponses'] === undefined)
          side.result(each, { ...asking, requestState: 'öpaque=' })
        else if (each.params['requestState'] === 'öpaque=') side.result(each, asking)
        else side.result(each, { resultType: 'complete', content: [] })
      },
      { responders },
    )
    const { result } = await connection.request('tools/call', { name: 'greet', arguments: { a: 1 } })
    expect(result).toEqual({ resultType: 'complete', content: [] })
    const rounds = heard().map(({ id, params: { _meta, ...params } }) => ({ id, params }))
    expect(rounds.map(({ params }) => params)).toEqual([
      { name: 'greet', arguments: { a: 1 } },
      {
        name: 'greet',
        arguments: { a: 1 },
        inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
        requestState: 'öpaque=',
      },
      {
        name: 'greet',
        arguments: { a: 1 },
        inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
      },
    ])
    expect(new Set(rounds.map(({ id }) => id)).size).toBe(3)
  })

  it('take a result without a type as complete, and none of an unknown type', async () => {
    const { connection } = await connectedTo('modern', (each, side) =>
      side.result(each, each.method === 'old' ? { content: [] } : { resultType: 'banana' }),
    )
    expect((await connection.request('old')).result).toEqual({ content: [] })
    await expect(connection.request('tools/call', {})).rejects.toMatchObject({
      code: 'invalid-answer',
      message: expect.stringMatching(/of type "banana"/) as string,
    })
  })

  it.each([
    ['tools/list', asking, /tools\/list may not be answered with input_required/],
    ['tools/call', { resultType: 'input_required' }, /needs inputRequests or requestState/],
    ['tools/call', { resultType: 'input_required', requestState: 7 }, /requestState must be a string/],
    [
      'tools/call',
      { resultType: 'input_required', inputRequests: { a: 'x' } },
      /inputRequests\.a must be an object with a method/,
    ],
  ])('are refused where they make no sense: %s %j', async (method, result, reason) => {
    const { connection } = await connectedTo('modern', (each, side) => side.result(each, result), {
      responders,
    })
    await expect(connection.request(method, {})).rejects.toMatchObject({
      code: 'invalid-answer',
      message: expect.stringMatching(reason) as string,
    })
  })

  it('say what is asked if nobody here answers it, or give it as it is on demand', async () => {
    const { connection } = await connectedTo('modern', (each, side) => side.result(each, asking))
    await expect(connection.request('tools/call', {})).rejects.toMatchObject({
      code: 'input-required',
      message:
        'the server sent elicitation/create ("who"), and this client did not answer it: this client does not answer elicitation/create',
      bytes: expect.any(Uint8Array) as Uint8Array,
    })
    expect((await connection.request('tools/call', {}, { rounds: 'manual' })).result).toEqual(asking)
  })

  it('end when the server asks without end', async () => {
    const { connection, heard } = await connectedTo('modern', (each, side) => side.result(each, asking), {
      responders,
    })
    await expect(connection.request('tools/call', {})).rejects.toMatchObject({ code: 'too-many-rounds' })
    expect(heard()).toHaveLength(11)
  })

  it('never answer a request that a modern server sends', async () => {
    const { connection, heard } = await connectedTo(
      'modern',
      (each, side) => {
        side.send({ jsonrpc: '2.0', id: 's', method: 'elicitation/create', params: { message: 'x' } })
        side.result(each, {})
      },
      { responders },
    )
    await connection.request('a')
    await connection.request('b')
    expect(heard().map(({ method }) => method)).toEqual(['a', 'b'])
  })
})
