import { classes } from './classes.ts'
import { iconPaths, type IconName, type IconPath } from './icon-paths.ts'
import styles from './icon.module.css'

export type { IconName } from './icon-paths.ts'

const names = Object.keys(iconPaths).filter((name): name is IconName => name in iconPaths)

/** The symbols that `Icon` refers to. Once in the page. */
export function IconSprite() {
  return (
    <svg width="0" height="0" className={styles.sprite} aria-hidden="true" focusable="false">
      {names.map((name) => (
        <symbol key={name} id={`i-${name}`} viewBox="0 0 16 16">
          {iconPaths[name].map((path: IconPath) => (
            <path
              key={path.d}
              d={path.d}
              {...(path.solid === true ? { fill: 'currentColor', stroke: 'none' } : {})}
              {...(path.dashed === true ? { strokeDasharray: '2 2' } : {})}
            />
          ))}
        </symbol>
      ))}
    </svg>
  )
}

/** A drawing only: hidden from assistive technology, so its meaning must be in text or in a label beside it. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg className={classes('ic', small && styles.small)} aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  )
}
