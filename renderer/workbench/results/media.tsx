import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { visibleText } from '../../../server-core/protocol/visible-text.ts'
import { bytesText } from '../../text/measures.ts'
import { SafeText } from '../../text/safe-text.tsx'
import { bytesOfBase64 } from './base64.ts'
import styles from './results.module.css'
import { workbenchResultsText } from './text.ts'

interface MediaProps {
  kind: 'image' | 'audio'
  data: string
  mimeType: string
}

/** An image or a sound from base64, or a clear line about why there is none. */
export function Media({ kind, data, mimeType }: MediaProps) {
  const bytes = useMemo(() => bytesOfBase64(data), [data])
  if (bytes === undefined) return <Refusal>{workbenchResultsText.media.invalidBase64(kind)}</Refusal>
  if (bytes.length === 0) return <Refusal>{workbenchResultsText.media.theIsEmpty(kind)}</Refusal>
  if (!mimeType.startsWith(`${kind}/`)) {
    return (
      <Refusal>{workbenchResultsText.media.unknownType(mimeType, kind, bytesText(bytes.length))}</Refusal>
    )
  }
  return <Shown key={data} kind={kind} bytes={bytes} mimeType={mimeType} />
}

type ShownProps = { bytes: Uint8Array<ArrayBuffer>; mimeType: string; onBroken: () => void }

function Shown({ kind, bytes, mimeType }: Omit<ShownProps, 'onBroken'> & { kind: 'image' | 'audio' }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken)
    return <Refusal>{workbenchResultsText.media.invalidMedia(bytesText(bytes.length), mimeType)}</Refusal>
  const props = { bytes, mimeType, onBroken: () => setBroken(true) }
  return kind === 'audio' ? <Sound {...props} /> : <Picture {...props} />
}

function Sound({ bytes, mimeType, onBroken }: ShownProps) {
  const element = useSource<HTMLAudioElement>(bytes, mimeType)
  return (
    <audio
      ref={element}
      className={styles.audio}
      controls
      aria-label={workbenchResultsText.media.sound(aboutBytes(bytes, mimeType))}
      onError={onBroken}
    />
  )
}

function Picture({ bytes, mimeType, onBroken }: ShownProps) {
  const element = useSource<HTMLImageElement>(bytes, mimeType)
  const [size, setSize] = useState('')
  return (
    <figure className={styles.figureBox}>
      <img
        ref={element}
        alt={workbenchResultsText.media.image(aboutBytes(bytes, mimeType), size === '' ? '' : `, ${size}`)}
        className={styles.image}
        onError={onBroken}
        onLoad={(event) => {
          const { naturalWidth, naturalHeight } = event.currentTarget
          setSize(`${String(naturalWidth)} × ${String(naturalHeight)}`)
        }}
      />
      <figcaption className={styles.caption}>{size}</figcaption>
    </figure>
  )
}

function aboutBytes(bytes: Uint8Array, mimeType: string): string {
  return `from the server, ${visibleText(mimeType)}, ${bytesText(bytes.length)}`
}

/** Sets the bytes as the source of an element while it shows them. */
function useSource<Kind extends HTMLImageElement | HTMLAudioElement>(
  bytes: Uint8Array<ArrayBuffer>,
  mimeType: string,
): RefObject<Kind | null> {
  const element = useRef<Kind>(null)
  useEffect(() => {
    const shown = element.current
    if (shown === null) return undefined
    const url = URL.createObjectURL(new Blob([bytes], { type: mimeType }))
    shown.src = url
    return () => URL.revokeObjectURL(url)
  }, [bytes, mimeType])
  return element
}

/** Returns why something is not shown; the text may come from the server. */
export function Refusal({ children }: { children: string }) {
  return (
    <p className={styles.refusal}>
      <SafeText>{children}</SafeText>
    </p>
  )
}
