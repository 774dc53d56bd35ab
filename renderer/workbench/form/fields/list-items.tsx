import type { KeyboardEvent } from 'react'
import { Button } from '../../../controls/button.tsx'
import { IconButton } from '../../../controls/icon-button.tsx'
import { addItem, itemSpec, moveItem, removeItem, stepTo } from '../draft-edits.ts'
import type { Draft, ItemDraft } from '../draft.ts'
import { isScalar } from '../field-spec.ts'
import { useForm } from '../form-context.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { ItemControl } from './item-control.tsx'
import { workbenchFormFieldsText } from './text.ts'

/**
 * The items of an array or a tuple. Alt with the arrow keys moves an item, Enter adds the next, Backspace in an
 * empty one removes it; the buttons do the same.
 */
export function ListItems(props: FieldProps) {
  const { spec, draft, path, label } = props
  const { edit } = useForm()
  const { shape } = spec
  if (draft.body.type !== 'list' || (shape.type !== 'array' && shape.type !== 'tuple')) return null
  const items = draft.body.items
  const fixed = shape.type === 'tuple' ? shape.items.length : 0
  const mayAdd = shape.type === 'array' ? items.length < (shape.maxItems ?? Infinity) : shape.open
  return (
    <div className={styles.list} role="group" aria-label={workbenchFormFieldsText.listItems.itemsOf(label)}>
      {items.map((item, place) => (
        <Item
          key={item.id}
          {...props}
          item={item}
          place={place}
          count={items.length}
          isFixed={place < fixed}
        />
      ))}
      {mayAdd && (
        <span className={styles.head}>
          <Button icon="plus" onClick={() => edit(path, addItem())}>
            {workbenchFormFieldsText.listItems.addItem}
            <span className="vh">
              {' '}
              {workbenchFormFieldsText.listItems.to} {label}
            </span>
          </Button>
        </span>
      )}
    </div>
  )
}

interface ItemProps extends FieldProps {
  item: ItemDraft
  place: number
  count: number
  /** A place of a tuple: it stays where it is. */
  isFixed: boolean
}

function Item({ item, place, count, isFixed, ...list }: ItemProps) {
  const { edit, Field } = useForm()
  const { path } = list
  const spec = itemSpec(list.spec, place)
  const field: FieldProps = {
    spec,
    draft: item.draft,
    path: stepTo(path, 'i', item.id),
    pointer: `${list.pointer}/${String(place)}`,
    label: workbenchFormFieldsText.listItems.item(String(place)),
    required: true,
  }
  const inline = isScalar(spec) || item.draft.misfit !== undefined

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (isFixed || event.metaKey || event.ctrlKey) return
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      edit(path, moveItem(item.id, event.key === 'ArrowUp' ? -1 : 1))
    } else if (event.key === 'Backspace' && isEmpty(item.draft) && inline) {
      focusNeighbour(event.currentTarget)
      edit(path, removeItem(item.id))
    } else if (event.key === 'Enter' && !event.shiftKey && inline && isOneLine(item.draft)) {
      edit(path, addItem(item.id))
      focusNextWhenThere(event.currentTarget)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className={inline ? styles.item : styles.itemGroup} onKeyDown={onKeyDown} data-item>
      {inline && (
        <>
          <span className={styles.place} aria-hidden="true">
            {place}
          </span>
          <ItemControl {...field} />
        </>
      )}
      {!inline && (
        <div className={styles.nested}>
          <Field {...field} />
        </div>
      )}
      {!isFixed && (
        <span className={styles.itemActs}>
          {place < count - 1 && (
            <IconButton
              icon="chev-d"
              label={workbenchFormFieldsText.listItems.moveItemDown(String(place))}
              keys="alt+↓"
              tight
              onClick={() => edit(path, moveItem(item.id, 1))}
            />
          )}
          <IconButton
            icon="close"
            label={workbenchFormFieldsText.listItems.removeItem(String(place))}
            onClick={() => edit(path, removeItem(item.id))}
          />
        </span>
      )}
    </div>
  )
}

function isEmpty({ body, presence }: Draft): boolean {
  return presence !== 'null' && (body.type === 'text' || body.type === 'number') && body.text === ''
}

function isOneLine({ body }: Draft): boolean {
  return body.type === 'number' || (body.type === 'text' && !body.text.includes('\n'))
}

function focusNeighbour(item: HTMLElement): void {
  const neighbour = item.previousElementSibling ?? item.nextElementSibling
  neighbour?.querySelector<HTMLElement>('textarea, input, button')?.focus()
}

function focusNextWhenThere(item: HTMLElement): void {
  requestAnimationFrame(() => {
    item.nextElementSibling?.querySelector<HTMLElement>('textarea, input')?.focus()
  })
}
