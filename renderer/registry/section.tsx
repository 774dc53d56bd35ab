import { useId, useState, type ReactNode } from 'react'
import { Icon } from '../controls/icon.tsx'
import styles from './side.module.css'

interface SectionProps {
  title: ReactNode
  /** Beside the title. */
  facts?: ReactNode
  /** Buttons at the end of its bar. */
  end?: ReactNode
  children: ReactNode
}

/** A collapsible part of the right column. */
export function Section({ title, facts, end, children }: SectionProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(true)
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.bar}>
        <button
          type="button"
          className="icon-only"
          aria-expanded={isOpen}
          aria-labelledby={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chev-d' : 'chev-r'} />
        </button>
        <h2 id={id} className="clip">
          {title}
        </h2>
        {facts}
        <div className={styles.end}>{end}</div>
      </div>
      {isOpen && children}
    </section>
  )
}
