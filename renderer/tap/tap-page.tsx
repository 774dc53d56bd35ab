import { PanelBoundary } from '../app/panel-boundary.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import frameStyles from '../app/frame.module.css'
import { HeldMessages } from './held-message.tsx'
import { RulesPanel } from './rules-panel.tsx'
import { TapList } from './tap-list.tsx'
import { TapMessages } from './tap-messages.tsx'
import { useShownTap } from './tap-selection.ts'
import styles from './tap.module.css'
import { tapText } from './text.ts'

/** Taps between other clients and their servers: what passes, what is held, and the rules. */
export default function TapPage() {
  const tap = useShownTap()
  return (
    <main className={styles.page} aria-label={tapText.tapPage.tap}>
      <section
        className={frameStyles.panel}
        aria-label={tapText.tapList.taps}
        data-region="taps"
        tabIndex={-1}
      >
        <PanelBoundary name="Taps">
          <TapList />
        </PanelBoundary>
      </section>
      <section
        className={frameStyles.panel}
        aria-label={tapText.tapMessages.messages}
        data-region="messages"
        tabIndex={-1}
      >
        <PanelBoundary name="Messages">
          {tap === undefined ? (
            <EmptyState title={tapText.tapPage.emptyTitle}>
              {tapText.tapPage.emptyDetail} <code>{tapText.tapPage.command}</code>
            </EmptyState>
          ) : (
            <>
              <TapMessages key={tap.id} tap={tap} />
              <HeldMessages key={`held ${tap.id}`} tap={tap} />
            </>
          )}
        </PanelBoundary>
      </section>
      {tap !== undefined && (
        <section
          className={frameStyles.panel}
          aria-label={tapText.rulesPanel.rules}
          data-region="rules"
          tabIndex={-1}
        >
          <PanelBoundary name="Rules">
            <RulesPanel key={tap.id} tap={tap} />
          </PanelBoundary>
        </section>
      )}
    </main>
  )
}
