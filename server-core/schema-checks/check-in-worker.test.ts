import { expect, it } from 'vitest'
import { checkInWorker } from './check-in-worker.ts'

const base = { dialect: '2020-12', allFaults: true } as const
const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name'],
}

it('reports every fault of a value, or the first one', async () => {
  const request = { ...base, schema: person, value: { age: 'old' } }
  expect(await checkInWorker(request)).toMatchObject({
    type: 'checked',
    faults: [{ keyword: 'required' }, { keyword: 'type', instancePath: '/age' }],
  })
  expect(await checkInWorker({ ...request, allFaults: false })).toMatchObject({
    faults: [{ keyword: 'required' }],
  })
  expect(await checkInWorker({ ...request, value: { name: 'Ada' } })).toEqual({ type: 'checked', faults: [] })
})

it('keeps schemas of the same $id apart, and reports one that cannot be used', async () => {
  const $id = 'https://a.example/schema'
  const text = { $id, type: 'string' }
  const number = { $id, type: 'number' }
  expect(await checkInWorker({ ...base, schema: text, value: 'a' })).toEqual({ type: 'checked', faults: [] })
  expect(await checkInWorker({ ...base, schema: number, value: 'a' })).toMatchObject({
    faults: [{ keyword: 'type' }],
  })
  const dangling = { $ref: '#/$defs/missing' }
  expect(await checkInWorker({ ...base, schema: dangling, value: 1 })).toMatchObject({ type: 'unusable' })
})

it('checks by the dialect of the schema', async () => {
  const schema = { items: [{ type: 'string' }] }
  const request = { ...base, schema, value: [1] }
  expect(await checkInWorker({ ...request, dialect: 'draft-07' })).toMatchObject({
    faults: [{ instancePath: '/0' }],
  })
})

it('ends a check that takes too long, and goes on with the next one', async () => {
  // A look-ahead keeps the pattern from the linear engine.
  const endless = { type: 'string', pattern: '^(?=a)(a+)+$' }
  const late = checkInWorker({ ...base, schema: endless, value: `${'a'.repeat(40)}!` })
  const next = checkInWorker({ ...base, schema: person, value: { name: 'Ada' } })
  expect(await late).toEqual({ type: 'out-of-time' })
  expect(await next).toEqual({ type: 'checked', faults: [] })
})
