import { useState } from 'react'
import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { bytesText, counted } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { trustFolder } from './registry-actions.ts'
import { openingWorkspace } from './registry-view.ts'
import styles from './registry.module.css'
import { registryText } from './text.ts'

/** Asks once whether the scripts of a folder may run, and lists them. Nothing runs before. */
export function TrustPage({ state: { workspace, wouldRun } }: { state: RegistryState }) {
  const [isAsked, setAsked] = useState(false)
  const trust = async (): Promise<void> => {
    setAsked(true)
    await trustFolder(workspace.folder)
    setAsked(false)
  }
  return (
    <section className={styles.document} aria-label={registryText.trustPage.trustIn(workspace.name)}>
      <h2 className="row">
        <span className="is-warn">
          <Icon name="st-ask" />
        </span>
        {registryText.trustPage.trustThisFolder}
      </h2>
      <p className="mono">
        <SafeText>{workspace.folder}</SafeText>
      </p>
      <p>{registryText.trustPage.warning}</p>
      {wouldRun.length === 0 ? (
        <p>{registryText.trustPage.noScripts}</p>
      ) : (
        <>
          <p>
            {counted(wouldRun.length, 'file')} {registryText.trustPage.wouldRun}
          </p>
          <ul className={styles.files} aria-label={registryText.trustPage.filesThatWouldRun} tabIndex={0}>
            {wouldRun.map(({ file, bytes }) => (
              <li key={file}>
                <SafeText>{file}</SafeText>
                <span className="t3">{bytesText(bytes)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className={styles.acts}>
        <Button tone="primary" disabled={isAsked} data-panel-focus onClick={() => void trust()}>
          {registryText.trustPage.trustAndRun}
        </Button>
        <Button onClick={() => openingWorkspace.set(true)}>{registryText.trustPage.openAnotherFolder}</Button>
      </div>
    </section>
  )
}
