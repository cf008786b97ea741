import { Autocomplete, NativeSelect, TagsInput, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Operator } from '../../../shared/releases/targets.ts'
import { IconButton } from '../../components/blocks.tsx'
import classes from './condition-row.module.css'
import { type Condition, type ConditionIssue, KEY_SUGGESTIONS, takesValues } from './draft.ts'
import { OPERATOR_WORDS, text } from './strings.ts'

interface Props {
  readonly kind: 'label' | 'expression'
  /** Which row this is, for the labels of its fields: `label 2`. */
  readonly name: string
  readonly value: Condition
  readonly issue: ConditionIssue | undefined
  /** Nothing of the row can change. */
  readonly locked?: boolean
  /** Values that have to stay; given where the key has to stay too. */
  readonly kept?: readonly string[] | undefined
  readonly onChange: (value: Condition) => void
  readonly onRemove: () => void
}

const OPERATORS = Operator.options.map((value) => ({ value, label: OPERATOR_WORDS[value] }))

/** One condition: a key, how it is compared, and its values as chips. */
export function ConditionRow(props: Props) {
  const { kind, name, value, issue, locked = false, kept, onChange, onRemove } = props
  const values = (next: readonly string[]) => {
    const rest = next.filter((each) => !kept?.includes(each))
    onChange({ ...value, values: [...(kept ?? []), ...rest] })
  }
  const ranges = value.operator === 'VersionIn'
  return (
    <div className={classes.row}>
      <Autocomplete
        aria-label={text.keyOf(name)}
        placeholder={text.keyExample}
        data={kind === 'expression' ? [...KEY_SUGGESTIONS] : []}
        value={value.key}
        error={issue?.key}
        disabled={locked || kept !== undefined}
        onChange={(key) => onChange({ ...value, key: key.trim() })}
      />
      {kind === 'label' ? (
        <Text span fz={14} p="8px 4px" c="dimmed">
          {OPERATOR_WORDS.In}
        </Text>
      ) : (
        <NativeSelect
          aria-label={text.comparisonOf(name)}
          data={OPERATORS}
          value={value.operator}
          disabled={locked}
          onChange={({ currentTarget }) => {
            const operator = Operator.parse(currentTarget.value)
            onChange({ ...value, operator, values: takesValues(operator) ? value.values : [] })
          }}
        />
      )}
      {takesValues(value.operator) ? (
        <TagsInput
          aria-label={ranges ? text.rangesOf(name) : text.valuesOf(name)}
          placeholder={ranges ? text.rangeHint : text.valueHint}
          value={[...value.values]}
          error={issue?.values}
          disabled={locked}
          splitChars={[',']}
          isDuplicate={(value, known) => known.includes(value)}
          onChange={values}
        />
      ) : (
        <span />
      )}
      <IconButton
        icon={IconTrash}
        hasTooltip
        aria-label={text.remove(name)}
        disabled={locked}
        onClick={onRemove}
        mt={6}
      />
    </div>
  )
}
