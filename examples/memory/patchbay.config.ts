import path from 'node:path'
import { config } from 'patchbay'
import type { MemoryStore } from './lib/memory-store.ts'
import { openStore } from './lib/open-store.ts'

export default config<MemoryStore>({
  name: 'memory',
  version: '1.0.0',
  title: 'Memory',
  instructions:
    'Remembers conversations and facts about users, also after a restart. save_conversation keeps a snapshot, which is then the ' +
    'resource memory://conversations/{conversation_id}; save_user_fact keeps a fact, get_user_facts gives them all.',
  environment: ['MEMORY_PATH', 'MEMORY_STORE'],
  async lifespan() {
    const folder = process.env['MEMORY_PATH'] ?? path.join(import.meta.dirname, 'data')
    // A store of your own goes here.
    const store = await openStore(folder, process.env['MEMORY_STORE'])
    return { value: store, dispose: () => store.close() }
  },
})
