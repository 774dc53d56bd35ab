import { expect, it } from 'vitest'
import { SerialQueue } from './serial-queue.ts'

it('runs work one after another, and the next after one that fails', async () => {
  const queue = new SerialQueue()
  const events: string[] = []
  const first = Promise.withResolvers<string>()
  const results = [
    queue.run(() => first.promise),
    queue.run(() => {
      events.push('second')
      throw new Error('no')
    }),
    queue.run(() => events.push('third')),
  ]
  const settled = Promise.allSettled(results)
  await Promise.resolve()
  expect(events).toEqual([])
  first.resolve('done')
  await queue.idle()
  expect(events).toEqual(['second', 'third'])
  expect(await settled).toMatchObject([{ value: 'done' }, { reason: { message: 'no' } }, { value: 2 }])
})
