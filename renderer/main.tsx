import './csp/zod-jitless.ts'
import './theme/tokens.css'
import './theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { live, startLive } from './host/live.ts'
import { loadStoredWindow } from './host/stored-window.ts'
import { keepAnswerDrafts } from './inbox/answer-draft.ts'
import { followInbox } from './inbox/inbox-state.ts'
import { followWorkspace } from './registry/follow-workspace.ts'
import { closeOutdatedToasts } from './servers/server-actions.ts'
import { followPresses } from './state/presses.ts'
import { followAddress } from './state/page.ts'
import { showNamedServer } from './servers/named-server.ts'
import { keepTimeline } from './timeline/keep-timeline.ts'
import { hasOwnWindow, keepWindow } from './workbench/keep-window.ts'
import { followResourceUpdates } from './workbench/resource-updates.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root"')

followAddress()
followPresses(globalThis)
keepAnswerDrafts()
followInbox()
followResourceUpdates()
followWorkspace(live.parts.registry)
closeOutdatedToasts(live.parts.servers)
startLive()
void loadStoredWindow(hasOwnWindow(), () => {
  keepWindow()
  keepTimeline()
  showNamedServer(globalThis)
})
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
