import { useState } from 'react'
import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { bytesText, counted } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { trustFolder } from './registry-actions.ts'
import { openingWorkspace } from './registry-view.ts'
import styles from './registry.module.css'

/** Asks once whether the scripts of a folder may run, and lists them. Nothing runs before. */
export function TrustPage({ state: { workspace, wouldRun } }: { state: RegistryState }) {
  const [isAsked, setAsked] = useState(false)
  const trust = async (): Promise<void> => {
    setAsked(true)
    await trustFolder(workspace.folder)
    setAsked(false)
  }
  return (
    <section className={styles.document} aria-label={`Trust in ${workspace.name}`}>
      <h2 className="row">
        <span className="is-warn">
          <Icon name="st-ask" />
        </span>
        Do you trust this folder?
      </h2>
      <p className="mono">
        <SafeText>{workspace.folder}</SafeText>
      </p>
      <p>
        Its scripts are programs: they would run on this computer with your rights, and clients could call
        them. Nothing of the folder runs, and nothing of it is served, until you say yes. You are asked once.
      </p>
      {wouldRun.length === 0 ? (
        <p>There is no script in it yet; what is added to it later would run.</p>
      ) : (
        <>
          <p>
            {counted(wouldRun.length, 'file')} would run, with all that is imported there, and the scripts of
            folders in it that are mounted:
          </p>
          <ul className={styles.files} aria-label="What would run" tabIndex={0}>
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
          Trust this folder and run it
        </Button>
        <Button onClick={() => openingWorkspace.set(true)}>Open another folder…</Button>
      </div>
    </section>
  )
}
