import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

// Registered, but neither listed nor callable yet.
const bonus = registry.addTool({ name: 'bonus', exposed: false, run: () => 'a bonus' })

registry.addTool({
  name: 'unlock',
  run: () => {
    bonus.update({ exposed: true, description: 'Now it is there.' })
    return 'unlocked'
  },
})

// Many changes at once: clients learn of each list once.
registry.addTool({
  name: 'grow',
  run: () => {
    registry.batch(() => {
      for (const name of ['first', 'second', 'third']) registry.addTool({ name, run: () => name })
      bonus.remove()
    })
    return 'three more, one less'
  },
})

// Everything off, until it is switched on again.
registry.addTool({
  name: 'pause',
  run: () => {
    registry.setEnabled(false)
    setTimeout(() => registry.setEnabled(true), 100)
    return 'back in a moment'
  },
})

await run(createServer({ registry, info: { name: 'changes', version: '1.0.0' } }))
