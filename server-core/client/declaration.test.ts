import { afterEach, describe, expect, it } from 'vitest'
import { declares } from './declaration.ts'
import type { QuestionContext } from './responders.ts'
import { closeAll, connectedTo, scriptedServer, speaking } from './scripted-server.test-support.ts'
import { connect } from './connect.ts'

afterEach(closeAll)

const identity = { name: 'someone', version: '3', title: 'Someone else', 'x.example/unknown': [1] }
const capabilities = {
  experimental: { 'x.example': {} },
  extensions: { 'com.example/own': { level: 2 } },
  elicitation: { url: {} },
  sampling: {},
  'x-unheard-of': { a: [null] },
}

describe('a declaration', () => {
  it('goes out as it is in both eras, in place of what the responders amount to', async () => {
    const legacy = scriptedServer(speaking('legacy', () => undefined))
    const declaration = { identity, capabilities }
    const options = { identity: { name: 'patchbay', version: '0' }, declaration }
    const connection = await connect({ open: legacy.open, ...options })
    const handshake = legacy.heard.find(({ method }) => method === 'initialize')
    expect(handshake?.params).toMatchObject({ clientInfo: identity, capabilities })
    expect(connection.declaration).toEqual(declaration)
    await connection.close()

    const modern = await connectedTo(
      'modern',
      (heard, side) => side.result(heard, { resultType: 'complete' }),
      {
        declaration,
      },
    )
    await modern.connection.request('tools/call', { name: 'x' })
    expect(modern.heard()[0]?.params['_meta']).toMatchObject({
      'io.modelcontextprotocol/clientInfo': identity,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    })
  })

  it('decides what is answered: by its responder, or by saying that there is none', async () => {
    const asked: QuestionContext[] = []
    const answers: unknown[] = []
    const done = Promise.withResolvers<void>()
    const questions = [
      { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'https://x.example/' } },
      { method: 'elicitation/create', params: { message: 'm', requestedSchema: {} } },
      { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
      { method: 'roots/list' },
    ]
    const { connection } = await connectedTo(
      'legacy',
      (heard, side) => {
        if (heard.method === 'notifications/go')
          for (const [id, question] of questions.entries()) side.send({ jsonrpc: '2.0', id, ...question })
        else answers.push(heard.message)
        if (answers.length === questions.length) done.resolve()
      },
      {
        declaration: { identity, capabilities },
        responders: {
          elicitation: {
            form: () => Promise.resolve({ action: 'decline' }),
            url: (_params, context) => {
              asked.push(context)
              return Promise.resolve({ action: 'accept' })
            },
          },
          roots: () => Promise.resolve({ roots: [] }),
        },
      },
    )
    await connection.notify('notifications/go')
    await done.promise
    expect(answers).toHaveLength(4)
    expect(answers).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 0, result: { action: 'accept' } },
        expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32602 }) as unknown }),
        {
          jsonrpc: '2.0',
          id: 2,
          error: {
            code: -32603,
            message: 'this client declares sampling, but no responder is set for it',
          },
        },
        expect.objectContaining({ id: 3, error: expect.objectContaining({ code: -32601 }) as unknown }),
      ]),
    )
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ method: 'elicitation/create', revision: '2025-11-25' })
    expect(new TextDecoder().decode(asked[0]?.bytes)).toContain('https://x.example/')
  })

  it('declares by presence alone', () => {
    expect(declares(capabilities, 'elicitation', 'url')).toBe(true)
    expect(declares(capabilities, 'elicitation', 'form')).toBe(false)
    expect(declares({ sampling: true }, 'sampling')).toBe(false)
    expect(declares({}, 'constructor')).toBe(false)
  })
})
