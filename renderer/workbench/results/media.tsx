import { useEffect, useMemo, useState } from 'react'
import { visibleText } from '../../../server-core/protocol/visible-text.ts'
import { bytesText } from '../../text/measures.ts'
import { SafeText } from '../../text/safe-text.tsx'
import { bytesOfBase64 } from './base64.ts'
import styles from './results.module.css'

interface MediaProps {
  kind: 'image' | 'audio'
  data: string
  mimeType: string
}

/** An image or a sound from base64, or a clear line about why there is none. */
export function Media({ kind, data, mimeType }: MediaProps) {
  const bytes = useMemo(() => bytesOfBase64(data), [data])
  if (bytes === undefined)
    return <Refusal>{`The ${kind} is not base64, so there is nothing to show.`}</Refusal>
  if (bytes.length === 0) return <Refusal>{`The ${kind} is empty.`}</Refusal>
  if (!mimeType.startsWith(`${kind}/`)) {
    return (
      <Refusal>{`“${mimeType}” is no ${kind} type, so its ${bytesText(bytes.length)} are not shown.`}</Refusal>
    )
  }
  return <Shown key={data} kind={kind} bytes={bytes} mimeType={mimeType} />
}

function Shown({
  kind,
  bytes,
  mimeType,
}: {
  kind: 'image' | 'audio'
  bytes: Uint8Array<ArrayBuffer>
  mimeType: string
}) {
  const url = useObjectUrl(bytes, mimeType)
  const [isBroken, setBroken] = useState(false)
  const [size, setSize] = useState('')
  if (isBroken)
    return <Refusal>{`The ${bytesText(bytes.length)} are no ${mimeType} that can be read.`}</Refusal>
  if (url === undefined) return null
  const about = `from the server, ${visibleText(mimeType)}, ${bytesText(bytes.length)}`
  if (kind === 'audio') {
    return (
      <audio
        className={styles.audio}
        controls
        src={url}
        aria-label={`Sound ${about}`}
        onError={() => setBroken(true)}
      />
    )
  }
  return (
    <figure className={styles.figureBox}>
      <img
        src={url}
        alt={`Image ${about}${size}`}
        className={styles.image}
        onError={() => setBroken(true)}
        onLoad={(event) => {
          const { naturalWidth, naturalHeight } = event.currentTarget
          setSize(`, ${String(naturalWidth)} × ${String(naturalHeight)}`)
        }}
      />
      <figcaption className={styles.caption}>{size.replace(', ', '')}</figcaption>
    </figure>
  )
}

/** An address for the bytes as long as they are shown. */
function useObjectUrl(bytes: Uint8Array<ArrayBuffer>, mimeType: string): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined)
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, mimeType])
  return url
}

export function Refusal({ children }: { children: string }) {
  return (
    <p className={styles.refusal}>
      <SafeText>{children}</SafeText>
    </p>
  )
}
