import { classes } from '../controls/classes.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Icon } from '../controls/icon.tsx'
import { Kbd } from '../controls/kbd.tsx'
import { Menu } from '../controls/menu.tsx'
import { Tooltip } from '../controls/tooltip.tsx'
import { useWaiting } from '../inbox/inbox-state.ts'
import { WorkspaceMenu } from '../registry/workspace-menu.tsx'
import { useObservable } from '../state/observable.ts'
import { pageNames, showPage, usePage, type PageName } from '../state/page.ts'
import { counted } from '../text/measures.ts'
import { toggleInbox } from './go-to-panel.ts'
import { isInboxOpen } from './inbox-shown.ts'
import { MessageList } from './message-list.tsx'
import { themeNames, type Theme } from './theme.ts'
import styles from './title-bar.module.css'
import { appText } from './text.ts'

interface TitleBarProps {
  theme: Theme
  onThemeChange: (theme: Theme) => void
  onOpenPalette: () => void
}

const pages = Object.keys(pageNames) as PageName[]

const themes = (Object.keys(themeNames) as Theme[]).map((value) => ({ value, label: themeNames[value] }))

/** The bar across the top: the product and its workspace, the pages, the palette, the theme. */
export function TitleBar({ theme, onThemeChange, onOpenPalette }: TitleBarProps) {
  const page = usePage()
  return (
    <header className={styles.bar}>
      <div className={styles.brand}>
        <Icon name="mark" />
        <h1>{appText.titleBar.patchbay}</h1>
        <WorkspaceMenu />
      </div>
      <nav className={styles.pages} aria-label={appText.titleBar.pages}>
        {pages.map((each) => (
          <a
            key={each}
            href={`#${each}`}
            {...(each === page ? { 'aria-current': 'page' } : {})}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              showPage(each)
            }}
          >
            {pageNames[each]}
          </a>
        ))}
      </nav>
      <button type="button" className={styles.finder} aria-haspopup="dialog" onClick={onOpenPalette}>
        <Icon name="search" />
        <span className="clip">
          {appText.titleBar.search}
          <span className={styles.long}> {appText.titleBar.toolsServersCommands}</span>
        </span>
        <Kbd keys="mod+k" />
      </button>
      <InboxButton />
      <MessageList />
      <Menu
        trigger={<IconButton label={appText.titleBar.theme} icon="theme" />}
        entries={[
          {
            type: 'choices',
            label: appText.titleBar.theme,
            options: themes,
            value: theme,
            onChange: (value) => {
              const chosen = themes.find((candidate) => candidate.value === value)
              if (chosen !== undefined) onThemeChange(chosen.value)
            },
          },
        ]}
      />
    </header>
  )
}

/** Opens and closes the inbox, from wherever the window stands, and says how many questions wait in it. */
function InboxButton() {
  const waiting = useWaiting()
  const isOpen = useObservable(isInboxOpen)
  return (
    <Tooltip content={appText.titleBar.inbox} keys="mod+i">
      <button
        type="button"
        className={classes(styles.inbox, waiting > 0 && styles.waiting)}
        aria-label={
          waiting === 0 ? appText.titleBar.inbox : appText.titleBar.inboxPending(counted(waiting, 'question'))
        }
        aria-expanded={isOpen}
        data-inbox-button
        onClick={toggleInbox}
      >
        <Icon name="inbox" />
        {waiting > 0 && waiting}
      </button>
    </Tooltip>
  )
}
