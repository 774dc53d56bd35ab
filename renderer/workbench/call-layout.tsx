import { useCallback, useEffect, useRef, type ReactNode } from 'react'
import { Group, Panel, Separator, usePanelRef } from 'react-resizable-panels'
import { useSelected, type Observable } from '../state/observable.ts'
import styles from './call-layout.module.css'
import { FoldedArguments } from './folded-arguments.tsx'
import { workbenchText } from './text.ts'
import { changeWork, type Work } from './work-store.ts'

/** The part of the height that arguments take by themselves at most; the rest of them scrolls. */
const MAX_SHARE = 0.4
const MIN_HEIGHT = 60
const FOLDED_HEIGHT = 26

interface CallLayoutProps {
  work: Observable<Work>
  /** What the form and the JSON of the arguments are in. */
  arguments: ReactNode
  /** The height in pixels that the arguments need; 0 as long as that is not known. */
  neededHeight: Observable<number>
  result: ReactNode
}

/** Arguments over their result. The arguments are as high as they need to be, unless the user gave them a height. */
export function CallLayout({ work, arguments: args, neededHeight, result }: CallLayoutProps) {
  const isFolded = useSelected(work, (now) => now.isFolded === true)
  const box = useRef<HTMLDivElement>(null)
  const panel = usePanelRef()

  const fit = useCallback(() => {
    const room = box.current?.clientHeight ?? 0
    const needed = neededHeight.get()
    const { argumentsHeight, isFolded } = work.get()
    if (room === 0 || (needed === 0 && isFolded !== true)) return
    const own = Math.max(MIN_HEIGHT, Math.min(needed, room * MAX_SHARE))
    panel.current?.resize(isFolded === true ? FOLDED_HEIGHT : (argumentsHeight ?? own))
  }, [work, panel, neededHeight])

  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    return () => observer.disconnect()
  }, [fit])

  useEffect(fit, [fit, isFolded])
  useEffect(() => neededHeight.subscribe(fit), [fit, neededHeight])

  return (
    <div ref={box} className={styles.box}>
      <Group
        orientation="vertical"
        className={styles.group}
        onLayoutChanged={(_layout, { isUserInteraction }) => {
          if (isUserInteraction && !isFolded)
            changeWork(work, { argumentsHeight: panel.current?.getSize().inPixels })
        }}
      >
        <Panel
          panelRef={panel}
          defaultSize="30%"
          minSize={`${String(isFolded ? FOLDED_HEIGHT : MIN_HEIGHT)}px`}
          groupResizeBehavior="preserve-pixel-size"
          className={styles.half}
        >
          {isFolded ? <FoldedArguments work={work} /> : args}
        </Panel>
        <Separator
          className={styles.line}
          disabled={isFolded}
          aria-label={workbenchText.callTab.heightOfTheArguments}
          onDoubleClick={() => {
            changeWork(work, { argumentsHeight: undefined })
            fit()
          }}
        />
        <Panel minSize="60px" className={styles.half}>
          {result}
        </Panel>
      </Group>
    </div>
  )
}
