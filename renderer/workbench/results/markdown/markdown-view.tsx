import type { Token, Tokens } from 'marked'
import { Fragment, useEffect, useState, type ReactNode } from 'react'
import { LongText } from '../../../json/long-text.tsx'
import { SafeText } from '../../../text/safe-text.tsx'
import styles from './markdown.module.css'
import { parseMarkdown } from './parse-markdown.ts'
import { markdownText } from './text.ts'

interface MarkdownViewProps {
  text: string
  /** Its accessible name. */
  label: string
}

type Parsed = { readonly text: string; readonly tokens: readonly Token[] | undefined } | undefined

/** Markdown (CommonMark with tables and task lists) as elements. Until it is parsed, and if it cannot be, it is text. */
export default function MarkdownView({ text, label }: MarkdownViewProps) {
  const [parsed, setParsed] = useState<Parsed>(undefined)
  useEffect(() => {
    const ending = new AbortController()
    void parseMarkdown(text, ending.signal).then((tokens) => {
      if (!ending.signal.aborted) setParsed({ text, tokens })
    })
    return () => ending.abort()
  }, [text])

  if (parsed?.text !== text || parsed.tokens === undefined) return <LongText text={text} label={label} />
  return (
    <div className={styles.prose} role="region" aria-label={label} tabIndex={0}>
      <Blocks tokens={parsed.tokens} />
    </div>
  )
}

/** Blocks in blocks, as far as they are drawn. */
const MAX_DEPTH = 24

function Blocks({ tokens, depth = 0 }: { tokens: readonly Token[]; depth?: number }) {
  return tokens.map((token, place) => <Block key={place} token={token} depth={depth} />)
}

function Block({ token, depth }: { token: Token; depth: number }): ReactNode {
  if (depth > MAX_DEPTH) return <Plain text={token.raw} />
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      const heading = token as Tokens.Heading
      return (
        <p
          role="heading"
          aria-level={Math.min(6, heading.depth + 2)}
          className={styles.heading}
          data-depth={heading.depth}
        >
          <Inline tokens={heading.tokens} depth={depth + 1} />
        </p>
      )
    }
    case 'paragraph':
      return (
        <p>
          <Inline tokens={(token as Tokens.Paragraph).tokens} depth={depth + 1} />
        </p>
      )
    case 'text': {
      const { tokens, raw } = token as Tokens.Text
      return tokens === undefined ? <Plain text={raw} /> : <Inline tokens={tokens} depth={depth + 1} />
    }
    case 'code':
      return (
        <pre className={styles.code}>
          <SafeText>{(token as Tokens.Code).text}</SafeText>
        </pre>
      )
    case 'blockquote':
      return (
        <blockquote className={styles.quote}>
          <Blocks tokens={(token as Tokens.Blockquote).tokens} depth={depth + 1} />
        </blockquote>
      )
    case 'list':
      return <List list={token as Tokens.List} depth={depth} />
    case 'table':
      return <Table table={token as Tokens.Table} depth={depth} />
    case 'hr':
      return <hr className={styles.rule} />
    default:
      return <Plain text={token.raw} />
  }
}

/** What has no form of its own, HTML above all, as it was written. */
function Plain({ text }: { text: string }) {
  return (
    <span className={styles.plain}>
      <SafeText>{text}</SafeText>
    </span>
  )
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, place) => (
    <li key={place}>
      {item.task && (
        <span role="img" aria-label={item.checked === true ? markdownText.done : markdownText.open}>
          {item.checked === true ? '☑ ' : '☐ '}
        </span>
      )}
      <Blocks tokens={item.tokens} depth={depth + 1} />
    </li>
  ))
  return list.ordered ? (
    <ol className={styles.list} start={list.start === '' ? 1 : list.start}>
      {items}
    </ol>
  ) : (
    <ul className={styles.list}>{items}</ul>
  )
}

function Table({ table, depth }: { table: Tokens.Table; depth: number }) {
  const cells = (row: readonly Tokens.TableCell[], Cell: 'th' | 'td'): ReactNode =>
    row.map((cell, place) => (
      <Cell key={place} className={cell.align === 'right' ? styles.right : undefined}>
        <Inline tokens={cell.tokens} depth={depth + 1} />
      </Cell>
    ))
  return (
    <table className={styles.table}>
      <thead>
        <tr>{cells(table.header, 'th')}</tr>
      </thead>
      <tbody>
        {table.rows.map((row, place) => (
          <tr key={place}>{cells(row, 'td')}</tr>
        ))}
      </tbody>
    </table>
  )
}

function Inline({ tokens, depth }: { tokens: readonly Token[]; depth: number }): ReactNode {
  if (depth > MAX_DEPTH) return tokens.map((token, place) => <Plain key={place} text={token.raw} />)
  return tokens.map((token, place) => <Span key={place} token={token} depth={depth} />)
}

function Span({ token, depth }: { token: Token; depth: number }): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong>
          <Inline tokens={(token as Tokens.Strong).tokens} depth={depth + 1} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={(token as Tokens.Em).tokens} depth={depth + 1} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inline tokens={(token as Tokens.Del).tokens} depth={depth + 1} />
        </del>
      )
    case 'codespan':
      return (
        <code className={styles.codeSpan}>
          <SafeText>{(token as Tokens.Codespan).text}</SafeText>
        </code>
      )
    case 'br':
      return <br />
    case 'link': {
      const link = token as Tokens.Link
      return (
        <Place words={<Inline tokens={link.tokens} depth={depth + 1} />} text={link.text} href={link.href} />
      )
    }
    case 'image': {
      const image = token as Tokens.Image
      return <Place words={<SafeText>{markdownText.image(image.text)}</SafeText>} text="" href={image.href} />
    }
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens === undefined ? (
        <SafeText>{withoutEntities(text)}</SafeText>
      ) : (
        <Inline tokens={tokens} depth={depth + 1} />
      )
    }
    case 'escape':
      return <SafeText>{(token as Tokens.Escape).text}</SafeText>
    default:
      return <Plain text={token.raw} />
  }
}

/** What a link or an image says, and where it leads: text may say one place and name another. */
function Place({ words, text, href }: { words: ReactNode; text: string; href: string }) {
  return (
    <Fragment>
      <span className={styles.link}>{words}</span>
      {text !== href && (
        <span className={styles.place}>
          <SafeText>{href}</SafeText>
        </span>
      )}
    </Fragment>
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Text with the characters that its entities stand for (CommonMark, entity references). */
function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}
