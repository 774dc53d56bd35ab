import { expect, it } from 'vitest'
import { Stopped } from '../examination.ts'
import { guardCalls, UNKNOWN_TOOL } from './permission.ts'

const TOOLS = [{ name: 'delete' }, { name: 'look', annotations: { readOnlyHint: true } }]
const call = (name: string) => ({ method: 'tools/call', params: { name } })

it('lets no listed tool be called without permission, alone or in an array', () => {
  expect(() => guardCalls({}, TOOLS, call('delete'))).toThrow(Stopped)
  expect(() => guardCalls({ readOnly: true }, TOOLS, [call('look'), call('delete')])).toThrow('delete')
})

it('lets tools be called that were named or are read-only', () => {
  expect(() => guardCalls({ names: ['delete'] }, TOOLS, call('delete'))).not.toThrow()
  expect(() => guardCalls({ readOnly: true }, TOOLS, call('look'))).not.toThrow()
})

it('lets unlisted tools be named, and only invented ones where lists are unknown', () => {
  expect(() => guardCalls({}, TOOLS, call(UNKNOWN_TOOL))).not.toThrow()
  expect(() => guardCalls({}, undefined, call(UNKNOWN_TOOL))).not.toThrow()
  expect(() => guardCalls({}, undefined, call('delete'))).toThrow(Stopped)
})
