import { Popover } from '@base-ui/react/popover'
import { useRef, useState } from 'react'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Icon } from '../controls/icon.tsx'
import chipStyles from '../controls/button.module.css'
import { declaredGroups, GROUPS } from './capabilities.ts'
import { DeclarationEditor } from './declaration-editor.tsx'
import styles from './declaration.module.css'
import { declarationText } from './text.ts'

/** Shows how many of the client capabilities are declared to the server; opens the editor that changes them. */
export function DeclarationChip({ server }: { server: ServerState }) {
  const [open, setOpen] = useState(false)
  const popup = useRef<HTMLDivElement>(null)
  const groups = declaredGroups(server.declaration.capabilities)
  const share = `${groups.length}/${GROUPS.length}`
  const words = groups.length === 0 ? 'none' : groups.join(', ')
  return (
    <Popover.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Popover.Trigger
        className={chipStyles.chip}
        title={declarationText.declarationChip.chipTitle(
          words,
          server.declaration.isChosen ? ' (chosen for this server)' : '',
        )}
        aria-label={declarationText.declarationChip.clientCapabilities(share, words)}
      >
        <Icon name="plug" small /> {share}
        <Icon name="chev-d" small />
      </Popover.Trigger>
      <Popover.Portal role="region" aria-label={declarationText.declarationChip.declaration}>
        <Popover.Positioner className={styles.positioner} sideOffset={4} align="end">
          <Popover.Popup ref={popup} className={styles.popup} initialFocus={popup}>
            <Popover.Title className={styles.title}>
              {declarationText.declarationChip.clientCapabilitiesDeclaredTo} {visibleText(server.name)}
            </Popover.Title>
            <Popover.Description className={styles.lead}>
              {declarationText.declarationChip.identityNote}
            </Popover.Description>
            <DeclarationEditor server={server} onDone={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
