import { expect, it } from 'vitest'
import type { WindowParts } from '../../server-core/host/contract/window-state.ts'
import { WorkspaceParts } from './workspace-parts.ts'

it('stores what changed, first what came before it was connected, and all of it again when the host is back', () => {
  const parts = new WorkspaceParts()
  parts.load({ tabs: 'loaded' })
  expect([parts.text('tabs'), parts.text('timeline')]).toEqual(['loaded', undefined])

  const saved: WindowParts[] = []
  parts.put('tabs', '1')
  parts.connect((each) => {
    saved.push(each)
    return Promise.resolve()
  })
  parts.put('tabs', '1')
  parts.put('tabs', '2')
  parts.put('timeline', 'a')
  parts.saveAll()
  expect(saved).toEqual([{ tabs: '1' }, { tabs: '2' }, { timeline: 'a' }, { tabs: '2', timeline: 'a' }])
})
