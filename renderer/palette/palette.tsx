import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { classes } from '../controls/classes.ts'
import dialogStyles from '../controls/dialog.module.css'
import { Icon } from '../controls/icon.tsx'
import { Kbd } from '../controls/kbd.tsx'
import { useReturnFocus } from '../controls/return-focus.ts'
import { countText } from '../text/measures.ts'
import { findItems, type FoundItem, type PaletteItem } from './items.ts'
import styles from './palette.module.css'
import type { Spans } from './rank.ts'
import { paletteText } from './text.ts'

interface PaletteProps {
  items: readonly PaletteItem[]
  /** More items are on their way. */
  isListing: boolean
  onClose: () => void
}

/** Milliseconds that Enter waits for lists which are being read. */
const PATIENCE_MS = 2_000

/** Every server, tool, resource, prompt and command, by a few letters of its name. */
export function Palette({ items, isListing, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const asked = useDeferredValue(typed)
  const { groups, found } = useMemo(() => findItems(items, asked), [items, asked])

  // The field takes the focus before the next key comes, so the dialog would take it for what had the focus before.
  useReturnFocus()

  // What the arrows or the pointer chose since the last letter; until then Enter means the best match.
  const chosen = useRef<FoundItem>(undefined)

  const run = (item: PaletteItem): void => {
    onClose()
    item.run()
  }

  // What is meant may be on its way: then Enter waits for it. A second Enter takes the best of what is here.
  const [isWaiting, setWaiting] = useState(false)

  // The list follows the letters a moment later, so Enter looks up what was typed instead of what is shown.
  const runTyped = (): void => {
    const best = chosen.current ?? findItems(items, typed).groups[0]?.items[0]
    const isMeant = chosen.current !== undefined || typed.trim() === '' || isNamed(best, typed)
    const isToWait = isListing && !isMeant && (best === undefined || !isWaiting)
    setWaiting(isToWait)
    if (isToWait) return
    if (best !== undefined) run(best.item)
  }

  const onListed = useEffectEvent(runTyped)
  useEffect(() => {
    if (!isWaiting) return undefined
    if (!isListing) {
      onListed()
      return undefined
    }
    // A server that takes long keeps nobody from what is here.
    const timer = setTimeout(onListed, PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [isWaiting, isListing])

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogStyles.backdrop} />
        <Dialog.Popup
          className={styles.popup}
          aria-label={paletteText.palette.commandPalette}
          finalFocus={false}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            autoHighlight="always"
            keepHighlight
            value={typed}
            onValueChange={(value, details) => {
              if (details.reason === 'item-press') return
              chosen.current = undefined
              setWaiting(false)
              setTyped(value)
            }}
            onItemHighlighted={(found: FoundItem | undefined, { reason }) => {
              if (reason !== 'keyboard' && reason !== 'pointer') return
              chosen.current = found
              setWaiting(false)
            }}
            itemToStringValue={(found: FoundItem) => found.item.name}
          >
            <div className={styles.input}>
              <Icon name="search" />
              <Autocomplete.Input
                autoFocus
                aria-label={paletteText.palette.searchToolsServersCommands}
                placeholder={paletteText.palette.searchToolsServersCommands}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                  event.preventBaseUIHandler()
                  event.preventDefault()
                  if (!isWaiting || !event.repeat) runTyped()
                }}
              />
              <kbd aria-hidden="true">{paletteText.palette.esc}</kbd>
            </div>
            <Autocomplete.Empty className={styles.empty}>
              {found === 0 && !isListing && paletteText.palette.noMatches(asked)}
            </Autocomplete.Empty>
            <Autocomplete.List className={styles.list} aria-label={paletteText.palette.matches}>
              {(group: (typeof groups)[number]) => (
                <Autocomplete.Group key={group.group} items={group.items}>
                  <Autocomplete.GroupLabel className={styles.label}>{group.group}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: FoundItem) => (
                      <Autocomplete.Item
                        key={entry.item.id}
                        value={entry}
                        className={styles.item}
                        onClick={() => run(entry.item)}
                      >
                        <ItemLine found={entry} />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <footer className={classes(styles.foot, 'micro', 't3')}>
            <span role="status">
              {isWaiting
                ? paletteText.palette.loadingLists(
                    found > 0 ? '; press ⏎ again for the best match so far' : '',
                  )
                : paletteText.palette.open}
            </span>
            <span>{paletteText.palette.choose}</span>
            <span>
              {countText(found)} {paletteText.palette.ofText} {countText(items.length)}
            </span>
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function isNamed(found: FoundItem | undefined, typed: string): boolean {
  return found?.item.name.toLowerCase() === typed.trim().toLowerCase()
}

function ItemLine({ found: { item, spans } }: { found: FoundItem }) {
  return (
    <>
      <Icon name={item.icon} />
      <span className={classes('clip', styles.name)}>
        <Marked text={item.name} spans={spans} />
      </span>
      {item.where !== undefined && (
        <span className={classes('clip', styles.where)}>{visibleText(item.where)}</span>
      )}
      {item.keys !== undefined && <Kbd keys={item.keys} />}
    </>
  )
}

/** A name with the letters that matched. */
function Marked({ text, spans }: { text: string; spans: Spans }) {
  const pieces: { text: string; hit: boolean }[] = []
  let from = 0
  for (const [start, end] of spans) {
    if (start > from) pieces.push({ text: text.slice(from, start), hit: false })
    pieces.push({ text: text.slice(start, end), hit: true })
    from = end
  }
  pieces.push({ text: text.slice(from), hit: false })
  return pieces.map((piece, index) =>
    piece.hit ? (
      <b key={index}>{visibleText(piece.text)}</b>
    ) : (
      <span key={index}>{visibleText(piece.text)}</span>
    ),
  )
}
