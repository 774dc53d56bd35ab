import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from './kbd.tsx'
import styles from './tooltip.module.css'

interface TooltipProps {
  content: ReactNode
  keys?: string | undefined
  /** The element it belongs to; it must take a ref and spread its props. */
  children: ReactElement<Record<string, unknown>>
}

/** Shows what an element is called on hover and focus. Never the only place of a fact. */
export function Tooltip({ content, keys, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className={styles.positioner}>
          <Base.Popup className={styles.tip}>
            {content}
            {keys !== undefined && <Kbd keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Around the page: the next tooltip comes at once after one was shown. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider delay={500} closeDelay={0}>
      {children}
    </Base.Provider>
  )
}
