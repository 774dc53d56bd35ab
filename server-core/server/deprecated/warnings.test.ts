import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { Registry } from '../../registry/registry.ts'
import { startHttpListener } from '../../listener/http-listener.ts'
import type { Routes } from '../../listener/routes.ts'
import { envelope, serveRegistry } from '../raw-client.test-support.ts'

const CAPABILITIES = { roots: {}, sampling: {} }
const ANSWERS: Readonly<Record<string, JsonObject>> = {
  'roots/list': { roots: [] },
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } },
}

let codes: unknown[] = []
const note = (warning: Error) => {
  if ('code' in warning) codes.push(warning.code)
}

beforeEach(() => {
  codes = []
  process.on('warning', note)
})

afterEach(() => {
  process.off('warning', note)
})

/** What was warned of until now: warnings come in their order. */
async function warned(): Promise<readonly unknown[]> {
  const marked = once(process, 'warning')
  process.emitWarning('so far', { code: 'MARK' })
  let [warning] = await marked
  while (warning instanceof Error && warning.message !== 'so far') [warning] = await once(process, 'warning')
  return codes.filter((code) => code !== 'MARK')
}

function everythingDeprecated(): Registry {
  const registry = new Registry()
  registry.addTool({
    name: 'old',
    run: async (_args, ctx) => {
      ctx.log.info('one')
      ctx.log.info('two')
      await Promise.all([ctx.roots({ key: 'roots' }), ctx.sample('Well?', { key: 'sample' })])
      return 'done'
    },
  })
  registry.addTool({ name: 'new', run: (_args, ctx) => (ctx.progress(1), 'done') })
  return registry
}

it('handlers that use what 2026-07-28 deprecates warn once, towards its clients alone', async () => {
  const { client } = await serveRegistry(everythingDeprecated())
  await client.initialize(CAPABILITIES)
  client.answer = ({ method }) => ({ result: ANSWERS[String(method)] ?? {} })
  expect(await client.request('tools/call', { name: 'old' })).toMatchObject({ result: { content: [{}] } })
  expect(await warned()).toEqual([])

  const modern = await serveRegistry(everythingDeprecated())
  const call = (name: string, more: JsonObject = {}) =>
    modern.client.request('tools/call', { name, _meta: envelope(CAPABILITIES), ...more })
  await call('new')
  expect(await warned()).toEqual([])
  for (let time = 0; time < 3; time += 1) {
    const { result = {} } = await call('old')
    const { inputRequests, requestState } = result
    const asked = isJsonObject(inputRequests) ? Object.entries(inputRequests) : []
    const inputResponses = Object.fromEntries(
      asked.map(([key, question]) => [key, isJsonObject(question) && ANSWERS[String(question['method'])]]),
    )
    expect(await call('old', { inputResponses, requestState })).toMatchObject({
      result: { resultType: 'complete' },
    })
  }
  expect((await warned()).toSorted()).toEqual([
    'MCP_DEPRECATED_LOGGING',
    'MCP_DEPRECATED_ROOTS',
    'MCP_DEPRECATED_SAMPLING',
  ])
})

it('listeners of HTTP+SSE warn once, others never', async () => {
  const { server } = await serveRegistry(new Registry())
  const serve = async (routes: Routes) => {
    const listener = await startHttpListener({ server, port: 0, routes })
    await listener.close()
    return warned()
  }
  expect(await serve({ mcp: true, ws: true })).toEqual([])
  expect(await serve({ sse: true })).toEqual(['MCP_DEPRECATED_HTTP_SSE'])
  expect(await serve({ mcp: true, sse: true })).toEqual(['MCP_DEPRECATED_HTTP_SSE'])
})
