import { Registry } from '../../registry/registry.ts'
import type { FaultControl } from '../fault-control.ts'
import { faultSettingsSchema } from '../fault-settings.ts'

/** Tools that are named by the fault that tests make of them, and some that are left alone. */
export const ECHOING = [
  'delay',
  'drop',
  'duplicate',
  'reorder',
  'cut',
  'malformed',
  'wrong-id',
  'status',
  'session-loss',
  'stall',
  'close',
  'stderr-flood',
  'plain',
] as const

/** Tools to make faults of; `set_faults` puts settings in force from afar. */
export function faultyRegistry(control: FaultControl): Registry {
  const registry = new Registry()
  for (const name of ECHOING) registry.addTool({ name, run: () => `${name} answered` })
  registry.addTool({
    name: 'count',
    run: (_args, ctx) => {
      for (const value of [1, 2, 3, 4]) ctx.progress(value, 4)
      return 'counted'
    },
  })
  registry.addTool({
    name: 'set_faults',
    run: (settings) => {
      control.apply(faultSettingsSchema.parse(settings))
      return 'set'
    },
  })
  return registry
}
