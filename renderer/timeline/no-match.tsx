import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { countText } from '../text/measures.ts'
import { looseTerm } from './loose-term.ts'
import { timeline } from './selection.ts'
import type { TimelineView } from './timeline-model.ts'

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
      title="No exchange matches"
      actions={
        <>
          {loose !== undefined && (
            <Button onClick={() => onChange(loose.rest.map((term) => term.source).join(' '))}>
              Drop {loose.term.source}
            </Button>
          )}
          <Button keys="esc" onClick={() => onChange('')}>
            Clear filter
          </Button>
        </>
      }
    >
      <p>
        <code>{terms.map((term) => term.source).join(' ')}</code> leaves 0 of {countText(total)}.
        {loose !== undefined && (
          <>
            {' '}
            Without <code>{loose.term.source}</code> there {loose.count === 1 ? 'is' : 'are'}{' '}
            {countText(loose.count)}.
          </>
        )}
      </p>
    </EmptyState>
  )
}
