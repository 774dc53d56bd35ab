import type { Command } from '../palette/command.ts'
import { showPage } from '../state/page.ts'
import { cancelRun } from './conformance-actions.ts'
import { openOptions } from './run-with-permission.ts'
import { conformanceText } from './text.ts'

const { commands: text } = conformanceText

/** What can be done with checks from wherever the window stands. */
export const conformanceCommands: readonly Command[] = [
  {
    id: 'run-checks',
    icon: 'run',
    name: text.run,
    keys: undefined,
    run: () => {
      showPage('conformance')
      openOptions()
    },
  },
  { id: 'cancel-checks', icon: 'stop', name: text.cancel, keys: undefined, run: () => void cancelRun() },
]
