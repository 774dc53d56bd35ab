import type { Extension } from '../../server-core/server/extensions/extension.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

/** An addition to the protocol: clients that declare its id get its methods, the others do not know them. */
const weather: Extension = {
  id: 'com.example/weather',
  settings: { unit: 'C' },
  methods: {
    'weather/now': {
      serve: ({ params }) => ({ city: params['city'], degrees: 21 }),
    },
  },
  // A key in the `_meta` of every result.
  resultMeta: { 'com.example/station': () => 'Blindern' },
}

const registry = new Registry()
registry.addTool({ name: 'hello', run: () => 'hello' })

await run(createServer({ registry, info: { name: 'extension', version: '1.0.0' }, extensions: [weather] }))
