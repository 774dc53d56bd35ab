import { expect, it } from 'vitest'
import { hostFlags } from './host-memory.ts'

it('gives V8 its flags by a switch in Electron, but for a size that the user gave Node', () => {
  expect(hostFlags({})).toEqual(['--js-flags=--heap-growing-percent=50 --max-semi-space-size=8'])
  expect(hostFlags({ NODE_OPTIONS: '--max_semi_space_size=64' })).toEqual([
    '--js-flags=--heap-growing-percent=50',
  ])
})
