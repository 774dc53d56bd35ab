import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { IconSprite } from '../controls/icon.tsx'
import { Toasts } from '../controls/toast.tsx'
import { TooltipProvider } from '../controls/tooltip.tsx'
import { cspNonce } from '../csp/nonce.ts'
import { queryClient } from '../host/live.ts'
import { Starting } from './starting.tsx'

/** The whole page. */
export function App() {
  return (
    <CSPProvider nonce={cspNonce}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <IconSprite />
          <Starting />
          <Toasts />
        </TooltipProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}
