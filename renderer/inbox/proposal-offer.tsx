import type { MouseEvent } from 'react'
import { LinkButton } from '../controls/button.tsx'
import { inboxText } from './text.ts'

/**
 * What a rule or a model has ready while another answer is being written: taken only when that is asked for. It stands
 * among the buttons of the answer, which stay where they are when it comes; taken, it leaves the focus to the answer.
 */
export function ProposalOffer({ onUse }: { onUse: () => void }) {
  const use = (event: MouseEvent<HTMLElement>): void => {
    const entry = event.currentTarget.closest('[data-question]')
    onUse()
    entry?.querySelector<HTMLElement>('input, textarea, [contenteditable="true"]')?.focus()
  }
  return (
    <span role="status">
      <span className="vh">{inboxText.proposalOffer.anotherAnswerIsProposed} </span>
      <LinkButton title={inboxText.proposalOffer.useProposalTitle} onClick={use}>
        {inboxText.proposalOffer.useProposal}
      </LinkButton>
    </span>
  )
}
