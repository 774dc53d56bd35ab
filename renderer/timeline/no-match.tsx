import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { countText } from '../text/measures.ts'
import { looseTerm } from './loose-term.ts'
import { timeline } from './selection.ts'
import type { TimelineView } from './timeline-model.ts'
import { timelineText } from './text.ts'

interface NoMatchProps {
  view: TimelineView
  onChange: (text: string) => void
}

/** Returns which word of the filter leaves nothing, and drops it or all of them. */
export function NoMatch({ view, onChange }: NoMatchProps) {
  const { terms, total } = view
  const loose = looseTerm(terms, (rest) => timeline.countWith(rest))
  return (
    <EmptyState
      title={timelineText.noMatch.noExchangeMatches}
      actions={
        <>
          {loose !== undefined && (
            <Button onClick={() => onChange(loose.rest.map((term) => term.source).join(' '))}>
              {timelineText.noMatch.drop} {loose.term.source}
            </Button>
          )}
          <Button keys="esc" onClick={() => onChange('')}>
            {timelineText.noMatch.clearFilter}
          </Button>
        </>
      }
    >
      <p>
        <code>{terms.map((term) => term.source).join(' ')}</code> {timelineText.noMatch.leaves0Of}{' '}
        {countText(total)}.
        {loose !== undefined && (
          <>
            {' '}
            {timelineText.noMatch.without} <code>{loose.term.source}</code> {timelineText.noMatch.there}{' '}
            {loose.count === 1 ? timelineText.noMatch.is : timelineText.noMatch.are} {countText(loose.count)}.
          </>
        )}
      </p>
    </EmptyState>
  )
}
