import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isJsonObject } from '../../protocol/json.ts'
import { ScriptedInvocation } from '../../registry/scripted-invocation.test-support.ts'
import { apiServer, json, type Reply, type Seen } from '../api-server.test-support.ts'
import { composeRegistry, type ComposedRegistry } from '../compose.ts'
import { openApiSchema } from '../config-data.ts'
import { openOpenApi } from './openapi-source.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures')
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function workspace(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-openapi-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['petstore.yaml', 'orders.yaml', 'weather.json']) {
    await copyFile(path.join(FIXTURES, name), path.join(folder, name))
  }
  return folder
}

async function served(answer: (seen: Seen) => Reply | Promise<Reply> = () => json({ ok: true })) {
  const api = await apiServer(answer)
  closing.push(api.close)
  return api
}

const SECRETS = new Map([
  ['shop key', 'k-123'],
  ['password', 'p:ss'],
  ['client secret', 'c-secret'],
])

async function opened(given: Record<string, unknown>, folder?: string) {
  const data = openApiSchema.parse({ document: 'petstore.yaml', ...given })
  const source = await openOpenApi(data, {
    id: 'api',
    folder: folder ?? (await workspace()),
    secretOf: (name) => Promise.resolve(SECRETS.get(name)),
    retryMs: 5,
  })
  closing.push(() => source.close())
  return { source, composed: composeRegistry([source.source]) }
}

async function call(composed: ComposedRegistry, name: string, args: Record<string, unknown> = {}) {
  const tool = composed.tool(name)
  if (tool === undefined) {
    throw new Error(
      `no tool ${name}: ${JSON.stringify(composed.entries().map(({ shownName }) => shownName))}`,
    )
  }
  return tool.invoke(args, new ScriptedInvocation())
}

