import { useState } from 'react'

/** What is asked for, and how it follows what is wanted. */
type OneAsked<Wanted> = {
  readonly asked: Wanted
  /** To be called in each rendering: says whether what is asked for is still under way. */
  readonly follow: (isFetching: boolean) => void
}

/**
 * What to ask for while what is wanted changes with each event: the newest that is wanted, once what was asked for before
 * is answered. Each change would abandon the answer to the one before it; if they came faster than answers, none would be
 * shown.
 *
 * @param wanted plain data, compared by what it holds
 */
export function useOneAsked<Wanted>(wanted: Wanted): OneAsked<Wanted> {
  const [asked, setAsked] = useState(wanted)
  return {
    asked,
    follow: (isFetching) => {
      if (!isFetching && JSON.stringify(asked) !== JSON.stringify(wanted)) setAsked(wanted)
    },
  }
}
