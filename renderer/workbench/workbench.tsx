import { Suspense } from 'react'
import { EmptyState } from '../controls/empty-state.tsx'
import { ServerPanel } from '../servers/server-panel.tsx'
import { PromptTab, ResourceTab, TemplateTab, ToolTab } from './call-tabs.ts'
import { DocTabs, tabElementId } from './doc-tabs.tsx'
import { useOpeningMark } from './opening-tab.ts'
import { SERVER_PAGE_CONTENTS } from './server-page-contents.ts'
import type { ServerPageName } from './server-pages.ts'
import { useTabs, type Tab } from './tabs-store.ts'
import styles from './workbench.module.css'
import { workbenchText } from './text.ts'

/** The workbench: what is open, one tab each, and the tab in front. */
export function Workbench() {
  const { tabs, activeId } = useTabs()
  const active = tabs.find((tab) => tab.id === activeId)
  if (active === undefined) {
    return (
      <EmptyState title={workbenchText.workbench.nothingIsOpen}>
        {workbenchText.workbench.emptyState}
      </EmptyState>
    )
  }
  return (
    <>
      <DocTabs />
      <div
        id="workbench-panel"
        role="tabpanel"
        aria-labelledby={tabElementId(active)}
        className={styles.panel}
        key={active.id}
      >
        <MarkedTab tab={active} />
      </div>
    </>
  )
}

/** The contents of a tab, drawn after the tab was marked as being opened. */
function MarkedTab({ tab }: { tab: Tab }) {
  if (!useOpeningMark(tab.id)) return null
  return (
    <Suspense>
      <TabContent tab={tab} />
    </Suspense>
  )
}

function TabContent({ tab }: { tab: Tab }) {
  const { target } = tab
  switch (target.kind) {
    case 'tool':
      return <ToolTab id={tab.id} serverId={target.serverId} name={target.name} />
    case 'resource':
      return <ResourceTab id={tab.id} serverId={target.serverId} uri={target.uri} />
    case 'resource-template':
      return <TemplateTab id={tab.id} serverId={target.serverId} uriTemplate={target.uriTemplate} />
    case 'prompt':
      return <PromptTab id={tab.id} serverId={target.serverId} name={target.name} />
    case 'server':
      return <ServerPanel serverId={target.serverId} />
    case 'page':
      return <PageContent page={target.page} serverId={target.serverId} />
  }
}

function PageContent({ page, serverId }: { page: ServerPageName; serverId: string }) {
  const Content = SERVER_PAGE_CONTENTS[page]
  return <Content serverId={serverId} />
}
