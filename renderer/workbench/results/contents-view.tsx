import { useMemo } from 'react'
import { visibleText } from '../../../server-core/protocol/visible-text.ts'
import { LongText } from '../../json/long-text.tsx'
import { bytesText } from '../../text/measures.ts'
import { bytesOfBase64 } from './base64.ts'
import type { Contents } from './block.ts'
import { hexDump } from './hex-dump.ts'
import { isMarkdownType } from './markdown/looks-like-markdown.ts'
import { Media, Refusal } from './media.tsx'
import { TextBlock } from './text-block.tsx'
import { workbenchResultsText } from './text.ts'

/** What a resource holds, by its type: text, JSON, an image, a sound, or bytes. */
export function ContentsView({ contents, isAlone }: { contents: Contents; isAlone: boolean }) {
  const { uri, mimeType, text, blob } = contents
  const label = visibleText(uri)
  if (text !== undefined) {
    return <TextBlock text={text} label={label} isAlone={isAlone} says={saidType(mimeType)} />
  }
  if (blob === undefined) return null
  if (mimeType?.startsWith('image/') === true) return <Media kind="image" data={blob} mimeType={mimeType} />
  if (mimeType?.startsWith('audio/') === true) return <Media kind="audio" data={blob} mimeType={mimeType} />
  return <Bytes blob={blob} label={label} />
}

function Bytes({ blob, label }: { blob: string; label: string }) {
  const bytes = useMemo(() => bytesOfBase64(blob), [blob])
  if (bytes === undefined) return <Refusal>{workbenchResultsText.contentsView.invalidBase64}</Refusal>
  return (
    <LongText
      text={hexDump(bytes)}
      label={workbenchResultsText.contentsView.ofText(bytesText(bytes.length), label)}
      wrap={false}
    />
  )
}

function saidType(mimeType: string | undefined): 'json' | 'markdown' | undefined {
  if (isMarkdownType(mimeType)) return 'markdown'
  return mimeType !== undefined && /^application\/(?:[\w.-]+\+)?json\b/.test(mimeType) ? 'json' : undefined
}