describe('a document of OpenAPI 3.0 in YAML', () => {
  it('gives a tool for each operation, with its schema, its annotations and a name that is valid', async () => {
    const { composed, source } = await opened({ prefix: 'shop' })
    expect(source.fault()).toBeUndefined()
    const tools = Object.fromEntries(composed.tools().map((tool) => [tool.name, tool]))
    expect(Object.keys(tools)).toEqual([
      'shop.listPets',
      'shop.createPet',
      'shop.getPet',
      'shop.put_pets_by_petId',
      'shop.delete_pet',
      'shop.getPhoto',
      'shop.addPhoto',
      'shop.order',
    ])
    expect(tools['shop.listPets']).toMatchObject({
      title: 'List pets',
      description: 'All pets, page by page.',
      tags: ['pets'],
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        properties: {
          limit: { type: 'integer', exclusiveMinimum: 0, maximum: 100 },
          'X-Trace': { description: 'Comes back in the log' },
          where: { type: 'object' },
        },
      },
      outputSchema: { type: 'array', items: { $ref: '#/$defs/Pet' } },
    })
    expect(tools['shop.listPets']?.inputSchema['properties']).not.toHaveProperty('Authorization')
    expect(tools['shop.delete_pet']).toMatchObject({
      description: 'Deprecated. DELETE /pets/{petId}',
      annotations: { destructiveHint: true, idempotentHint: true },
    })
    expect(tools['shop.put_pets_by_petId']?.annotations).toMatchObject({ idempotentHint: true })
    expect(tools['shop.createPet']?.inputSchema).toEqual({
      type: 'object',
      properties: { 'X-Trace': expect.anything() as unknown, body: expect.anything() as unknown },
      required: ['body'],
      additionalProperties: false,
      $defs: {
        Pet: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', examples: ['Rex'] },
            nickname: { type: ['string', 'null'] },
            kind: { type: 'string', enum: ['cat', 'dog'] },
            parent: { $ref: '#/$defs/Pet' },
            secret: { type: 'string', writeOnly: true },
          },
        },
      },
    })
    expect(tools['shop.order']?.outputSchema).toMatchObject({
      $ref: '#/$defs/Order',
      $defs: {
        Order: { properties: { pet: { enum: ['cat', 'dog'] }, items: { items: { $ref: '#/$defs/Order' } } } },
      },
    })
    expect(composed.entries().at(-1)).toMatchObject({
      state: 'failing',
      shownName: 'shop.GET /broken',
      fault: { code: 'document', message: expect.stringContaining('there is no "Missing"') as string },
    })
  })

  it('sends parameters in path, query, header and cookie by their styles, and a key', async () => {
    const api = await served(() => json([{ id: 1, name: 'Rex' }]))
    const { composed } = await opened({
      baseUrl: `${api.url}/v1/`,
      headers: { 'X-Tenant': 'blue' },
      credentials: { api_key: { secret: 'shop key' } },
    })
    const result = await call(composed, 'listPets', {
      limit: 5,
      tags: ['a b', 'c'],
      filter: { kind: 'cat', 'a&b': '1' },
      where: { x: [1] },
      'X-Page': 2,
      'X-Trace': 'trace',
      locale: 'en GB',
    })
    expect(result).toMatchObject({ structured: [{ id: 1, name: 'Rex' }] })
    expect(api.seen[0]?.url).toBe(
      '/v1/pets?limit=5&tags=a%20b%7Cc&filter%5Bkind%5D=cat&filter%5Ba%26b%5D=1&where=%7B%22x%22%3A%5B1%5D%7D',
    )
    expect(api.seen[0]?.headers).toMatchObject({
      'x-page': '2',
      'x-trace': 'trace',
      'x-api-key': 'k-123',
      'x-tenant': 'blue',
      cookie: 'locale=en%20GB',
      accept: 'application/json, */*;q=0.1',
    })
  })

  it('sends bodies as JSON, forms, text and files', async () => {
    const api = await served(({ url }) =>
      url.startsWith('/orders') ? json({ pet: 'cat', items: [] }) : { status: 204 },
    )
    const { composed } = await opened({ baseUrl: api.url })
    const done = await call(composed, 'put_pets_by_petId', {
      petId: 'a/b',
      body: { name: 'R & B', colours: ['red', 'blue'], owner: { city: 'Ulm' } },
    })
    expect(done.content).toEqual([{ type: 'text', text: 'PUT /pets/{petId} answered 204, with no body' }])
    expect(api.seen[0]).toMatchObject({
      url: '/pets/a%2Fb',
      body: 'name=R%20%26%20B&colours=red&colours=blue&owner=%7B%22city%22%3A%22Ulm%22%7D',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await call(composed, 'order', { body: 'a cat, please' })
    expect(api.seen[1]).toMatchObject({
      body: 'a cat, please',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
    await call(composed, 'addPhoto', {
      petId: '7',
      petId_query: 'x',
      body: {
        caption: 'ü',
        image: { data: Buffer.from('PNG').toString('base64'), fileName: 'a"b.png', mimeType: 'image/png' },
        more: [Buffer.from('one').toString('base64')],
        facts: { a: 1 },
      },
    })
    const form = api.seen[2]
    expect(form?.url).toBe('/pets/;petId=7/photo?petId=x')
    const [, boundary = ''] = /boundary=(.+)$/.exec(form?.headers['content-type'] ?? '') ?? []
    const parts = form?.body.split(`--${boundary}`).slice(1, -1)
    const head = 'Content-Disposition: form-data; name='
    expect(parts).toEqual(
      [
        `${head}"caption"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nü`,
        `${head}"image"; filename="a%22b.png"\r\nContent-Type: image/png\r\n\r\nPNG`,
        `${head}"more"; filename="more"\r\nContent-Type: application/octet-stream\r\n\r\none`,
        `${head}"facts"\r\nContent-Type: application/json\r\n\r\n{"a":1}`,
      ].map((part) => `\r\n${part}\r\n`),
    )
    const unfit = await call(composed, 'addPhoto', { petId: '7', body: { image: 'not base64!' } })
    expect(unfit).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('base64') as string }],
    })
  })

  it('gets a token by client credentials, once, and another when it is refused', async () => {
    let tokens = 0
    let good = 'Bearer t1'
    const api = await served(({ url, headers }) => {
      if (url !== '/token') return { status: headers.authorization === good ? 204 : 401 }
      tokens += 1
      return json({ access_token: `t${tokens}`, token_type: 'bearer', expires_in: 3600 })
    })
    const { composed } = await opened({
      baseUrl: api.url,
      credentials: {
        shop_auth: {
          clientId: 'me',
          clientSecret: { secret: 'client secret' },
          tokenUrl: `${api.url}/token`,
        },
      },
    })
    await Promise.all([1, 2].map((at) => call(composed, 'delete_pet', { petId: String(at) })))
    expect(api.seen.filter(({ url }) => url === '/token')).toMatchObject([
      { method: 'POST', body: expect.stringContaining('scope=pets%3Awrite') as string },
    ])
    good = 'Bearer t2'
    const before = api.seen.length
    const result = await call(composed, 'delete_pet', { petId: '3' })
    expect(result.isError).toBeUndefined()
    expect(api.seen.slice(before).map(({ url }) => url)).toEqual(['/pets/3', '/token', '/pets/3'])
  })

  it('takes another way in where there are credentials for it', async () => {
    const api = await served(() => ({ status: 204 }))
    const { composed } = await opened({
      baseUrl: api.url,
      credentials: { basic: { username: 'ann', password: { secret: 'password' } } },
    })
    await call(composed, 'delete_pet', { petId: '1' })
    expect(api.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ann:p:ss').toString('base64')}`)
  })

  it('reports what the interface says went wrong, and what is missing, without secrets', async () => {
    const api = await served(({ url }) =>
      url.startsWith('/pets/1') ? json({ error: 'no such pet' }, 404) : { status: 401, body: 'who?' },
    )
    const { composed } = await opened({ baseUrl: api.url })
    expect(await call(composed, 'getPet', { petId: '1' })).toMatchObject({
      isError: true,
      content: [{ text: 'GET /pets/{petId} answered 404:\n{"error":"no such pet"}' }],
    })
    const refused = await call(composed, 'getPet', { petId: '2' })
    expect(JSON.stringify(refused.content)).toMatch(/answered 401.*who\?.*asks for \\"api_key\\"/)
    const { composed: locked } = await opened({
      baseUrl: api.url,
      credentials: { basic: { username: 'ann', password: { secret: 'ANN_PASSWORD' } } },
    })
    const unset = await call(locked, 'delete_pet', { petId: '1' })
    expect(JSON.stringify(unset.content)).toContain('the environment variable ANN_PASSWORD has to be set')
    await api.close()
    closing.pop()
    const { composed: other } = await opened({
      document: 'weather.json',
      baseUrl: api.url,
      credentials: { key: 'very secret', seat: 's' },
    })
    const gone = await call(other, 'get')
    expect(gone.isError).toBe(true)
    expect(JSON.stringify(gone)).not.toContain('very')
    for (const petId of ['', '..', '.']) {
      expect(await call(composed, 'getPet', { petId })).toMatchObject({ isError: true })
    }
  })

  it('returns other content than JSON as text, picture or bytes', async () => {
    const api = await served(({ method }) =>
      method === 'GET'
        ? { headers: { 'content-type': 'image/png' }, body: Buffer.from('PNG') }
        : { headers: { 'content-type': 'text/plain; charset=latin1' }, body: Buffer.from('\xfc', 'latin1') },
    )
    const { composed } = await opened({ baseUrl: api.url })
    expect((await call(composed, 'getPhoto', { petId: '1' })).content).toEqual([
      { type: 'image', mimeType: 'image/png', data: Buffer.from('PNG').toString('base64') },
    ])
    expect((await call(composed, 'addPhoto', { petId: '1' })).content).toEqual([{ type: 'text', text: 'ü' }])
  })
})

