import { Fragment } from 'react'
import styles from './safe-text.module.css'
import { visiblePieces } from './visible-pieces.ts'

/**
 * Text that came from a server, a process or a file. Never markup; characters that would hide, turn or overwrite
 * what is read are shown as marks (`U+202E`, `ESC[32m`); with `exact`, white space that cannot be told apart too.
 */
export function SafeText({ children, exact = false }: { children: string; exact?: boolean }) {
  return visiblePieces(children, exact).map((piece, index) =>
    piece.kind === 'text' ? (
      <Fragment key={index}>{piece.text}</Fragment>
    ) : (
      <span key={index} className={styles.mark}>
        {piece.text}
      </span>
    ),
  )
}
