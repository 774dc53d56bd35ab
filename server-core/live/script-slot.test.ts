import { expect, it } from 'vitest'
import { Registry } from '../registry/registry.ts'
import type { ConfigData } from '../scripts/config-data.ts'
import { ScriptSlot } from './script-slot.ts'
import { ScriptLog } from './script-log.ts'

it('reports what of another configuration clients come to see', () => {
  const log = new ScriptLog(() => undefined)
  const held = new ScriptSlot('patchbay.config.ts', log)
  let revision = 0
  const take = (config: ConfigData) => {
    revision += 1
    const text = JSON.stringify(config)
    const contents = new Map([
      ['/workspace/patchbay.config.ts', { hash: String(revision), text, stamp: text }],
    ])
    const of = { file: 'patchbay.config.ts', revision, hash: text, inputs: [] }
    held.take({ contents, result: { ...of, view: new Registry(), config }, tookMs: 1 })
  }
  const mounts = [{ folder: 'birds', prefix: 'birds' }]
  take({})
  take({ mounts })
  take({ mounts, instructions: 'Be kind.' })
  take({ mounts, instructions: 'Be kind.', limits: { startMs: 9 } })
  take({ instructions: 'Be kind.' })
  expect(log.lines().map(({ text }) => text)).toEqual([
    'loaded in 1 ms; no visible change',
    'loaded in 1 ms; sources composed again',
    'loaded in 1 ms; visible to new clients',
    'loaded in 1 ms; no visible change',
    'loaded in 1 ms; sources composed again',
  ])
  const seen = held.kept.list().map(({ changedWhatClientsSee }) => changedWhatClientsSee)
  expect(seen).toEqual([true, false, true, true, false])
})
