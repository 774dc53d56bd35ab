import { config } from 'patchbay'
import { faultResult } from './lib/faults.ts'
import { openJournal, type Journal } from './lib/journal.ts'

export default config<Journal>({
  name: 'decisions',
  version: '1.0.0',
  title: 'Decision journal',
  instructions:
    'A log of decisions with their outcomes. Call get_session_context when you begin, pre_action before every decision ' +
    'that matters, record_thought while you work, update_decision when you are done and review_outcome once it is ' +
    'known how it went. The other tools do the same in smaller steps.',
  environment: ['DECISIONS_PATH'],
  lifespan: () => ({ value: openJournal(import.meta.dirname, process.env['DECISIONS_PATH']) }),
  // What a client reads of an error is always { error, message }.
  mapErrors: [(error, { kind, name }) => (kind === 'tool' ? faultResult(error, name) : undefined)],
})
