import { isNarrow } from '../app/narrow.ts'
import { focusPanelWhenThere } from '../app/panel-walk.ts'
import { LinkButton } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { live } from '../host/live.ts'
import { showRegistryPanel } from '../registry/go-to-panel.ts'
import { showPage } from '../state/page.ts'
import { useSelected } from '../state/observable.ts'
import { counted } from '../text/measures.ts'
import styles from './faults.module.css'
import { faultsText } from './text.ts'

/** How many fault rules of the embedded server are on. */
export function useActiveFaults(): number {
  return useSelected(live.parts.faults, (state) => state?.active ?? 0)
}

/** How many fault rules are on, as a link to them; nothing if none is. */
export function ActiveFaults() {
  const active = useActiveFaults()
  if (active === 0) return null
  return (
    <span className={`${styles.active ?? ''} is-warn`}>
      <Icon name="fault" small />
      <LinkButton title={faultsText.activeFaults.activeFaultsTitle} onClick={showFaults}>
        {activeFaultsText(active)}
      </LinkButton>
    </span>
  )
}

/** `1 fault on`, `3 faults on`. */
export function activeFaultsText(active: number): string {
  return `${counted(active, 'fault')} on`
}

function showFaults(): void {
  showPage('registry')
  showRegistryPanel('side', isNarrow())
  focusPanelWhenThere('side')
}
