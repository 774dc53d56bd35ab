import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { Bar } from '../controls/bar.tsx'
import { Button, Chip } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { TextField } from '../controls/text-field.tsx'
import { query } from '../host/api.ts'
import { useObservable } from '../state/observable.ts'
import { countText } from '../text/measures.ts'
import { FrameView } from '../timeline/frame-view.tsx'
import { TimelineGrid } from '../timeline/timeline-grid.tsx'
import { useRowMenu } from '../timeline/use-row-menu.tsx'
import type { RecordedRows } from './recorded-rows.ts'
import styles from './recordings.module.css'
import { recordingsText } from './text.ts'

const text = recordingsText.view
/** Rows that are read at once. */
const ROWS = 1_000

interface RecordingTimelineProps {
  id: string
  rows: RecordedRows
  /** How many frames the recording has, once that is known. */
  frames: number | undefined
}

/** The rows of a recording, the newest at first, and the frames of the selected one. Nothing can be sent from here. */
export function RecordingTimeline({ id, rows, frames }: RecordingTimelineProps) {
  const [search, setSearch] = useState('')
  const [onlyErrors, setOnlyErrors] = useState(false)
  const looked = useDeferredValue(search.trim())
  const isFiltered = looked !== '' || onlyErrors
  const found = useInfiniteQuery(
    query.recordings.rows.infiniteOptions({
      input: (cursor: Record<string, number> | undefined) => ({
        id,
        limit: ROWS,
        filter: { ...(looked !== '' && { text: looked }), ...(onlyErrors && { errors: true }) },
        ...(cursor !== undefined && { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next,
      staleTime: 0,
      placeholderData: keepPreviousData,
    }),
  )
  const { data } = found
  useEffect(() => {
    if (data !== undefined) rows.show(data.pages.toReversed().flatMap((page) => page.rows))
  }, [data, rows])
  const { state } = rows
  const view = useObservable(state.timeline.view)
  const { openMenu, menu } = useRowMenu(state, id)
  const selectedId = useObservable(state.selectedExchange)
  const isOpen = useObservable(state.framesOpen)
  const selected = selectedId === undefined ? undefined : view.rows[view.tree.placeOf(selectedId) ?? -1]
  return (
    <>
      <Bar
        end={
          found.hasNextPage && (
            <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              {text.older}
            </Button>
          )
        }
      >
        <TextField
          icon="search"
          type="search"
          className={styles.search}
          aria-label={text.search}
          placeholder={text.searchPlaceholder}
          value={search}
          onValueChange={setSearch}
        />
        <Chip pressed={onlyErrors} title={text.errorsTitle} onClick={() => setOnlyErrors(!onlyErrors)}>
          {text.errorsOnly}
        </Chip>
        <span className={styles.count} role="status">
          {data !== undefined && text.shown(countText(view.total), found.hasNextPage)}
        </span>
      </Bar>
      <div className={styles.rows}>
        {found.isError && <EmptyState title={text.couldNotRead}>{found.error.message}</EmptyState>}
        {data !== undefined && view.total === 0 && (
          <EmptyState title={isFiltered ? text.noMatch : text.noRows}>
            {!isFiltered && frames === 0 ? text.noRowsText : undefined}
          </EmptyState>
        )}
        {view.shown > 0 && <TimelineGrid view={view} follow={false} state={state} onMenu={openMenu} />}
      </div>
      {menu}
      {selected !== undefined && isOpen && (
        <div className={styles.frames}>
          <FrameView
            key={selected.id}
            exchange={selected}
            recording={id}
            onClose={state.following.closeFrames}
          />
        </div>
      )}
    </>
  )
}
