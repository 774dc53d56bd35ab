import { useMemo } from 'react'
import { visibleText } from '../../../server-core/protocol/visible-text.ts'
import { Button } from '../../controls/button.tsx'
import { classes } from '../../controls/classes.ts'
import { CopyButton } from '../../controls/copy-button.tsx'
import { Icon } from '../../controls/icon.tsx'
import { JsonView } from '../../json/json-view.tsx'
import { bytesText, countText } from '../../text/measures.ts'
import { SafeText } from '../../text/safe-text.tsx'
import { openTab } from '../tabs-store.ts'
import { sizeOfBase64 } from './base64.ts'
import { readBlock, type Block, type Link } from './block.ts'
import { ContentsView } from './contents-view.tsx'
import { Media } from './media.tsx'
import styles from './results.module.css'
import { TextBlock } from './text-block.tsx'
import { workbenchResultsText } from './text.ts'

interface ContentBlockProps {
  source: string
  serverId: string
  /** Its place among its siblings, from 1. */
  place: number
  isAlone: boolean
  /** Precedes the type in its head line: the role of a message. */
  lead?: string
  /** What it is a block of, in names that are read out, where a result may be beside it. */
  noun?: string
}

/** One content block, by its type, under a line that says what it is. */
export function ContentBlock({ source, serverId, place, isAlone, lead, noun }: ContentBlockProps) {
  const block = useMemo(() => readBlock(source), [source])
  const label = `${noun === undefined ? '' : `${noun}, `}${typeWord(block)} ${String(place)}`
  return (
    <section
      className={classes(styles.block, isAlone && styles.alone)}
      aria-label={`${noun ?? 'Content'} ${String(place)}: ${typeWord(block)}`}
    >
      <div className={styles.blockHead}>
        {lead !== undefined && (
          <b>
            <SafeText>{lead}</SafeText>
          </b>
        )}
        <span className="clip">
          <SafeText>{factsOf(block).join(' · ')}</SafeText>
        </span>
        <span className={styles.end}>
          <CopyButton
            tight
            label={workbenchResultsText.contentBlock.copy(label)}
            text={() => copyOf(block, source)}
          />
        </span>
      </div>
      <BlockBody block={block} source={source} serverId={serverId} label={label} isAlone={isAlone} />
    </section>
  )
}

interface BlockBodyProps {
  block: Block
  source: string
  serverId: string
  label: string
  isAlone: boolean
}

function BlockBody({ block, source, serverId, label, isAlone }: BlockBodyProps) {
  switch (block.type) {
    case 'text':
      return <TextBlock text={block.text} label={label} isAlone={isAlone} />
    case 'image':
    case 'audio':
      return <Media kind={block.type} data={block.data} mimeType={block.mimeType} />
    case 'contents':
      return <ContentsView contents={block.contents} isAlone={isAlone} />
    case 'link':
      return <LinkBody link={block.link} serverId={serverId} />
    case 'unknown':
      return (
        <div className={isAlone ? styles.whole : styles.part}>
          <JsonView text={source} label={label} />
        </div>
      )
  }
}

function LinkBody({ link, serverId }: { link: Link; serverId: string }) {
  return (
    <div className={styles.link}>
      <Icon name="resource" />
      <span className={styles.linkText}>
        <b>
          <SafeText>{link.title ?? link.name}</SafeText>
        </b>
        <span className="mono">
          <SafeText>{link.uri}</SafeText>
        </span>
        {link.description !== undefined && (
          <span className="t2">
            <SafeText>{link.description}</SafeText>
          </span>
        )}
      </span>
      <Button
        aria-label={workbenchResultsText.contentBlock.open(visibleText(link.uri))}
        onClick={() => openTab({ kind: 'resource', serverId, uri: link.uri })}
      >
        {workbenchResultsText.contentBlock.openResource}
      </Button>
    </div>
  )
}

function typeWord(block: Block): string {
  if (block.type === 'contents') return 'resource'
  if (block.type === 'link') return 'resource_link'
  return block.type === 'unknown' ? 'block' : block.type
}

function factsOf(block: Block): string[] {
  return [...ownFacts(block), ...block.notes]
}

function ownFacts(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return ['text', workbenchResultsText.contentBlock.characters(countText(block.text.length))]
    case 'image':
    case 'audio':
      return [block.type, block.mimeType, bytesText(sizeOfBase64(block.data))]
    case 'contents': {
      const { uri, mimeType, text, blob } = block.contents
      const size =
        text === undefined
          ? bytesText(sizeOfBase64(blob ?? ''))
          : workbenchResultsText.contentBlock.characters(countText(text.length))
      return ['resource', uri, ...(mimeType === undefined ? [] : [mimeType]), size]
    }
    case 'link': {
      const { mimeType, size } = block.link
      return [
        'resource_link',
        ...(mimeType === undefined ? [] : [mimeType]),
        ...(size === undefined ? [] : [bytesText(size)]),
      ]
    }
    case 'unknown':
      return [block.reason]
  }
}

function copyOf(block: Block, source: string): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return block.data
    case 'contents':
      return block.contents.text ?? block.contents.blob ?? source
    case 'link':
      return block.link.uri
    case 'unknown':
      return source
  }
}