describe('a document of OpenAPI 3.1 in JSON', () => {
  it('from a URL, whose server is where it came from', async () => {
    const document = await readFile(path.join(FIXTURES, 'weather.json'))
    const api = await served(({ url }) =>
      url === '/openapi.json' ? { body: document } : json({ id: 'A1', near: [] }),
    )
    const { composed } = await opened({ document: `${api.url}/openapi.json`, credentials: { token: 'tok' } })
    expect(composed.tool('station')).toMatchObject({
      inputSchema: {
        properties: { units: { type: 'string', enum: ['C', 'F'], default: 'C' } },
        required: ['station-id'],
      },
      outputSchema: {
        $ref: '#/$defs/Station',
        $defs: {
          Station: {
            properties: {
              id: { type: ['string', 'null'] },
              near: { items: { $ref: '#/$defs/Station', description: 'Another' } },
            },
          },
        },
      },
    })
    const result = await call(composed, 'station', { 'station-id': 'A 1' })
    expect(result.structured).toEqual({ id: 'A1', near: [] })
    expect(api.seen.at(-1)).toMatchObject({
      url: '/stations/A%201',
      headers: { authorization: 'Bearer tok' },
    })
    await call(composed, 'report', { body: Buffer.from([1, 2]).toString('base64') })
    expect(api.seen.at(-1)).toMatchObject({
      body: '\u0001\u0002',
      headers: { 'content-type': 'application/octet-stream' },
    })
  })

  it('puts keys into query and cookie', async () => {
    const api = await served()
    const { composed } = await opened({
      document: 'weather.json',
      baseUrl: api.url,
      credentials: { key: 'a b', seat: '7' },
    })
    await call(composed, 'get')
    expect(api.seen[0]).toMatchObject({ url: '/?key=a%20b', headers: { cookie: 'seat=7' } })
  })
})

