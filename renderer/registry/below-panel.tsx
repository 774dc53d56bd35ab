import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Bar } from '../controls/bar.tsx'
import { Chip } from '../controls/button.tsx'
import { TabList, TabPanel, TabsRoot } from '../controls/tabs.tsx'
import { problems as foundProblems } from '../editor/problems.ts'
import { useObservable } from '../state/observable.ts'
import { bytesText } from '../text/measures.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { useState } from 'react'
import styles from './below.module.css'
import { LogLines } from './log-lines.tsx'
import { logText } from './log-text.ts'
import { problemsOf } from './problems.ts'
import { ProblemList } from './problem-list.tsx'
import { belowTab, type BelowTab } from './registry-view.ts'
import { Reloads } from './reloads.tsx'
import { useLog } from './use-log.ts'
import { useScript } from './use-registry.ts'
import { registryText } from './text.ts'

interface BelowPanelProps {
  state: RegistryState
  /** The script of the active tab, if any. */
  file: string | undefined
}

/** The script log, the problems and the reloads. */
export function BelowPanel({ state, file }: BelowPanelProps) {
  const tab = useObservable(belowTab)
  const script = useScript(file)
  const [isOfAll, setOfAll] = useState(false)
  const shownFile = isOfAll ? undefined : script?.file
  const log = useLog(shownFile)
  const problems = problemsOf(state, useObservable(foundProblems))
  const { memoryBytes, limitBytes } = script?.worker ?? {}

  return (
    <TabsRoot<BelowTab> value={tab} onValueChange={(next) => belowTab.set(next)} className={styles.root}>
      <Bar
        end={
          <>
            {memoryBytes !== undefined && (
              <span className={styles.worker}>
                {registryText.belowPanel.worker} {bytesText(memoryBytes)}
                {limitBytes !== undefined && registryText.belowPanel.ofText(bytesText(limitBytes))}
              </span>
            )}
            {tab === 'log' && (
              <CopyButton label={registryText.belowPanel.copyLog} text={() => logText(log)} />
            )}
          </>
        }
      >
        <div className={styles.tabs}>
          <TabList<BelowTab>
            label={registryText.belowPanel.belowTheEditor}
            tabs={[
              { value: 'log', label: registryText.belowPanel.scriptLog },
              {
                value: 'problems',
                label: registryText.belowPanel.problems,
                ...(problems.length > 0 ? { count: problems.length } : {}),
              },
              {
                value: 'reloads',
                label: registryText.belowPanel.reloads,
                ...(script === undefined ? {} : { count: script.revision }),
              },
            ]}
          />
        </div>
        {tab === 'log' && script !== undefined && (
          <Chip pressed={isOfAll} onClick={() => setOfAll(!isOfAll)}>
            {registryText.belowPanel.allScripts}
          </Chip>
        )}
        {tab !== 'problems' && (
          <span className="micro t3 clip">
            {shownFile === undefined
              ? registryText.belowPanel.allScripts
              : registryText.belowPanel.allRevisions(visibleText(shownFile))}
          </span>
        )}
      </Bar>
      <TabPanel value="log" className={styles.page}>
        <LogLines lines={log} isOfAll={shownFile === undefined} />
      </TabPanel>
      <TabPanel value="problems" className={styles.page}>
        <ProblemList problems={problems} isOpening={state.opening} />
      </TabPanel>
      <TabPanel value="reloads" className={styles.page}>
        <Reloads script={script} />
      </TabPanel>
    </TabsRoot>
  )
}
