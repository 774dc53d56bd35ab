import { createContext, useContext, type ComponentType } from 'react'
import type { Completion } from '../../../server-core/host/contract/inspection.ts'
import { Observable, useSelected } from '../../state/observable.ts'
import type { Change, Path } from './draft-edits.ts'
import type { FieldProps } from './fields/field-props.ts'

/** Messages by the JSON pointer of the value they are about. */
export type Messages = ReadonlyMap<string, string>

/** Asks for values of an argument, by its name; aborting the signal gives the question up. */
export type Complete = (argument: string, value: string, signal: AbortSignal) => Promise<Completion>

/**
 * What every field of a form shares. It never changes as an object, so an edit renders again only the fields on
 * its way; what does change is watched field by field.
 */
export type FormShared = {
  /** Draws one field. Groups draw their fields with it, so that fields may contain fields. */
  readonly Field: ComponentType<FieldProps>
  readonly edit: (path: Path, change: Change) => void
  readonly messages: Observable<Messages>
  /** Where the cursor of the JSON editor stands; the field of that value is marked. */
  readonly marked: Observable<string | undefined>
  readonly onFocus: (pointer: string) => void
  /** Only where the peer completes arguments. */
  readonly complete: Complete | undefined
}

export const FormContext = createContext<FormShared>({
  Field: () => null,
  edit: () => undefined,
  messages: new Observable<Messages>(new Map()),
  marked: new Observable<string | undefined>(undefined),
  onFocus: () => undefined,
  complete: undefined,
})

/** What the form around this field shares with it. */
export function useForm(): FormShared {
  return useContext(FormContext)
}

/** What is wrong with the value at this place, if anything. */
export function useMessage(pointer: string): string | undefined {
  return useSelected(useForm().messages, (messages) => messages.get(pointer))
}

/** Returns whether the JSON editor's cursor is in the value at this place. */
export function useIsMarked(pointer: string): boolean {
  return useSelected(useForm().marked, (marked) => marked === pointer)
}
