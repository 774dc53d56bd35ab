import type { RegistryEntry } from '../../server-core/host/contract/registry.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu, type MenuEntry } from '../controls/menu.tsx'
import { openMockDialog } from '../mocks/open-mock-dialog.ts'
import { useServers } from '../host/live.ts'
import { connectServer } from '../servers/server-actions.ts'
import { SafeText } from '../text/safe-text.tsx'
import { openTab } from '../workbench/tabs-store.ts'
import { editedKey } from './registry-view.ts'
import { Section } from './section.tsx'
import styles from './side.module.css'
import { TryForm } from './try-form.tsx'
import { targetOf } from './try-target.ts'
import { registryText } from './text.ts'

/** The selected entry, called over this window's own connection to the server. */
export function TrySection({ entry }: { entry: RegistryEntry | undefined }) {
  const server = useServers().find(({ origin }) => origin === 'embedded')
  const title =
    entry === undefined ? (
      'Try'
    ) : (
      <>
        {registryText.trySection.try} <SafeText>{entry.shownName}</SafeText>
      </>
    )
  const obstacle = obstacleOf(entry, server)
  if (entry === undefined || server === undefined || obstacle !== undefined) {
    return (
      <Section title={title} end={entry !== undefined && <More entry={entry} server={server} />}>
        <p className={styles.note}>{obstacle}</p>
        {server !== undefined && server.status !== 'connected' && (
          <p className={styles.note}>
            <Button icon="plug" onClick={() => void connectServer(server)}>
              {registryText.trySection.connect}
            </Button>
          </p>
        )}
      </Section>
    )
  }
  return <TryForm title={title} entry={entry} server={server} more={<More entry={entry} server={server} />} />
}

/** Further actions for the entry. */
function More({ entry, server }: { entry: RegistryEntry; server: ServerState | undefined }) {
  const { key, kind, origin, state } = entry
  const entries: MenuEntry[] = [
    {
      type: 'item',
      label: registryText.trySection.renameAndDescribe,
      icon: 'settings',
      keys: 'F2',
      onSelect: () => editedKey.set(key),
    },
  ]
  if (kind === 'tool' && origin.kind !== 'mock') {
    entries.push({
      type: 'item',
      label:
        state === 'overridden'
          ? registryText.trySection.editOverride
          : registryText.trySection.overrideResult,
      icon: 'elicit',
      onSelect: () => openMockDialog({ type: 'override', key }),
    })
  }
  if (server !== undefined) {
    entries.push({
      type: 'item',
      label: registryText.trySection.openInInspector,
      icon: 'link',
      onSelect: () => openTab(targetOf(entry, server.id)),
    })
  }
  return (
    <Menu
      trigger={
        <IconButton tight icon="more" label={registryText.trySection.moreOf(visibleText(entry.shownName))} />
      }
      entries={entries}
    />
  )
}

/** Why the entry cannot be called now, and the remedy. */
function obstacleOf(entry: RegistryEntry | undefined, server: ServerState | undefined): string | undefined {
  if (entry === undefined) return registryText.trySection.selectEntry
  if (server?.status !== 'connected') return registryText.trySection.notConnected
  if (!entry.enabled) return registryText.trySection.switchedOff
  if (entry.state !== 'served' && entry.state !== 'overridden')
    return entry.error?.message ?? registryText.trySection.notServed
  return undefined
}
