import styles from './middle-clip.module.css'

/** Characters that stay at the end of a name that is too long. */
const END = 5

/** A name that loses its middle where there is no room for all of it, inside a flex box: `server-…thing`. */
export function MiddleClip({ children }: { children: string }) {
  const characters = Array.from(children)
  const end = characters.length > 2 * END ? END : 0
  return (
    <>
      <span className={styles.start}>{characters.slice(0, characters.length - end).join('')}</span>
      <span className={styles.end}>{characters.slice(characters.length - end).join('')}</span>
    </>
  )
}
