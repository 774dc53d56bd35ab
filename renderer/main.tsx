import './csp/zod-jitless.ts'
import './theme/tokens.css'
import './theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startLive } from './host/live.ts'
import { keepAnswerDrafts } from './inbox/answer-draft.ts'
import { followInbox } from './inbox/inbox-state.ts'
import { followAddress } from './state/room.ts'
import { keepWindow } from './workbench/keep-window.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root"')

followAddress()
keepWindow(sessionStorage)
keepAnswerDrafts(sessionStorage)
followInbox()
startLive()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
