import { CSPProvider } from '@base-ui/react/csp-provider'
import { IconSprite } from '../controls/icon.tsx'
import { Toasts } from '../controls/toast.tsx'
import { TooltipProvider } from '../controls/tooltip.tsx'
import { cspNonce } from '../csp/nonce.ts'

/** The whole page. */
export function App() {
  return (
    <CSPProvider nonce={cspNonce}>
      <TooltipProvider>
        <IconSprite />
        <Toasts />
      </TooltipProvider>
    </CSPProvider>
  )
}
