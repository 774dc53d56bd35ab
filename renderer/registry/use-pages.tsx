import { useMemo, type ReactNode } from 'react'
import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import type { IconName } from '../controls/icon.tsx'
import type { EditorPage } from '../editor/editor-props.ts'
import { AddSourcePage, sourceTitles } from './add-source-page.tsx'
import { ComparePage } from './compare-page.tsx'
import { entryOfLine } from './entry-line.ts'
import { EntryPage } from './entry-page.tsx'
import { NewScriptPage, newScriptTitle } from './new-script-page.tsx'
import { closePage, openPage, pageId, useRegistryPages, type RegistryPageTarget } from './registry-view.ts'
import styles from './registry.module.css'
import { SidePanel } from './side-panel.tsx'
import { registryText } from './text.ts'

const SIDE: RegistryPageTarget = { kind: 'side' }

/** The pages with a tab beside the files; with `hasSide` also the right column of a wide window. */
export function usePages(state: RegistryState, hasSide: boolean): readonly EditorPage[] {
  const { pages, front } = useRegistryPages()
  return useMemo(() => {
    const shown = [...(hasSide ? [SIDE] : []), ...pages.filter(({ kind }) => kind !== 'side')]
    return shown.map((page) => ({
      id: pageId(page),
      ...lookOf(page, state),
      isFront: front !== undefined && pageId(front) === pageId(page),
      onSelect: () => openPage(page),
      onClose: page.kind === 'side' ? undefined : () => closePage(page),
    }))
  }, [pages, front, state, hasSide])
}

function lookOf(
  page: RegistryPageTarget,
  state: RegistryState,
): { icon: IconName; title: string; content: ReactNode } {
  switch (page.kind) {
    case 'side':
      return {
        icon: 'run',
        title: registryText.usePages.tryAndConnected,
        content: <NarrowSide state={state} />,
      }
    case 'entry': {
      const entry = entryOfLine(state.entries, page.key)
      return {
        icon: entry?.kind ?? 'tool',
        title: entry?.shownName ?? registryText.usePages.removed,
        content: <EntryPage key={page.key} entry={entry} />,
      }
    }
    case 'new-script':
      return {
        icon: 'plus',
        title: newScriptTitle(page.template),
        content: <NewScriptPage key={page.template} template={page.template} />,
      }
    case 'compare':
      return {
        icon: 'diff',
        title: registryText.usePages.to(page.from, page.to),
        content: <ComparePage file={page.file} from={page.from} to={page.to} />,
      }
    case 'add-source':
      return {
        icon: 'import',
        title: sourceTitles[page.source],
        content: <AddSourcePage key={page.source} source={page.source} />,
      }
  }
}

/** The right column as a tab. */
function NarrowSide({ state }: { state: RegistryState }) {
  return (
    <aside
      className={styles.whole}
      aria-label={registryText.usePages.tryConnectedFaults}
      data-region="side"
      tabIndex={-1}
    >
      <SidePanel state={state} />
    </aside>
  )
}
