import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../protocol/json.ts'
import { prepareValidators, Validators } from './validators.ts'

async function problem(schema: JsonSchema, value: unknown): Promise<string | undefined> {
  return (await new Validators().check(schema, 'the test'))(value)
}

describe('Validators', () => {
  it('checks by 2020-12 unless the schema names another dialect', async () => {
    const pair = { type: 'array', prefixItems: [{ type: 'number' }], items: false }
    expect(await problem(pair, [1])).toBeUndefined()
    expect(await problem(pair, ['x'])).toContain('/0')
    expect(await problem(pair, [1, 2])).toBeDefined()
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'number' }] }
    expect(await problem(old, ['x'])).toContain('number')
  })

  it('checks formats and says what is wrong', async () => {
    const schema = { type: 'object', properties: { mail: { format: 'email' } }, additionalProperties: false }
    expect(await problem(schema, { mail: 'a@b.example' })).toBeUndefined()
    expect(await problem(schema, { mail: 'nobody' })).toContain('/mail')
    expect(await problem(schema, { other: 1 })).toContain('"other"')
    expect(await problem({ enum: ['a', 'b'] }, 'c')).toContain('["a","b"]')
  })

  it('refuses an unknown dialect and a reference that leads nowhere', async () => {
    await expect(problem({ $schema: 'x:y', type: 'object' }, {})).rejects.toThrow('x:y')
    await expect(problem({ $ref: '#/$defs/none' }, {})).rejects.toThrow('none')
  })

  it('never fetches a reference', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await expect(problem({ $ref: `http://127.0.0.1:${port}/schema.json` }, {})).rejects.toThrow(String(port))
    await new Promise((resolve) => server.close(resolve))
    expect(asked).toBe(0)
  })

  it('takes schemas that share an id, and compiles each once', async () => {
    const validators = new Validators()
    const one = { $id: 'same', type: 'number' }
    const two = { $id: 'same', type: 'string' }
    const first = await validators.check(one, 'one')
    expect((await validators.check(two, 'two'))('x')).toBeUndefined()
    expect(first(1)).toBeUndefined()
    expect(validators.check(one, 'one')).toBe(first)
  })

  it('accepts any object where the schema requires nothing', async () => {
    expect(await problem({ type: 'object' }, { any: 1 })).toBeUndefined()
    expect(await problem({ type: 'object', properties: {} }, [])).toBeDefined()
  })

  it('is prepared by checking anything', async () => {
    await prepareValidators()
    expect(await problem({ type: 'array', minItems: 1 }, [])).toBeDefined()
  })
})
