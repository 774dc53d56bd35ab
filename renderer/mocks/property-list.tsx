import { useState } from 'react'
import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Select } from '../controls/select.tsx'
import { TextField } from '../controls/text-field.tsx'
import { TypedText } from '../controls/typed-text.tsx'
import styles from './mocks.module.css'
import { PropertyBounds } from './property-bounds.tsx'
import {
  itemsOf,
  nameProblem,
  propertiesOf,
  TYPES,
  typeOf,
  withChanged,
  withKeyword,
  withoutProperty,
  withProperty,
  withType,
  type Property,
  type Schema,
} from './schema-edit.ts'
import { mocksText } from './text.ts'

interface PropertyListProps {
  /** What the properties are of, for their accessible names. */
  path: string
  schema: Schema
  onChange: (schema: Schema) => void
}

/** The properties of an object, each on a line of its own, with what is inside it below. */
export function PropertyList({ path, schema, onChange }: PropertyListProps) {
  const properties = propertiesOf(schema)
  return (
    <div className={styles.properties}>
      {properties.length === 0 && <p className="field-note">{mocksText.propertyList.noPropertiesYet}</p>}
      {properties.map((property, at) => (
        <PropertyLine
          // A property keeps its place while its name changes.
          key={at}
          path={path}
          property={property}
          nameProblem={(name) => nameProblem(schema, name, property.name)}
          onChange={(next) => onChange(withChanged(schema, property.name, next))}
          onRemove={() => onChange(withoutProperty(schema, property.name))}
        />
      ))}
      <div>
        <Button tone="quiet" icon="plus" onClick={() => onChange(withProperty(schema))}>
          {mocksText.propertyList.addProperty}
        </Button>
      </div>
    </div>
  )
}

interface PropertyLineProps {
  path: string
  property: Property
  nameProblem: (name: string) => string | undefined
  onChange: (property: Property) => void
  onRemove: () => void
}

const TYPE_OPTIONS = [
  ...TYPES.map((value) => ({ value, label: value })),
  { value: 'any' as const, label: mocksText.propertyList.anyType },
]

function PropertyLine({ path, property, nameProblem, onChange, onRemove }: PropertyLineProps) {
  const [isOpen, setOpen] = useState(false)
  const { name, schema, isRequired } = property
  const own = `${path}.${name}`
  const type = typeOf(schema)
  const isNested = type === 'object' || type === 'array'
  const set = (next: Schema): void => onChange({ ...property, schema: next })
  return (
    <div className={styles.property} role="group" aria-label={own}>
      <div className={styles.line}>
        <TypedText
          label={mocksText.propertyList.nameOf(own)}
          text={name}
          problem={nameProblem}
          onText={(next) => onChange({ ...property, name: next })}
        />
        <Select
          label={mocksText.propertyList.typeOf(own)}
          options={TYPE_OPTIONS}
          value={type ?? ('type' in schema ? null : 'any')}
          placeholder={mocksText.propertyList.custom}
          onValueChange={(next) => set(withType(schema, next))}
        />
        <Checkbox
          checked={isRequired}
          onCheckedChange={(next) => onChange({ ...property, isRequired: next })}
        >
          {mocksText.propertyList.required}
        </Checkbox>
        <IconButton
          icon={isOpen ? 'chev-d' : 'chev-r'}
          label={mocksText.propertyList.boundsOf(own)}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton icon="close" label={mocksText.propertyList.remove(own)} onClick={onRemove} />
      </div>
      <TextField
        aria-label={mocksText.propertyList.descriptionOf(own)}
        placeholder={mocksText.propertyList.descriptionForTheModel}
        value={typeof schema['description'] === 'string' ? schema['description'] : ''}
        onValueChange={(text) => set(withKeyword(schema, 'description', text === '' ? undefined : text))}
      />
      {(isOpen || isNested) && (
        <PropertyDetails path={own} schema={schema} showsBounds={isOpen} onChange={set} />
      )}
    </div>
  )
}

interface PropertyDetailsProps {
  path: string
  schema: Schema
  /** Beside what is inside an object or a list. */
  showsBounds: boolean
  onChange: (schema: Schema) => void
}

/** Range and choices of a property, and what is inside an object or a list. */
function PropertyDetails({ path, schema, showsBounds, onChange }: PropertyDetailsProps) {
  const type = typeOf(schema)
  return (
    <div className={styles.details}>
      {showsBounds && <PropertyBounds path={path} schema={schema} onChange={onChange} />}
      {type === 'object' && <PropertyList path={path} schema={schema} onChange={onChange} />}
      {type === 'array' && <Items path={path} schema={schema} onChange={onChange} />}
    </div>
  )
}

/** What every item of a list is. */
function Items({ path, schema, onChange }: Omit<PropertyDetailsProps, 'showsBounds'>) {
  const items = itemsOf(schema)
  const type = typeOf(items)
  const own = mocksText.propertyList.items(path)
  const set = (next: Schema): void => onChange(withKeyword(schema, 'items', next))
  return (
    <>
      <div className={styles.items}>
        <span>{mocksText.propertyList.eachItemIs}</span>
        <Select
          label={mocksText.propertyList.typeOf(own)}
          options={TYPE_OPTIONS}
          value={type ?? ('type' in items ? null : 'any')}
          placeholder={mocksText.propertyList.custom}
          onValueChange={(next) => set(withType(items, next))}
        />
      </div>
      <PropertyDetails path={own} schema={items} showsBounds={false} onChange={set} />
    </>
  )
}
