import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ZodType } from 'zod'
import { FROM_PROCESS, NEWS, READ_ORDERS, spoiled, TO_PROCESS } from './channel-messages.test-support.ts'
import { parseFromProcess, parseReadOrder, parseToProcess, parseWorkerMessage } from './channel-parsers.ts'
import {
  fromProcessSchema,
  readOrderSchema,
  toProcessSchema,
  workerSaysSchema,
} from './channel-schemas.test-support.ts'

const SIDES: readonly [string, readonly unknown[], (value: unknown) => unknown, ZodType][] = [
  ['a Worker', [...NEWS, '{"type":"stopping"}', new Uint8Array(3)], parseWorkerMessage, workerSaysSchema],
  ['the process of the Workers', FROM_PROCESS, parseFromProcess, fromProcessSchema],
  ['the host', TO_PROCESS, parseToProcess, toProcessSchema],
  ['the host, to a Worker that reads', READ_ORDERS, parseReadOrder, readOrderSchema],
]

describe.each(SIDES)('messages of %s', (_, valid, parse, schema) => {
  it('are read as they are', () => {
    for (const message of valid) {
      expect(parse(message)).toEqual(message)
      expect(schema.parse(message)).toEqual(message)
    }
  })

  it('pass exactly if the schema lets them pass, spoiled in any way', () => {
    fc.assert(
      fc.property(fc.constantFrom(...valid), fc.infiniteStream(fc.nat()), (message, numbers) => {
        const sent = spoiled(message, (count) => ([...numbers.take(1)][0] ?? 0) % count)
        const parsed = schema.safeParse(sent)
        const read = parse(sent)
        expect(read !== undefined).toBe(parsed.success)
        if (parsed.success) expect(read).toEqual(parsed.data)
      }),
      { numRuns: 2_000 },
    )
  })
})