describe('the route map', () => {
  it('exposes, excludes, renames and describes by method, path, tag and operationId, the first that fits', async () => {
    const api = await served(({ url }) => (url.includes('404') ? json({}, 404) : json({ id: 'A1' })))
    const { composed } = await opened({
      document: 'weather.json',
      baseUrl: api.url,
      prefix: 'wx',
      routes: [
        { methods: ['GET'], path: '/', as: 'resource', name: 'index', description: 'All of it' },
        { operationId: 'stat*', as: 'template', title: 'Station' },
        { tag: 'stations', name: 'send', annotations: { idempotentHint: true } },
        { as: 'exclude' },
      ],
    })
    expect(composed.tools()).toMatchObject([{ name: 'wx.send', annotations: { idempotentHint: true } }])
    expect(composed.resources()).toMatchObject([
      { uri: 'api://wx/', name: 'index', description: 'All of it' },
    ])
    expect(composed.resourceTemplates()).toMatchObject([
      { uriTemplate: 'api://wx/stations/{station_id}{?units}', title: 'Station' },
    ])
    const read = await composed.resourceFor('api://wx/stations/A%201?units=F')?.read(new ScriptedInvocation())
    expect(read?.contents).toEqual([
      { uri: 'api://wx/stations/A%201?units=F', mimeType: 'application/json', text: '{"id":"A1"}' },
    ])
    expect(api.seen[0]?.url).toBe('/stations/A%201?units=F')
    const missing = composed.resourceFor('api://wx/stations/404')?.read(new ScriptedInvocation())
    await expect(missing).rejects.toThrow(/answered 404/)
  })

  it('leaves out what an exclude before others names, and says why something cannot be a resource', async () => {
    const { composed } = await opened({
      routes: [
        { path: '/pets/*', as: 'exclude' },
        { path: '/pets/*/*', as: 'exclude' },
        { methods: ['post'], as: 'resource' },
      ],
    })
    const byName = Object.fromEntries(composed.entries().map((entry) => [entry.shownName, entry]))
    expect(Object.keys(byName)).toEqual(['listPets', 'createPet', 'order', 'GET /broken'])
    expect(byName['createPet']).toMatchObject({
      kind: 'resource',
      fault: { message: expect.stringContaining('only what is read by GET') as string },
    })
  })
})

