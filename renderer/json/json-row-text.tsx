import { SafeText } from '../text/safe-text.tsx'
import {
  childrenOf,
  countOf,
  endOf,
  JsonKind,
  keySource,
  kindOf,
  startOf,
  valueSource,
  type JsonIndex,
} from './json-index.ts'
import { isContainer, type JsonRow } from './json-rows.ts'
import { countText } from '../text/measures.ts'
import { jsonText } from './text.ts'

/** Characters of a string that a row shows. */
export const STRING_CAP = 240
const PREVIEW_LENGTH = 72
const KIND_CLASS = ['j-p', 'j-p', 'j-s', 'j-n', 'j-l']

/** The text of one line of the tree. */
export function JsonRowText({ index, row, open }: { index: JsonIndex; row: JsonRow; open: boolean }) {
  const isObject = kindOf(index, row.node) === JsonKind.object
  const comma = row.comma && <span className="j-p">,</span>
  if (row.closing) {
    return (
      <>
        <span className="j-p">{isObject ? '}' : ']'}</span>
        {comma}
      </>
    )
  }
  return (
    <>
      <KeyText index={index} node={row.node} />
      {open ? (
        <span className="j-p">{isObject ? '{' : '['}</span>
      ) : (
        <ValueText index={index} node={row.node} />
      )}
      {!open && comma}
    </>
  )
}

function KeyText({ index, node }: { index: JsonIndex; node: number }) {
  const key = keySource(index, node)
  if (key === undefined) return null
  return (
    <>
      <span className="j-k">
        <SafeText>{key.length > STRING_CAP ? `${key.slice(0, STRING_CAP)}…` : key}</SafeText>
      </span>
      <span className="j-p">:</span>{' '}
    </>
  )
}

function ValueText({ index, node }: { index: JsonIndex; node: number }) {
  const kind = kindOf(index, node)
  if (kind <= JsonKind.array) return <FoldedText index={index} node={node} />
  const source = valueSource(index, node, STRING_CAP + 1)
  const isCut = isCapped(index, node)
  return (
    <span className={KIND_CLASS[kind]}>
      <SafeText>{isCut ? `${source.slice(0, STRING_CAP)}…` : source}</SafeText>
    </span>
  )
}

/** Returns whether a row shows only the beginning of its value. */
export function isCapped(index: JsonIndex, node: number): boolean {
  return kindOf(index, node) > JsonKind.array && endOf(index, node) - startOf(index, node) > STRING_CAP
}

/** A folded container: its first scalars, as far as they fit. */
function FoldedText({ index, node }: { index: JsonIndex; node: number }) {
  const isObject = kindOf(index, node) === JsonKind.object
  const count = countOf(index, node)
  const open = isObject ? '{' : '['
  const close = isObject ? '}' : ']'
  if (count === 0) return <span className="j-p">{`${open}${close}`}</span>
  const shown: number[] = []
  let length = 0
  for (const child of childrenOf(index, node)) {
    if (isContainer(index, child)) break
    length += (keySource(index, child)?.length ?? 0) + endOf(index, child) - startOf(index, child) + 4
    if (length > PREVIEW_LENGTH) break
    shown.push(child)
  }
  const rest = count - shown.length
  return (
    <>
      <span className="j-p">{`${open} `}</span>
      {shown.map((child, place) => (
        <span key={child}>
          {place > 0 && <span className="j-p">, </span>}
          <KeyText index={index} node={child} />
          <ValueText index={index} node={child} />
        </span>
      ))}
      {rest > 0 && <span className="j-p">{shown.length > 0 ? ', … ' : '… '}</span>}
      <span className="j-p">{rest > 0 ? close : ` ${close}`}</span>
      {rest > 0 && !isObject && <span className="t3">{jsonText.jsonRowText.items(countText(count))}</span>}
    </>
  )
}
