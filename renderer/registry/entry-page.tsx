import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EntryOrigin, RegistryEntry } from '../../server-core/host/contract/registry.ts'
import { Button } from '../controls/button.tsx'
import { openMockDialog } from '../mocks/open-mock-dialog.ts'
import { listsOptions } from '../host/lists.ts'
import { useServers } from '../host/live.ts'
import { JsonView } from '../json/json-view.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { openSource } from './open-line.ts'
import { editedKey } from './registry-view.ts'
import styles from './registry.module.css'
import { findListed } from './try-target.ts'
import { registryText } from './text.ts'

const SOURCES: Readonly<Record<EntryOrigin['kind'], string>> = {
  script: 'Script of this workspace',
  config: 'Configuration of this workspace',
  mount: 'Mounted workspace',
  proxy: 'Proxied from another server',
  openapi: 'OpenAPI document',
  file: 'File',
  directory: 'Files of a folder',
  url: 'Fetched URL',
  mock: 'Mock, defined in patchbay.json',
  override: 'Override, defined in patchbay.json',
  'built-in': registryText.entryPage.patchbay,
}

/** An entry without a file in the editor: its source and its listed definition. */
export function EntryPage({ entry }: { entry: RegistryEntry | undefined }) {
  const server = useServers().find(({ origin }) => origin === 'embedded')
  const lists = useQuery({
    ...listsOptions(server?.id ?? ''),
    enabled: server?.status === 'connected',
  }).data
  const listed = entry === undefined || lists === undefined ? undefined : findListed(entry, lists)
  const text = useMemo(() => (listed === undefined ? undefined : JSON.stringify(listed.value)), [listed])
  if (entry === undefined) {
    return (
      <div className={styles.document}>
        <h2>{registryText.entryPage.entryRemoved}</h2>
        <p>{registryText.entryPage.entryMissing}</p>
      </div>
    )
  }
  const { key, kind, shownName, name, origin, state, error } = entry
  const { file } = origin
  return (
    <div className={styles.document}>
      <h2 className="mono">
        <SafeText>{shownName}</SafeText>
      </h2>
      <p>
        {SOURCES[origin.kind]}
        {origin.kind !== 'mock' && (
          <>
            : <SafeText>{origin.label}</SafeText>
          </>
        )}
        .
        {shownName !== name && (
          <>
            {' '}
            {registryText.entryPage.nameInItsSource} <code>{<SafeText>{name}</SafeText>}</code>.
          </>
        )}
      </p>
      {error !== undefined && (
        <p className="is-error" role="status">
          <SafeText>{error.message}</SafeText>
        </p>
      )}
      <div className={styles.acts}>
        {kind === 'tool' && origin.kind !== 'mock' && (
          <Button icon="elicit" onClick={() => openMockDialog({ type: 'override', key })}>
            {state === 'overridden'
              ? registryText.entryPage.editOverride
              : registryText.entryPage.overrideResult}
          </Button>
        )}
        {origin.kind === 'mock' && (
          <Button icon="elicit" onClick={() => openMockDialog({ type: 'edit', key })}>
            {registryText.entryPage.edit}
          </Button>
        )}
        <Button icon="settings" keys="F2" onClick={() => editedKey.set(key)}>
          {registryText.entryPage.renameAndDescribe}
        </Button>
        {file !== undefined && (
          <Button icon="script" onClick={() => openSource(entry, file)}>
            {registryText.entryPage.open} <SafeText>{file}</SafeText>
          </Button>
        )}
      </div>
      {text === undefined ? (
        <p>{registryText.entryPage.notListedToClients}</p>
      ) : (
        <div className={styles.definition}>
          <JsonView text={text} label={registryText.entryPage.definitionTitle} />
        </div>
      )}
    </div>
  )
}