describe('what may not be', () => {
  it('is a document outside of the workspace, by name or by a link, or an invalid one', async () => {
    const folder = await workspace()
    const outside = await workspace()
    await symlink(path.join(outside, 'petstore.yaml'), path.join(folder, 'linked.yaml'))
    await writeFile(path.join(folder, 'old.json'), '{"swagger":"2.0"}')
    await writeFile(path.join(folder, 'torn.yaml'), 'openapi: [')
    for (const [document, message] of [
      ['../x.yaml', 'is not in the folder'],
      ['linked.yaml', 'is not in the folder'],
      ['old.json', 'not an OpenAPI document of version 3.0 or 3.1'],
      ['torn.yaml', 'neither JSON nor YAML'],
      ['none.yaml', 'there is no file'],
    ] as const) {
      const { source, composed } = await opened({ document }, folder)
      expect(source.fault()?.message).toContain(message)
      expect(composed.entries()).toEqual([])
    }
  })

  it('is a fetched document that sends requests to this machine from elsewhere, or reads its files', async () => {
    const api = await served(({ url }) => {
      if (url !== '/doc.json') return json({})
      return json({
        openapi: '3.1.0',
        servers: [{ url: 'https://169.254.169.254/' }],
        paths: {
          '/meta': { get: { operationId: 'meta' } },
          '/file': { get: { operationId: 'file', parameters: [{ $ref: 'file:///etc/passwd' }] } },
        },
      })
    })
    const { composed } = await opened({ document: `${api.url}/doc.json` })
    expect(await call(composed, 'meta')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('no request of Patchbay goes to link-local') as string }],
    })
    expect(JSON.stringify(composed.entries())).toContain('cannot have it')
  })
})

it('follows its files, and keeps what it had while they cannot be read', async () => {
  const folder = await workspace()
  const { source, composed } = await opened(
    { document: 'weather.json', baseUrl: 'https://x.example' },
    folder,
  )
  const next = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const stop = source.onFault(() => {
        if (!isSo()) return
        stop()
        resolve()
      })
    })
  const file = path.join(folder, 'weather.json')
  const text = await readFile(file, 'utf8')
  const broken = next(() => source.fault() !== undefined)
  await writeFile(file, text.slice(0, 500))
  await broken
  expect(composed.tools()).toHaveLength(3)
  const fixed = next(() => source.fault() === undefined)
  const document: unknown = JSON.parse(text)
  const kept = isJsonObject(document) && isJsonObject(document['paths']) ? document['paths'] : {}
  const changes: unknown[] = []
  composed.onChange((change) => changes.push(change))
  await writeFile(file, JSON.stringify({ ...(document as object), paths: { '/': kept['/'] } }))
  await fixed
  expect(composed.tools().map(({ name }) => name)).toEqual(['get'])
  expect(changes).toEqual([{ type: 'list', kind: 'tools' }])
})

it('tries a URL again that could not be fetched', async () => {
  const document = await readFile(path.join(FIXTURES, 'weather.json'))
  let isThere = false
  const api = await served(() => (isThere ? { body: document } : { status: 503 }))
  const { source, composed } = await opened({ document: `${api.url}/openapi.json` })
  expect(source.fault()?.message).toContain('answered 503')
  const back = new Promise<void>((resolve) => {
    source.onFault(() => {
      if (source.fault() === undefined) resolve()
    })
  })
  isThere = true
  await back
  expect(composed.tools()).toHaveLength(3)
})
