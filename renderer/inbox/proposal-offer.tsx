import { LinkButton } from '../controls/button.tsx'
import styles from './inbox.module.css'

/** What a rule or a model has ready while another answer is being written: taken only when that is asked for. */
export function ProposalOffer({ onUse }: { onUse: () => void }) {
  return (
    <p className={styles.facts} role="status">
      <span>Another answer is proposed.</span>
      <LinkButton onClick={onUse}>Use it</LinkButton>
    </p>
  )
}
