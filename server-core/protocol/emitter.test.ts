import { expect, it } from 'vitest'
import { Emitter } from './emitter.ts'

it('calls a listener as often as it was added, until each of its subscriptions ends', () => {
  const emitter = new Emitter<string>()
  const events: string[] = []
  const listener = (event: string) => void events.push(event)
  const leaveFirst = emitter.listen(listener)
  const leaveSecond = emitter.listen(listener)
  emitter.emit('one')
  leaveFirst()
  leaveFirst()
  emitter.emit('two')
  leaveSecond()
  emitter.emit('three')
  expect(events).toEqual(['one', 'one', 'two'])
  expect(emitter.size).toBe(0)
})

it('calls those who listened when the event came, whoever comes or goes meanwhile', () => {
  const emitter = new Emitter()
  const calls: string[] = []
  emitter.listen(() => {
    calls.push('first')
    emitter.listen(() => void calls.push('late'))
  })
  emitter.listen(() => void calls.push('second'))
  emitter.emit()
  expect(calls).toEqual(['first', 'second'])
})
