/** Preloaded into the built server, which knows nothing of being measured. */
import { reportTo } from './account.ts'

reportTo(process)
